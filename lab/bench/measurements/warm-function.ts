import { join } from 'node:path';
import type { Bundle } from '../candidates/candidate.ts';
import { startChild } from '../child.ts';
import type { Environment } from '../environment/environment.ts';

/** A process that has loaded one or more functions. */
export interface WarmFunction {
  /**
   * Runs a task in the process. `warm-process.mjs` documents what each kind of task takes and
   * returns.
   */
  readonly run: <TResult>(kind: 'measure' | 'soak', task: object) => Promise<TResult>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a process that loads one function of each operation in `bundles`.
 *
 * @param variables replace environment variables of the stack.
 */
export async function startWarmFunction(
  bundles: readonly Bundle[],
  environment: Environment,
  variables: NodeJS.ProcessEnv = {},
): Promise<WarmFunction> {
  const modules = bundles.map(({ operation, folder }) => [operation, join(folder, 'index.mjs')]);
  const environments = bundles.map(({ operation }) => environment.variables(operation));
  const child = startChild(
    String(bundles[0]?.candidate),
    new URL('warm-process.mjs', import.meta.url),
    [JSON.stringify(Object.fromEntries(modules))],
    Object.assign({}, ...environments, variables),
    ['--expose-gc'],
  );
  await child.nextMessage();
  return { run: (kind, task) => child.ask({ kind, ...task }), stop: child.stop };
}

/**
 * Calls the function of an operation with new events.
 *
 * @returns the CPU time of a call, in microseconds.
 */
export function measureCalls(
  warm: WarmFunction,
  { operation }: Bundle,
  environment: Environment,
  count: number,
  clientId?: string,
  language?: string,
): Promise<number> {
  const events = environment.events(operation, count, clientId, language);
  return warm.run('measure', { operation, events });
}
