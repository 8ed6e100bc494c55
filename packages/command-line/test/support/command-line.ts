import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Finished } from 'customer-data-api/testing/processes';
import { runCommandLine } from '../../command-line.ts';

/**
 * Runs `./customer-data` in this process, which is quicker than `run`: as in a pipe, or on a
 * terminal at which nobody types anything.
 */
export async function customerData(
  args: readonly string[],
  terminal?: { readonly columns: number },
): Promise<Finished> {
  const stream = () =>
    Object.assign(new PassThrough(), { ...(terminal && { isTTY: true, ...terminal }) });
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  const printed = [text(stdout), text(stderr)];
  // On a terminal, the end would be read before the question is asked.
  if (!terminal) stdin.end();
  const code = await runCommandLine(args, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out = '', err = ''] = await Promise.all(printed);
  return { code, stdout: out, stderr: err };
}
