import { appendFile, type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { CommandError } from '../../../core/platform/command-error.ts';
import { followLines } from '../../../local/follow.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function next(lines: AsyncGenerator<string>, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) found.push((await lines.next()).value);
  return found;
}

test('gives the lines that exist, then those that are appended, each when it is complete', async () => {
  const file = join(folder, 'appended');
  await writeFile(file, 'one\ntwo\nthr');
  const stopped = new AbortController();
  const lines = followLines(file, stopped.signal);
  expect(await next(lines, 2)).toEqual(['one', 'two']);
  const third = next(lines, 2);
  await appendFile(file, 'ee\nfour\n');
  expect(await third).toEqual(['three', 'four']);
  const end = lines.next();
  stopped.abort();
  expect((await end).done).toBe(true);
});

test('gives the existing lines of a long file, and ends, if it must not wait', async () => {
  const file = join(folder, 'long');
  // Longer than one read, with characters that a read cuts in two.
  const expected = Array.from({ length: 20_000 }, (_, index) => `ä${index}€`);
  expected.push('a line of several reads'.repeat(10_000));
  await writeFile(file, `${expected.join('\n')}\n`);
  const lines: string[] = [];
  for await (const line of followLines(file, AbortSignal.abort())) lines.push(line);
  expect(lines).toEqual(expected);
});

test('starts again when the file was started anew', async () => {
  const file = join(folder, 'anew');
  await writeFile(file, 'a first line\nrest');
  const stopped = new AbortController();
  const lines = followLines(file, stopped.signal);
  expect(await next(lines, 1)).toEqual(['a first line']);
  const after = next(lines, 1);
  await writeFile(file, 'new\n');
  expect(await after).toEqual(['new']);
  stopped.abort();
  expect((await lines.next()).done).toBe(true);
});

test('looks for new lines ten times a second', async () => {
  const file = join(folder, 'watched');
  await writeFile(file, 'one\n');
  const stopped = new AbortController();
  const pauses: unknown[] = [];
  const pause = vi.spyOn(timers, 'setTimeout').mockImplementation(async (milliseconds) => {
    if (pauses.push(milliseconds) === 2) stopped.abort();
    return undefined as never;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    pause.mockRestore();
    syncBuiltinESMExports();
  });
  for await (const line of followLines(file, stopped.signal)) expect(line).toBe('one');
  expect(pauses).toEqual([100, 100]);
});

test('says what to do if there is no file', async () => {
  const lines = followLines(join(folder, 'none'), AbortSignal.abort());
  const error = await lines.next().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CommandError);
  expect(String(error)).toMatch(/none\. Start the local server with npm start\.$/);
});

test('closes the file after each read, also after one that finds it anew', async () => {
  const file = join(folder, 'closed');
  await writeFile(file, 'a first line\n');
  const handle = await open(file);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const read = vi.spyOn(prototype, 'stat');
  const stopped = new AbortController();
  const lines = followLines(file, stopped.signal);
  expect(await next(lines, 1)).toEqual(['a first line']);
  await writeFile(file, 'new\n');
  expect(await next(lines, 1)).toEqual(['new']);
  stopped.abort();
  await lines.next();
  const handles = read.mock.contexts as FileHandle[];
  expect(handles.length).toBeGreaterThan(2);
  // A handle that is closed has no file.
  expect(new Set(handles.map(({ fd }) => fd))).toEqual(new Set([-1]));
  vi.restoreAllMocks();
});
