import type { Interruption } from '../../interruption.ts';
import { progressBar, type StartProgress } from '../../terminal/progress.ts';
import { noteTo, printTo, type Terminal } from '../../terminal/terminal.ts';

/** What a run uses of the terminal. */
export interface RunOutput {
  /** Prints one JSON document instead of sentences. */
  readonly json?: boolean | undefined;
  /** Prints a line of the result. */
  readonly print: (line: string) => void;
  /** Prints a line that is not part of the result. */
  readonly note: (line: string) => void;
  readonly progress: StartProgress;
  /** Ends the run after the batches in flight. */
  readonly signal: AbortSignal;
}

/** Returns the output of a command that can be interrupted. */
export function outputOf(
  terminal: Terminal,
  json: boolean | undefined,
  { signal }: Interruption,
): RunOutput {
  const progress: StartProgress = (...work) => progressBar(terminal, ...work);
  return { json, print: printTo(terminal), note: noteTo(terminal), progress, signal };
}

/** Returns the output of a run before a question: all of it is beside the result. */
export function beforeQuestion(output: RunOutput): RunOutput {
  return { ...output, json: false, print: output.note };
}
