import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandError, runCommand } from '../../../../core/platform/command-error.ts';

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

test('a CommandError ends the process with exit code 1, and only its message is printed', async () => {
  await runCommand(async () => {
    throw new CommandError('Start the server.');
  });
  expect(written).toEqual(['Start the server.\n']);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
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
