import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandError } from '../../../core/platform/command-error.ts';
import { readOrCreateSigningKey, readSigningKey } from '../../../local/signing-key.ts';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  folder = join(parent, 'new');
});
afterEach(() => rm(parent, { recursive: true }));

test('the first call creates the key, readable by its owner only, and later calls read it', async () => {
  expect(await readSigningKey(folder)).toBeUndefined();
  const key = await readOrCreateSigningKey(folder);
  expect(key).toMatchObject({ alg: 'RS256', use: 'sig', kid: expect.any(String) });
  const file = join(folder, 'signing-key.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const written = await readFile(file, 'utf8');
  expect(await readOrCreateSigningKey(folder)).toEqual(key);
  expect(await readSigningKey(folder)).toEqual(key);
  expect(await readFile(file, 'utf8')).toBe(written);
});

test('a file that is not a key is named in the error, and not replaced', async () => {
  const file = join(parent, 'signing-key.json');
  await writeFile(file, '{');
  const message = `${file} does not contain a key. Delete it to get a new one.`;
  for (const read of [readOrCreateSigningKey, readSigningKey]) {
    await expect(read(parent)).rejects.toThrow(new CommandError(message));
  }
  expect(await readFile(file, 'utf8')).toBe('{');
});

test('an empty file, as a server that was killed may leave, is no key', async () => {
  await writeFile(join(parent, 'signing-key.json'), '');
  expect(await readSigningKey(parent)).toBeUndefined();
});
