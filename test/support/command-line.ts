import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../cli/commands/command-line.ts';
import type { Finished } from './processes.ts';

/** How a command runs: as in a pipe, unless the options say otherwise. */
export interface Surroundings {
  /** Whether the streams are a terminal. */
  readonly isTerminal?: boolean;
  /** Whether the standard output goes into a pipe all the same. */
  readonly isPiped?: boolean;
  readonly columns?: number;
  /**
   * What the person at the terminal types, or does once asked and then types, and the end of the
   * input after it.
   */
  readonly typed?: string | (() => Promise<string>);
}

/** Runs `./customer-data` in this process, which is quicker than `run`. */
export async function customerData(
  args: readonly string[],
  { isTerminal = false, isPiped = !isTerminal, columns = 80, typed }: Surroundings = {},
): Promise<Finished> {
  const asTerminal = isTerminal ? { isTTY: true, columns } : {};
  const stream = () => Object.assign(new PassThrough(), asTerminal);
  const [stdout, stderr] = [isPiped ? new PassThrough() : stream(), stream()];
  const printed = [text(stdout), text(stderr)];
  const stdin = typeof typed === 'function' ? Object.assign(onceRead(typed), asTerminal) : stream();
  if (stdin instanceof PassThrough) {
    if (typeof typed === 'string') stdin.write(typed);
    // Otherwise the end would be read before the question is asked.
    if (!isTerminal) stdin.end();
  }
  const code = await runCommandLine(args, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out = '', err = ''] = await Promise.all(printed);
  return { code, stdout: out, stderr: err };
}

/** A stream whose content is made when it is read, and not before. */
function onceRead(make: () => Promise<string>): Readable {
  return Readable.from(
    (async function* () {
      yield await make();
    })(),
  );
}
