import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../cli/command-line.ts';
import type { Finished } from './processes.ts';

/** How a command runs: as in a pipe, unless the options say otherwise. */
export interface Surroundings {
  /** Whether the streams are a terminal. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
  /** What the person at the terminal types, and the end of the input after it. */
  readonly typed?: string;
}

/** Runs `customer-data` in this process, which is quicker than `run`. */
export async function customerData(
  args: readonly string[],
  { isTerminal = false, columns = 80, typed }: Surroundings = {},
): Promise<Finished> {
  const stream = () => Object.assign(new PassThrough(), isTerminal ? { isTTY: true, columns } : {});
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  const printed = [text(stdout), text(stderr)];
  if (typed !== undefined) stdin.write(typed);
  // Otherwise the end would be read before the question is asked.
  if (!isTerminal) stdin.end();
  const code = await runCommandLine(args, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out = '', err = ''] = await Promise.all(printed);
  return { code, stdout: out, stderr: err };
}
