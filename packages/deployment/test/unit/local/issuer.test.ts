import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import { expect, test } from 'vitest';
import { readOrCreateSigningKey, readSigningKey } from '../../../local/issuer.ts';

const parent = await temporaryFolder();

test('the first call creates the key, readable by its owner only, and later calls read it', async () => {
  const folder = join(parent, 'new');
  const file = join(folder, 'signing-key.json');
  expect(await readSigningKey(folder)).toBeUndefined();
  const key = await readOrCreateSigningKey(folder);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readOrCreateSigningKey(folder)).toEqual(key);
  // A server that was killed may leave an empty file. Any other content is somebody's.
  await writeFile(file, '');
  expect(await readSigningKey(folder)).toBeUndefined();
  const another = await readOrCreateSigningKey(folder);
  expect(await readSigningKey(folder)).toEqual(another);
  await writeFile(file, '{');
  await expect(readOrCreateSigningKey(folder)).rejects.toThrow(file);
});

test('servers that start at once in a directory use the same key', async () => {
  const folder = join(parent, 'shared');
  const [key, other] = await Promise.all([1, 2].map(() => readOrCreateSigningKey(folder)));
  expect(other).toEqual(key);
  expect(await readdir(folder)).toEqual(['signing-key.json']);
});
