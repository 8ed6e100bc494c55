import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { decodeJwt } from 'jose';
import { runSmoke } from '../cli/smoke/run.ts';
import { CommandError, runCommand } from '../core/platform/command-error.ts';

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

interface Options {
  readonly outputs: string;
  readonly apiUrl?: string;
  readonly expiredToken?: string;
}

const command = new Command('npm run smoke --')
  .description(
    'Checks a deployment from outside, with a user and a client of its own, and removes both',
  )
  .requiredOption('--outputs <file>', 'the file written by cdk deploy --outputs-file')
  .option(
    '--api-url <url>',
    'the base URL of the API if it differs from ApiUrl, as with a custom domain',
  )
  .option('--expired-token <file>', 'a file with an expired ID token of the deployment')
  .action((options: Options) => runCommand(() => smoke(options)));

await command.parseAsync();

async function smoke({ outputs, apiUrl, expiredToken }: Options): Promise<void> {
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
    outputsFile: outputs,
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
