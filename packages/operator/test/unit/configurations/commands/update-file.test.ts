import { readFile } from 'node:fs/promises';
import type { StoredMap } from 'customer-data-api/configuration';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { updatedText } from '../../../../configurations/commands/update-file.ts';
import {
  parseConfigurationFile,
  YAML_OPTIONS,
} from '../../../../configurations/configuration-file.ts';

const publication = (...fields: StoredMap[]) => ({ base: 'abc', lastFieldId: 7, fields });

const publications = await readFile(
  new URL('../../../fixtures/publications.yaml', import.meta.url),
  'utf8',
);

test.each<{ what: string; before: string; fields: StoredMap[]; after?: string }>(
  parse(publications, YAML_OPTIONS),
)('$what', ({ before, fields, after }) => {
  expect(updatedText(before, publication(...fields))).toBe(after);
});

/** A field of a file: its text, with a comment for each of its parts, and what it says. */
const ownField = fc
  .record({
    id: fc.constantFrom('1', '2', '3', '4', '5'),
    name: fc.constantFrom('A', 'B: "c"', '# D', "it's"),
    options: fc.subarray(['x', 'y', 'z']),
    isNew: fc.boolean(),
    blank: fc.constantFrom('', '\n'),
  })
  .map(({ id, options, isNew, blank, ...field }) => {
    // A new field is known by what it says.
    const name = `${field.name} ${id}`;
    const first = isNew ? '' : `id: "${id}" # id ${id}\n    `;
    const list = options.map((option) => `\n      - ${option} # ${option} ${id}`).join('');
    const unused = list && `      # unused ${id}\n`;
    const text = `${blank}  # above ${id}\n  - ${first}fieldName: ${JSON.stringify(name)}\n    options:${list || ' []'}\n${unused}    # below ${id}\n`;
    return { id, isNew, text, content: { id, fieldName: name, options } };
  });

/** What others did to each field. */
const change = fc.constantFrom('nothing', 'other name', 'removed');

test('a file has what was published, and the comments of each field that is left', () => {
  const files = fc.uniqueArray(ownField, { selector: ({ id }) => id, minLength: 1, maxLength: 5 });
  const file = files.chain((own) =>
    fc.record({
      own: fc.constant(own),
      merged: fc
        .tuple(...own.map((field) => change.map((what) => ({ ...field, what }))))
        .chain((fields) => fc.shuffledSubarray(fields, { minLength: fields.length })),
      added: fc
        .subarray(['6', '7'])
        .chain((ids) => fc.tuple(...ids.map((id) => fc.string().map((name) => ({ id, name }))))),
      end: fc.constantFrom('', '# end\n', 'lastFieldId: 5\n'),
      eol: fc.constantFrom('\n', '\r\n'),
    }),
  );
  fc.assert(
    fc.property(file, ({ own, merged, added, end, eol }) => {
      const text = `clientId: a\nfields:\n${own.map((field) => field.text).join('')}${end}`;
      const kept = merged.filter(({ what }) => what !== 'removed');
      const fields = kept.map(({ content, what }) =>
        what === 'nothing' ? content : { ...content, fieldName: 'Other', mandatory: true },
      );
      const published = publication(...fields, ...added);
      const updated = updatedText(text.replaceAll('\n', eol), published) ?? '';
      expect(parseConfigurationFile(updated).file?.content).toEqual({
        clientId: 'a',
        ...published,
      });
      expect(updated.replaceAll(eol, '')).not.toContain('\n');
      // A new field that others changed is not known by its text.
      const left = kept.filter(({ isNew, what }) => !isNew || what === 'nothing');
      const comments = left.flatMap((field) => field.text.match(/# [a-z]+ \d/g) ?? []);
      for (const comment of [...comments, ...(end.match(/# end/) ?? [])])
        expect(updated).toContain(comment);
    }),
    // Each run parses and writes YAML several times.
    { numRuns: 30 },
  );
});
