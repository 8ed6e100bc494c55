import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('refuses a file that does not exist', async () => {
  const lines = followLines(join(folder, 'none'), AbortSignal.abort());
  const error = await lines.next().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CommandError);
  expect(String(error)).toMatch(/none\. Start the local server with npm start\.$/);
});
