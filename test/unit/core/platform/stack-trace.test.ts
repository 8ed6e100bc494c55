import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTermsOfSource } from '../../../../core/platform/stack-trace.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Line 1 of the bundle is line 1 of the source; line 2 is line 3, and so is line 12 from column 19 on. */
const MAP = {
  version: 3,
  sources: ['core/source.ts'],
  names: [],
  mappings: 'AAAA;AAEA;;;;;;;;;;kBAAA',
};

/** The URL of a bundle with a source map beside it. */
async function bundle(name: string, map: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  await writeFile(`${file}.map`, map);
  return pathToFileURL(file).href;
}

test('every position in a bundle becomes the one in the source', async () => {
  const url = await bundle('index', JSON.stringify(MAP));
  expect(
    inTermsOfSource(
      `Error: no\n    at one (${url}:1:1)\n    at ${url}:2:1\n    at ${url}:12:34\n    at node:internal/main:1:1`,
    ),
  ).toBe(
    'Error: no\n    at one (core/source.ts:1:1)\n    at core/source.ts:3:1\n    at core/source.ts:3:16\n    at node:internal/main:1:1',
  );
});

test('positions in several bundles become those in their own sources', async () => {
  const one = await bundle('one', JSON.stringify({ ...MAP, sources: ['one.ts'] }));
  const other = await bundle('other', JSON.stringify({ ...MAP, sources: ['other.ts'] }));
  expect(inTermsOfSource(`${one}:1:1 ${other}:1:1 ${one}:1:1`)).toBe(
    'one.ts:1:1 other.ts:1:1 one.ts:1:1',
  );
});

test('the source map is read once', async () => {
  const place = `${await bundle('once', JSON.stringify(MAP))}:1:1`;
  expect(inTermsOfSource(place)).toBe('core/source.ts:1:1');
  await rm(join(folder, 'once.mjs.map'));
  expect(inTermsOfSource(place)).toBe('core/source.ts:1:1');
});

test('a bundle without a source map is not looked at again', async () => {
  const file = join(folder, 'late.mjs');
  const place = `${pathToFileURL(file).href}:1:1`;
  expect(inTermsOfSource(place)).toBe(place);
  await bundle('late', JSON.stringify(MAP));
  expect(inTermsOfSource(place)).toBe(place);
});

test.each([
  ['its source map is not JSON', 'broken', '{', ':1:1'],
  ['its source map lacks it', 'empty', JSON.stringify({ ...MAP, mappings: '' }), ':1:1'],
])('a position stays as it is if %s', async (_, name, map, position) => {
  const place = `${await bundle(name, map)}${position}`;
  expect(inTermsOfSource(place)).toBe(place);
});
