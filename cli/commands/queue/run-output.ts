import { confirmChange, expectConfirmation } from '../../deployment/confirm.ts';
import { findDeploymentToChange } from '../../deployment/deployment.ts';
import type { Outputs } from '../../deployment/outputs.ts';
import { interruption } from '../../interruption.ts';
import type { ChangeOptions } from '../../options.ts';
import { progressBar } from '../../terminal/progress.ts';
import { noteTo, printTo, type Terminal } from '../../terminal/terminal.ts';

/** What a run uses of the terminal. */
export interface RunOutput {
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

/** Returns the output of a run. */
export function outputOf(
  terminal: Terminal,
  signal: AbortSignal,
  json: boolean | undefined,
): RunOutput {
  return {
    ...{ json, print: printTo(terminal), note: noteTo(terminal), signal },
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
  show: (outputs: Outputs, output: RunOutput) => Promise<string | undefined>,
  change: (outputs: Outputs, output: RunOutput) => Promise<unknown>,
): Promise<void> {
  expectConfirmation(terminal, { yes, dryRun });
  const deployment = await findDeploymentToChange(options);
  const { outputs } = deployment;
  using interrupted = interruption();
  const { signal } = interrupted;
  const output = outputOf(terminal, signal, json);
  if (dryRun) {
    await show(outputs, output);
    return;
  }
  if (!yes) {
    // Before the question, all of it is beside the result.
    const question = await show(outputs, { ...output, json: false, print: output.note });
    if (question === undefined) return;
    await confirmChange(terminal, { deployment, question, signal });
  }
  await change(outputs, output);
}
