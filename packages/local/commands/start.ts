import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CONSOLE_PORT, startConsole } from 'customer-data-api-console';
import { deploymentOf } from 'customer-data-api-deployment';
import {
  expectNoServer,
  FOLDER_OPTION,
  LOCAL_FOLDER,
  type LocalOutputs,
  OUTPUTS_FILE,
} from 'customer-data-api-deployment/local';
import { rememberTarget, runProgram } from 'customer-data-api-deployment/program';
import { FAULT_NAMES, type Fault } from '../fault-switch.ts';
import { DEFAULT_PORT, readPort } from '../port.ts';
import { banner } from '../server/banner.ts';
import { startLocalServer } from '../server/server.ts';
import { readCloudAssembly, type Synthesized, synthesize } from '../synthesize.ts';

// Read now: the parent can end before the server runs.
const PARENT = process.ppid;

interface StartOptions {
  readonly app?: string;
  readonly data?: string;
  readonly stage?: string;
  readonly set?: string[];
  readonly throttle?: boolean | number;
  readonly host?: string;
  readonly fault?: Fault;
  readonly metrics?: boolean;
  readonly folder: string;
}

const command = new Command('npm start --')
  .description(
    `Runs the service on this machine, on port PORT (default: ${DEFAULT_PORT}; 0 picks a free port)`,
  )
  .option(
    '--data <folder>',
    'keep the tables in this folder between runs; messages in queues, also dead letters, are not kept',
    folderName,
  )
  .addOption(
    new Option('--stage <name>', 'the stage whose settings to use (default: dev)').conflicts('app'),
  )
  .addOption(
    new Option('--set <name=value...>', 'overrides settings of the stage')
      .argParser(override)
      .conflicts('app'),
  )
  .addOption(
    new Option('--app <folder>', 'run this cloud assembly instead of synthesizing one').argParser(
      folderName,
    ),
  )
  .option(
    '--throttle [requests]',
    'answer 429 beyond the limits of the stage, or beyond so many requests per second, as API Gateway does',
    requestsPerSecond,
  )
  .option(
    '--host <address>',
    'let other machines call the API, at this address of your machine, such as 192.168.1.20',
  )
  .addOption(
    new Option(
      '--fault <name>',
      'start with this fault; npm run fault changes it, and explains each with --help',
    ).choices(FAULT_NAMES),
  )
  .option('--metrics', 'print the metrics of the functions too, as CloudWatch reads them')
  .addOption(FOLDER_OPTION)
  .action((options: StartOptions) => runProgram(() => start(options)));

await command.parseAsync();

async function start(options: StartOptions): Promise<void> {
  const { app, data, stage, set = [], throttle, host, fault, metrics, folder } = options;
  const port = readPort(process.env.PORT);
  // Before the stack is synthesized, which takes seconds.
  await expectNoServer(folder);
  await using started = new AsyncDisposableStack();
  const context = [...(stage === undefined ? [] : [`stage=${stage}`]), ...set];
  const stack = app ? await readCloudAssembly(app) : await synthesizeForThisRun(context, started);
  const server = await startLocalServer(stack, {
    port,
    folder,
    dataFolder: data,
    throttle,
    host,
    fault,
    log: (line) => {
      // Most requests write a line of metrics.
      if (metrics || !line.startsWith('{"_aws":')) process.stdout.write(`${line}\n`);
    },
    serveConsole: (stackName, outputs) => serveConsole(stackName, outputs, folder, port),
  });
  started.defer(server.stop);
  const running = started.move();
  onceStopped(() => void runProgram(() => running.disposeAsync()).then(() => process.exit()));
  process.stdout.write(banner(server.outputs, { folder: relative('', folder), fault, host }));
}

/** Serves the console, on its usual port unless the API has any free one. */
async function serveConsole(
  stackName: string,
  outputs: LocalOutputs,
  folder: string,
  apiPort: number,
) {
  const file = join(folder, OUTPUTS_FILE);
  // For the commands that the page shows.
  rememberTarget(folder === LOCAL_FOLDER ? { local: true } : { outputs: relative('', file) });
  const wanted = apiPort === 0 ? 0 : CONSOLE_PORT;
  const log = (text: string) => void process.stderr.write(`${text}\n`);
  const page = await startConsole(deploymentOf({ stackName, outputs }, file), {
    port: wanted,
    log,
  });
  if (wanted !== 0 && page.port !== wanted) {
    log(`Port ${wanted} is taken, so the console is on port ${page.port}, without its drafts.`);
  }
  return page;
}

/** Synthesizes into its own folder: only one process at a time may write a cloud assembly. */
async function synthesizeForThisRun(
  context: readonly string[],
  started: AsyncDisposableStack,
): Promise<Synthesized> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  started.defer(() => rm(folder, { recursive: true }));
  return synthesize(folder, context);
}

function folderName(text: string): string {
  if (text === '') throw new InvalidArgumentError('Name a directory.');
  return resolve(text);
}

function requestsPerSecond(text: string): number {
  const requests = Number(text);
  if (Number.isSafeInteger(requests) && requests > 0) return requests;
  throw new InvalidArgumentError('It must be a whole number of requests per second.');
}

/** Converts an override to CDK context. */
function override(text: string, others: string[] = []): string[] {
  if (/^\w+=/.test(text)) return [...others, `set.${text}`];
  throw new InvalidArgumentError('It must be name=value, such as configCacheSeconds=1.');
}

/** Calls back on SIGINT, on SIGTERM, and when npm's shell, the parent process, has ended. */
function onceStopped(stop: () => void): void {
  process.once('SIGINT', stop).once('SIGTERM', stop);
  if (process.env.npm_lifecycle_event === undefined) return;
  // npm signals only its shell, which may not forward it: dash ends, and this process runs on.
  const watch = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(watch);
    stop();
  }, 200);
}
