import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { sourceStackTrace } from '../../../../core/runtime/stack-trace.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const folder = await temporaryFolder();

/**
 * Line 1 of the bundle is line 1 of the source; line 2 is line 3, and so is line 12 from column 19
 * on.
 */
const mapOf = (source: string) =>
  JSON.stringify({
    version: 3,
    sources: [source],
    names: [],
    mappings: 'AAAA;AAEA;;;;;;;;;;kBAAA',
  });

/** The URL of a bundle, with a source map beside it unless that is undefined. */
async function bundle(name: string, map?: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  if (map !== undefined) await writeFile(`${file}.map`, map);
  return pathToFileURL(file).href;
}

test('every position in a bundle becomes the one in its own source', async () => {
  const [one, other] = [await bundle('one', mapOf('one.ts')), await bundle('two', mapOf('two.ts'))];
  const stack = `Error: no\n  at f (${one}:1:1)\n  at ${one}:2:1\n  at ${other}:12:34\n  at node:x:1:1`;
  expect(sourceStackTrace(stack)).toBe(
    'Error: no\n  at f (one.ts:1:1)\n  at one.ts:3:1\n  at two.ts:3:16\n  at node:x:1:1',
  );
});

test.each([
  ['a source map', mapOf('source.ts'), 'source.ts:1:1'],
  ['no source map', undefined, undefined],
  ['a source map that is not JSON', '{', undefined],
  ['a source map that lacks the position', mapOf('x').replace(/AAAA.*kBAAA/, ''), undefined],
])(
  'with %s, a position is translated as far as possible, and the map is read once',
  async (name, map, expected) => {
    const place = `${await bundle(name, map)}:1:1`;
    expect(sourceStackTrace(place)).toBe(expected ?? place);
    await bundle(name, mapOf('later.ts'));
    expect(sourceStackTrace(place)).toBe(expected ?? place);
  },
);
