import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../../cli/command-line.ts';
import type { Output } from '../../../cli/terminal.ts';
import { customerData } from '../../support/command-line.ts';

/* What all commands do with their output and their errors. */

/** Runs a command whose two outputs are terminals of different widths, or say nothing about their width. */
async function lengthsOf(args: readonly string[], [out, err]: readonly (number | undefined)[]) {
  const stream = (columns?: number): Output & PassThrough =>
    Object.assign(new PassThrough(), { isTTY: true, ...(columns && { columns }) });
  const [stdout, stderr] = [stream(out), stream(err)];
  await runCommandLine(args, { stdin: new PassThrough(), stdout, stderr });
  const longest = (text: unknown) =>
    Math.max(
      ...String(text ?? '')
        .split('\n')
        .map(({ length }) => length),
    );
  return { stdout: longest(stdout.read()), stderr: longest(stderr.read()) };
}

describe('help', () => {
  test('that was asked for is data, and names the exit codes', async () => {
    const { code, stdout, stderr } = await customerData(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /\nExit codes: 0 success, 1 problems or differences found, 2 usage, 3 conflict,\n4 AWS unreachable or not permitted\n$/,
    );
  });

  test('fits into the stream that shows it', async () => {
    const between = (low: number, high: number) =>
      expect.toSatisfy((length: number) => low < length && length <= high);
    expect(await lengthsOf(['--help'], [110, 50])).toEqual({ stdout: between(80, 110), stderr: 0 });
    expect(await lengthsOf([], [50, 110])).toEqual({ stdout: 0, stderr: between(80, 110) });
    expect(await lengthsOf(['--help'], [])).toEqual({ stdout: between(60, 80), stderr: 0 });
    expect(await lengthsOf([], [])).toEqual({ stdout: 0, stderr: between(60, 80) });
  });
});

describe('an error of the output', () => {
  /** Runs a command that cannot print its help. */
  function failingWith(error: Error) {
    const stdout = new PassThrough();
    vi.spyOn(stdout, 'write').mockImplementation(() => {
      throw error;
    });
    const stderr = new PassThrough();
    return runCommandLine(['--help'], { stdin: new PassThrough(), stdout, stderr });
  }

  test('ends the command well if the reader of a pipe has gone', async () => {
    expect(await failingWith(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBe(0);
  });

  test.each([
    new TypeError('x is undefined'),
    Object.assign(new Error('no space left'), { code: 'ENOSPC' }),
  ])('is a defect otherwise, and not hidden: %s', async (error) => {
    await expect(failingWith(error)).rejects.toBe(error);
  });
});
