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

test.each([
  ['a file that does not exist', ['check', 'none.yaml'], 'unreadableFile', 2],
  ['an unknown option', ['check', 'none.yaml', '--colour'], 'usage', 2],
  ['a stack of another service', ['pull', 'demo', '--stack', 'Other'], 'usage', 2],
])('with --json, the last line of an error is its code: %s', async (_, words, code, exitCode) => {
  const plain = await customerData(['config', ...words]);
  const { code: exit, stdout, stderr } = await customerData(['config', ...words, '--json']);
  expect({ exit, stdout }).toEqual({ exit: exitCode, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    error: { code, message: expect.stringMatching(/./) },
  });
  expect(plain).toEqual({
    code: exitCode,
    stdout: '',
    stderr: `${lines.slice(0, -1).join('\n')}\n`,
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
