import { findDeploymentToChange } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import {
  interruption,
  noteTo,
  printTo,
  progressBar,
  type Terminal,
} from 'customer-data-api-deployment/program';
import { confirmChange, expectConfirmation } from '../../../confirm.ts';
import type { ChangeOptions } from '../../../options.ts';

/** What a run works on, and what it uses of the terminal. */
export interface Run {
  readonly outputs: Outputs;
  /** Prints one JSON document instead of sentences. */
  readonly json?: boolean | undefined;
  /** Prints a line of the result. */
  readonly print: (line: string) => void;
  /** Prints a line that is not part of the result. */
  readonly note: (line: string) => void;
  /** Shows how many dead letters a run has read so far. */
  readonly showingReads: <T>(run: (onRead: (count: number) => void) => Promise<T>) => Promise<T>;
  /** Ends the run after the batches in flight. */
  readonly signal: AbortSignal;
}

/** Starts a run. */
export function runOf(
  terminal: Terminal,
  outputs: Outputs,
  signal: AbortSignal,
  json: boolean | undefined,
): Run {
  return {
    outputs,
    json,
    print: printTo(terminal),
    note: noteTo(terminal),
    signal,
    showingReads: async (run) => {
      using bar = progressBar(terminal, 'Dead letters read');
      return await run(bar.show);
    },
  };
}

/**
 * Shows what is in a queue, asks, and changes it.
 *
 * @param show returns the question, or undefined if there is nothing to change.
 */
export async function changeMessages(
  terminal: Terminal,
  { yes, dryRun, json, ...options }: ChangeOptions,
  show: (run: Run) => Promise<string | undefined>,
  change: (run: Run) => Promise<unknown>,
): Promise<void> {
  expectConfirmation(terminal, { yes, dryRun });
  const deployment = await findDeploymentToChange(options);
  using interrupted = interruption();
  const { signal } = interrupted;
  const run = runOf(terminal, deployment.outputs, signal, json);
  if (dryRun) return void (await show(run));
  if (!yes) {
    // Before the question, all of it is beside the result.
    const question = await show({ ...run, json: false, print: run.note });
    if (question === undefined) return;
    await confirmChange(terminal, { deployment, question, signal });
  }
  await change(run);
}
