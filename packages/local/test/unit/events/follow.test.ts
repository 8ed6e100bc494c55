import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import { expect, test } from 'vitest';
import { followLines } from '../../../events/follow.ts';

const folder = await temporaryFolder();

test('gives each line when it is complete, and starts again when the file was started anew', async () => {
  const file = join(folder, 'appended');
  await writeFile(file, 'one\ntw');
  const stopped = new AbortController();
  const lines = followLines(file, stopped.signal);
  expect((await lines.next()).value).toBe('one');
  for (const [flag, text, line] of [
    ['a', 'o\nrest of a server that was killed', 'two'],
    ['w', 'new\n', 'new'],
  ] as const) {
    const next = lines.next();
    await writeFile(file, text, { flag });
    expect((await next).value).toBe(line);
  }
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

test('a file that cannot be read is not taken for one that is missing', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const lines = followLines(join(file, 'below'), AbortSignal.abort());
  await expect(lines.next()).rejects.toMatchObject({ code: 'unreadableFile' });
});
