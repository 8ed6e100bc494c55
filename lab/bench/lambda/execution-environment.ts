import { join } from 'node:path';
import type { Bundle } from '../candidates/candidate.ts';
import { startChild } from '../child.ts';
import type { CpuGroups } from './cpu-groups.ts';

/** One call of a function. */
export interface Called {
  /** The time in the handler, in milliseconds. */
  readonly ms: number;
  readonly statusCode: number;
  /** Empty unless the call failed. */
  readonly body: string;
}

/** A process with an initialised function: what Lambda calls an execution environment. */
export interface ExecutionEnvironment {
  /** The milliseconds in which Node started. */
  readonly boot: number;
  /** The milliseconds in which the modules of the function were loaded and run. */
  readonly initialisation: number;
  /** Calls the function. One call at a time. */
  readonly call: (event: object) => Promise<Called>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a process that loads a function.
 *
 * @param limit the share of a CPU that it has once its module is evaluated; default: no limit.
 */
export async function startExecutionEnvironment(
  { candidate, operation, folder }: Bundle,
  variables: NodeJS.ProcessEnv,
  limit?: { readonly groups: CpuGroups; readonly share: number },
): Promise<ExecutionEnvironment> {
  const group = await limit?.groups.create(limit.share);
  const script = new URL('lambda-process.mjs', import.meta.url);
  const module = join(folder, 'index.mjs');
  const child = startChild(`${operation} of ${candidate}`, script, [module], variables);
  const started = await child.nextMessage<{ boot: number; initialisation: number }>();
  await group?.add(child.pid);
  return {
    ...started,
    call: child.ask,
    stop: async () => {
      await child.stop();
      await group?.remove();
    },
  };
}
