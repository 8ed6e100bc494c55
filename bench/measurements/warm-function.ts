import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bundle } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';

const WARM_PROCESS = fileURLToPath(new URL('warm-process.mjs', import.meta.url));

/** A process that has loaded one or more functions. */
export interface WarmFunction {
  /**
   * Runs a task in the process. `warm-process.mjs` documents what each kind of task takes and
   * returns.
   */
  readonly run: <TResult>(kind: 'measure' | 'allocate' | 'soak', task: object) => Promise<TResult>;
  readonly stop: () => void;
}

/** How a process differs from the default. */
export interface WarmFunctionOptions {
  /** Replace environment variables of the stack. */
  readonly variables?: NodeJS.ProcessEnv;
  /** Command line options of Node. */
  readonly flags?: readonly string[];
}

/** Starts a process that loads one function of each operation in `bundles`. */
export async function startWarmFunction(
  bundles: readonly Bundle[],
  environment: Environment,
  { variables = {}, flags = [] }: WarmFunctionOptions = {},
): Promise<WarmFunction> {
  const modules = bundles.map(({ operation, folder }) => [operation, join(folder, 'index.mjs')]);
  const environments = bundles.map(({ operation }) => environment.variables(operation));
  const child = fork(WARM_PROCESS, [JSON.stringify(Object.fromEntries(modules))], {
    env: Object.assign({}, ...environments, variables),
    execArgv: ['--expose-gc', ...flags],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // The log is only of interest if the process exits too early.
  let lastLogged = '';
  child.stderr?.on('data', (logged) => {
    lastLogged = String(logged);
  });
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${bundles[0]?.candidate} exited during a measurement. ${lastLogged}`);
  });
  const nextMessage = async () => (await Promise.race([once(child, 'message'), exited]))[0];
  await nextMessage();
  return {
    run: (kind, task) => {
      child.send({ kind, ...task });
      return nextMessage();
    },
    stop: () => {
      exited.catch(() => {});
      child.disconnect();
    },
  };
}

/** One measurement of a number of calls. */
export interface CallTimes {
  /** CPU time of a call, in microseconds. */
  readonly cpu: number;
  /** Median and 99th percentile of the wall time of a call, in microseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Calls per second. */
  readonly throughput: number;
  /** Size of the last response body. */
  readonly responseBytes: number;
}

/** A number of calls to make. */
export interface Load {
  readonly count: number;
  /** How many calls are in flight at a time. */
  readonly concurrency: number;
  /** By default, the client of the environment. */
  readonly clientId?: string;
}

/** Calls the function of an operation with new events, and measures the calls. */
export function measureCalls(
  warm: WarmFunction,
  { operation }: Bundle,
  environment: Environment,
  { count, concurrency, clientId }: Load,
): Promise<CallTimes> {
  const events = environment.events(operation, count, clientId);
  return warm.run('measure', { operation, events, concurrency });
}
