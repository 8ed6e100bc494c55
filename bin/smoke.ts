import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { decodeJwt } from 'jose';
import { runAwsCommand } from '../cli/aws-error.ts';
import { addDeploymentOptions, type DeploymentOptions } from '../cli/deployment.ts';
import { runSmoke } from '../cli/smoke/run.ts';
import { CommandError } from '../core/platform/command-error.ts';

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

interface Options extends DeploymentOptions {
  readonly apiUrl?: string;
  readonly expiredToken?: string;
}

const command = addDeploymentOptions(new Command('npm run smoke --'))
  .description(
    'Checks a deployment from outside, with a user and a client of its own, and removes both',
  )
  .option(
    '--api-url <url>',
    'the base URL of the API if it differs from ApiUrl, as with a custom domain',
  )
  .option('--expired-token <file>', 'a file with an expired ID token of the deployment')
  .action((options: Options) => runAwsCommand(() => smoke(options)));

await command.parseAsync();

async function smoke({ apiUrl, expiredToken, ...deployment }: Options): Promise<void> {
  const interrupted = new AbortController();
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      process.exitCode = 128 + number;
      interrupted.abort();
    });
  }
  // A closed terminal must not prevent the cleanup.
  process.stdout.on('error', () => interrupted.abort());

  const isGood = await runSmoke({
    ...deployment,
    apiUrl,
    expiredIdToken: expiredToken && (await readExpired(expiredToken)),
    signal: interrupted.signal,
    print: (line) => process.stdout.write(`${line}\n`),
  });
  if (!isGood) process.exitCode ??= 1;
}

async function readExpired(file: string): Promise<string> {
  const token = (await readFile(file, 'utf8').catch(() => '')).trim();
  try {
    const { exp = Number.POSITIVE_INFINITY } = decodeJwt(token);
    if (exp < Date.now() / 1000) return token;
  } catch {
    throw new CommandError(`There is no ID token in ${file}.`);
  }
  throw new CommandError(`The ID token in ${file} has not expired yet.`);
}
