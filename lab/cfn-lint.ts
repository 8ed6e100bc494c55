import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { runProgram } from '../packages/deployment/program/run-program.ts';
import { synthesize } from '../packages/local/synthesize.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { pythonProgram } from './python.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
/** The settings that change which resources the stack has. */
const VARIANTS = [
  ['stage=prod'],
  ['set.userPoolId=eu-central-1_AbCdEfGhI', 'set.userPoolClientIds=["1example23456789"]'],
  [
    'set.retainData=false',
    'set.alarmRecipients=["ops@example.com"]',
    'set.signInIdentifiers=["email","phone"]',
    'set.appClients=["Acme","Pizza"]',
    'set.webAcl=true',
    'set.corsOrigins=["https://shop.example.com","capacitor://localhost"]',
    'set.customDomain={"name":"api.example.com","certificateArn":"arn:aws:acm:us-east-1:123456789012:certificate/12ab-34cd","hostedZoneId":"Z123ABC"}',
    'set.gradualDeployment=true',
    'set.reservedConcurrency={"GetConfig":200}',
    'set.memoryMegabytes=1024',
    'set.provisionedConcurrency={"GetConfig":10}',
  ],
];

const command = new Command('npm run cfn-lint --')
  .description('Checks the templates of the stack with cfn-lint')
  .action(() => runProgram(lint));

await command.parseAsync();

async function lint(): Promise<void> {
  const program = await pythonProgram('cfn-lint');
  await using folder = await newFolder();
  const templates = [];
  for (const [number, settings] of VARIANTS.entries()) {
    const assembly = join(folder.path, String(number));
    const { stackName } = await synthesize(assembly, settings);
    templates.push(join(assembly, `${stackName}.template.json`));
  }
  const { status } = spawnSync(program, templates, { cwd: PROJECT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
  if (status === 0)
    process.stdout.write(`cfn-lint: ${templates.length} templates without fault.\n`);
}
