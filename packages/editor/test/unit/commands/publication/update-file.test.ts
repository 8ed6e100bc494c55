import {
  chmod,
  lstat,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readClient, StoredConfiguration } from 'customer-data-api/clients';
import type { StoredMap } from 'customer-data-api/configuration';
import { writtenConfiguration } from 'customer-data-api/history';
import { runs } from 'customer-data-api/testing/runs';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readText } from '../../../../commands/files.ts';
import { editedText, updateFile } from '../../../../commands/publication/update-file.ts';
import {
  parseConfigurationFile,
  YAML_OPTIONS,
} from '../../../../configurations/configuration-file.ts';

const publication = (...fields: StoredMap[]) => ({
  clientId: 'a',
  base: 'abc',
  lastFieldId: 7,
  fields,
});

const contentOf = (text: string) => parseConfigurationFile(text).file?.content;

const publications = await readFile(
  new URL('../../../fixtures/publications.yaml', import.meta.url),
  'utf8',
);

test.each<{ what: string; before: string; fields: StoredMap[]; after?: string }>(
  parse(publications, YAML_OPTIONS),
)('$what', ({ before, fields, after }) => {
  expect(editedText(before, publication(...fields))).toBe(after);
});

/** A field of a file: its text, with a comment for each of its parts, and what it says. */
const ownField = fc
  .record({
    id: fc.constantFrom('1', '2', '3', '4', '5'),
    name: fc.string(),
    options: fc.subarray(['x', 'y', 'z']),
    isNew: fc.boolean(),
    isInBraces: fc.boolean(),
    blank: fc.constantFrom('', '\n'),
    indent: fc.constantFrom(' ', '   '),
  })
  .map(({ id, name, options, isNew, isInBraces, blank, indent }) => {
    const list = options.map((option) => `\n      - ${option} # ${option} ${id}`).join('');
    const attributes = [
      ...(isNew ? [] : [`id: "${id}"`]),
      `fieldName: ${JSON.stringify(name)}`,
      `options: ${isInBraces || !list ? JSON.stringify(options) : list}`,
    ];
    const text = isInBraces
      ? `{${attributes.join(', ')}} # all of ${id}`
      : attributes.join(` # of ${id}\n   ${indent}`);
    return {
      text: `${blank}  # above ${id}\n  -${indent}${text}\n    # below ${id}\n`,
      content: { id, fieldName: name, options },
    };
  });

test('a file has what was published, and everything that it had before', () => {
  const file = fc.record({
    own: fc.uniqueArray(ownField, { selector: ({ content }) => content.id }),
    end: fc.constantFrom('', '# end\n', 'lastFieldId: 5 # of all\n'),
    eol: fc.constantFrom('\n', '\r\n'),
  });
  fc.assert(
    fc.property(file, ({ own, end, eol }) => {
      const lines = `clientId: a\nfields:${own.length > 0 ? '\n' : ' []\n'}${own.map(({ text }) => text).join('')}${end}`;
      const text = lines.replaceAll('\n', eol);
      const published = publication(...own.map(({ content }) => content));
      const updated = editedText(text, published) ?? '';
      expect(contentOf(updated)).toEqual(published);
      expect(updated.replaceAll(eol, '')).not.toContain('\n');
      let at = 0;
      for (const character of text.replace('lastFieldId: 5', 'lastFieldId: 7')) {
        at = updated.indexOf(character, at) + 1;
        expect(at).toBeGreaterThan(0);
      }
    }),
    // Each run parses YAML several times.
    { numRuns: runs(30) },
  );
});

const step = { kind: 'publish' } as const;
const before = readClient({ clientId: { S: 'a' }, fields: { L: [] } });
const after = new StoredConfiguration({
  fields: {
    L: [
      {
        M: { id: { S: '1' }, n: { N: '12345678901234567890' }, m: { N: '-0.1234567890123456789' } },
      },
    ],
  },
  lastFieldId: { N: '1' },
});

/** Brings a file up to date twice, and returns what is in its directory. */
async function mergedTwice(name: string, text: string): Promise<Readonly<Record<string, string>>> {
  const directory = await mkdtemp(join(tmpdir(), 'update-file-'));
  try {
    const file = join(directory, name);
    for (const one of [text, `${text} `]) {
      await writeFile(file, one);
      const { note, isStale } = await updateFile(file, one, {
        step,
        before,
        after,
        mergedWith: [],
      });
      expect(isStale).toBe(false);
      expect(note).toContain(`${file}.orig`);
    }
    const names = (await readdir(directory)).toSorted();
    const texts = names.map(async (one) => [one, await readFile(join(directory, one), 'utf8')]);
    return Object.fromEntries(await Promise.all(texts));
  } finally {
    await rm(directory, { recursive: true });
  }
}

test.each([
  ['a.json', '{"clientId": "a", "fields": []}'],
  ['a.yaml', '# Ours\nclientId: a\nfields: []\n'],
])(
  '%s has what others changed, with all digits, and is kept as it was each time',
  async (name, text) => {
    const { [name]: merged = '', ...kept } = await mergedTwice(name, text);
    expect(kept).toEqual({ [`${name}.orig`]: text, [`${name}.orig2`]: `${text} ` });
    expect(merged).toMatch(/ -0\.1234567890123456789,?\n/);
    expect(contentOf(merged)).toEqual({
      clientId: 'a',
      base: after.digest,
      ...writtenConfiguration(after.content),
    });
    if (name.endsWith('json')) expect(() => JSON.parse(merged)).not.toThrow();
  },
);

test('a file is replaced as a whole, and stays what it is: its mode, and a link to it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'update-file-'));
  try {
    const [file, link] = [join(directory, 'a.yaml'), join(directory, 'link.yaml')];
    const text = 'clientId: a\nfields:\n  - {n: 12345678901234567890, m: -0.1234567890123456789}\n';
    await writeFile(file, text);
    await chmod(file, 0o646);
    await symlink('a.yaml', link);
    // Whoever has opened it sees no half of it.
    await using reader = await open(file);
    const { isStale } = await updateFile(link, text, { step, before, after });
    expect(isStale).toBe(false);
    expect(await reader.readFile('utf8')).toBe(text);
    expect(await readFile(file, 'utf8')).toContain('id: "1"');
    expect((await stat(file)).mode & 0o777).toBe(0o646);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await readdir(directory)).toSorted()).toEqual(['a.yaml', 'link.yaml']);
  } finally {
    await rm(directory, { recursive: true });
  }
});

const folder = await temporaryFolder();

test('a file in UTF-16 is brought up to date, and is in UTF-8 then', async () => {
  const file = join(folder, 'utf-16.yaml');
  await writeFile(file, '\ufeffclientId: a\nfields:\n  - fieldName: Größe\n', 'utf16le');
  const after = new StoredConfiguration({
    fields: { L: [{ M: { id: { S: '1' }, fieldName: { S: 'Größe' } } }] },
    lastFieldId: { N: '1' },
  });
  expect(await updateFile(file, await readText(file), { step, before, after })).toMatchObject({
    isStale: false,
  });
  expect(contentOf(await readFile(file, 'utf8'))).toMatchObject({
    base: after.digest,
    fields: [{ id: '1', fieldName: 'Größe' }],
  });
});
