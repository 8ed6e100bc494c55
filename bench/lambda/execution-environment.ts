import { join } from 'node:path';
import type { Bundle } from '../candidates/candidate.ts';
import { startMeasuredProcess } from '../measurements/child-process.ts';
import type { CpuGroups } from './cpu-groups.ts';

/** One call of a function. */
export interface Called {
  /** The time in the handler, in milliseconds. */
  readonly ms: number;
  readonly statusCode: number;
  /** Empty unless the call failed. */
  readonly body: string;
}

/**
 * A process with an initialised function, limited to a share of a CPU: what Lambda calls an
 * execution environment.
 */
export interface ExecutionEnvironment {
  /** How long its initialisation took, in milliseconds: to load the modules and to run them. */
  readonly initialised: number;
  /** Calls the function. One call at a time. */
  readonly call: (event: object) => Promise<Called>;
  readonly stop: () => Promise<void>;
}

/** What an execution environment runs with. */
export interface ExecutionEnvironmentOptions {
  readonly variables: NodeJS.ProcessEnv;
  /** The share of a CPU during calls. */
  readonly share: number;
  /** The share while it initialises: a whole CPU in Lambda, and no limit if it is left out. */
  readonly initialShare?: number;
}

/**
 * Starts a process that loads a function, and limits its CPU time once the function's module is
 * evaluated.
 */
export async function startExecutionEnvironment(
  { candidate, operation, folder }: Bundle,
  groups: CpuGroups,
  { variables, share, initialShare }: ExecutionEnvironmentOptions,
): Promise<ExecutionEnvironment> {
  const group = await groups.create(initialShare ?? share);
  const { child, exited, nextMessage, ask } = startMeasuredProcess(
    new URL('lambda-process.mjs', import.meta.url),
    [join(folder, 'index.mjs')],
    variables,
    `${operation} of ${candidate}`,
  );
  const enter = () => group.add(child.pid ?? Number.NaN);
  if (initialShare !== undefined) await enter();
  const { initialised } = await nextMessage<{ initialised: number }>();
  await (initialShare === undefined ? enter() : group.limit(share));
  return {
    initialised,
    call: ask,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await group.remove();
    },
  };
}
