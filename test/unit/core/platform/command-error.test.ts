import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  CommandError,
  ConflictError,
  runCommand,
  UsageError,
} from '../../../../core/platform/command-error.ts';

const exit = vi.fn();
const written: string[] = [];
beforeEach(() => {
  vi.spyOn(process, 'exit').mockImplementation(exit as never);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  written.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
  exit.mockReset();
});

test('a command that succeeds prints nothing and does not end the process', async () => {
  const run = vi.fn(async () => {});
  await runCommand(run);
  expect(run).toHaveBeenCalledOnce();
  expect(written).toEqual([]);
  expect(exit).not.toHaveBeenCalled();
});

test.each([
  ['CommandError', CommandError, 1],
  ['UsageError', UsageError, 2],
  ['ConflictError', ConflictError, 3],
])('a %s ends the process, and only its message is printed', async (_, SomeError, code) => {
  await runCommand(async () => {
    throw new SomeError('Start the server.');
  });
  expect(written).toEqual(['Start the server.\n']);
  expect(exit).toHaveBeenCalledExactlyOnceWith(code);
});

test('any other error is thrown', async () => {
  const error = new TypeError('a defect');
  await expect(
    runCommand(async () => {
      throw error;
    }),
  ).rejects.toBe(error);
  expect(written).toEqual([]);
  expect(exit).not.toHaveBeenCalled();
});
