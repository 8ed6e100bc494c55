import { AssertionError } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Command, Option } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { environmentOf } from './environment.ts';
import { startMinistack } from './ministack.ts';
import { runEndToEnd } from './run.ts';

interface Options {
  readonly keep?: boolean;
  readonly short?: boolean;
  readonly reallyAws?: boolean;
}

const command = new Command('npm run e2e --')
  .description(
    'Deploys each release and this build with the CDK, checks it, goes back, changes it in place and destroys it, in a MiniStack that it starts',
  )
  .option('--short', 'destroy the stack after the first checks')
  .addOption(
    new Option('--keep', 'leave everything running after the first checks').conflicts('short'),
  )
  .option('--really-aws', 'deploy to AWS with the credentials and region of the environment')
  .action((options: Options) => runProgram(() => endToEnd(options)));

await command.parseAsync();

async function endToEnd({
  keep = false,
  short = false,
  reallyAws = false,
}: Options): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => interrupted.abort());
  }
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const ministack = reallyAws ? undefined : await startMinistack();
  const variables = environmentOf(ministack);
  const { path: folder, remove } = await newFolder();
  let url: string | undefined;
  try {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, variables);
    if (ministack) {
      print(`MiniStack is running at ${ministack.url}`);
      // Node reads NODE_EXTRA_CA_CERTS only when a process starts.
      const certificate = await readFile(ministack.certificateFile, 'utf8');
      setDefaultCACertificates([...getCACertificates('default'), certificate]);
    }
    const { signal } = interrupted;
    url = await runEndToEnd({ folder, ministack, keep, short, signal, print });
  } catch (error) {
    throw error instanceof AssertionError ? new UserError(error.message) : error;
  } finally {
    if (!url) {
      await ministack?.stop();
      await remove();
    }
  }
  if (!url) return;
  print('\nThe stack is running. To call it and to inspect it:\n');
  if (ministack) {
    const names = ['AWS_ENDPOINT_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'];
    for (const name of [...names, 'AWS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS']) {
      print(`export ${name}=${variables[name]}`);
    }
  }
  print(`./customer-data smoke --outputs ${folder}/outputs.json --api-url ${url}`);
  if (ministack) {
    print(`\nIts log is ${ministack.logFile}. To end it:\n\nkill -- -${ministack.group}`);
  }
}
