import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { decodeJwt } from 'jose';
import { CommandError, UsageError } from '../../core/platform/command-error.ts';
import { addDeploymentOptions, type DeploymentOptions } from '../deployment.ts';
import { addExamples } from '../options.ts';
import { printTo, type Terminal } from '../terminal.ts';
import { runSmoke } from './run.ts';

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

interface Options extends DeploymentOptions {
  readonly apiUrl?: string;
  readonly expiredToken?: string;
}

/** `customer-data smoke`: checks of a deployment from outside. */
export function smokeCommand(terminal: Terminal): Command {
  const command = addDeploymentOptions(new Command('smoke'))
    .description(
      'check a deployment from outside, with a user and a client of its own, and remove both',
    )
    .option(
      '--api-url <url>',
      'the base URL of the API if it differs from ApiUrl, as with a custom domain',
    )
    .option('--expired-token <file>', 'a file with an expired ID token of the deployment')
    .action((options: Options) => smoke(options, terminal));
  return addExamples(command, 'smoke --stack CustomerDataApi-prod', 'smoke --local');
}

async function smoke(
  { apiUrl, expiredToken, ...options }: Options,
  terminal: Terminal,
): Promise<void> {
  const interrupted = new AbortController();
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      process.exitCode = 128 + number;
      interrupted.abort();
    });
  }
  // A closed terminal must not prevent the cleanup.
  terminal.stdout.on('error', () => interrupted.abort());

  const isGood = await runSmoke({
    ...options,
    apiUrl,
    expiredIdToken: expiredToken && (await readExpired(expiredToken)),
    signal: interrupted.signal,
    print: printTo(terminal),
  });
  // The checks have said what is wrong.
  if (!isGood) throw new CommandError('');
}

async function readExpired(file: string): Promise<string> {
  const token = (await readFile(file, 'utf8').catch(() => '')).trim();
  try {
    const { exp = Number.POSITIVE_INFINITY } = decodeJwt(token);
    if (exp < Date.now() / 1000) return token;
  } catch {
    throw new UsageError(`There is no ID token in ${file}.`);
  }
  throw new UsageError(`The ID token in ${file} has not expired yet.`);
}
