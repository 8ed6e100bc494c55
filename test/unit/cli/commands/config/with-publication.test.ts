import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  customTags,
  parseConfigurationFile,
} from '../../../../../cli/commands/config/configuration-file.ts';
import { withPublication } from '../../../../../cli/commands/config/with-publication.ts';
import type { StoredMap } from '../../../../../core/configuration/complete-field.ts';

const publication = (...fields: StoredMap[]) => ({ base: 'abc', lastFieldId: 7, fields });

const publications = await readFile(
  new URL('../../../../fixtures/publications.yaml', import.meta.url),
  'utf8',
);

test.each<{ what: string; before: string; fields: StoredMap[]; after?: string }>(
  parse(publications, { customTags }),
)('$what', ({ before, fields, after }) => {
  expect(withPublication(before, publication(...fields))).toBe(after);
});

/** A field of a file: its text, with comments in the lines of its block, and what it says. */
const ownField = fc
  .record({
    id: fc.constantFrom('1', '2', '3', '4', '5'),
    name: fc.constantFrom('A', 'B: "c"', '# D', "it's"),
    options: fc.subarray(['x', 'y', 'z']),
    isNew: fc.boolean(),
    isFlow: fc.boolean(),
    blank: fc.constantFrom('', '\n'),
  })
  .map(({ id, options, isNew, isFlow, blank, ...field }) => {
    // A new field is known by what it says.
    const name = `${field.name} ${id}`;
    const fieldName = JSON.stringify(name);
    const first = isNew ? '' : isFlow ? `id: "${id}", ` : `id: "${id}" # id ${id}\n    `;
    const above = `${blank}  # above ${id}\n`;
    const list = options.map((option) => `\n      - ${option} # ${option} ${id}`).join('');
    const text = isFlow
      ? `{ ${first}fieldName: ${fieldName}, options: [${options}] }\n`
      : `${first}fieldName: ${fieldName}\n    options:${list || ' []'}\n    # below ${id}\n`;
    return { id, isNew, isFlow, above, text, content: { id, fieldName: name, options } };
  });

/**
 * What becomes of the fields of a file: their order, and for each whether it stays, changes or is
 * removed.
 */
const change = fc.constantFrom('same', 'other name', 'other options', 'removed');

test('a file has what was published, and its own text of each field that others did not change', () => {
  const files = fc.uniqueArray(ownField, { selector: ({ id }) => id, maxLength: 5 });
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
      const list = own.map(({ above, text }) => `${above}  - ${text}`).join('') || '  []\n';
      const text = `clientId: a\nfields:\n${list}${end}`.replaceAll('\n', eol);
      const kept = merged.filter(({ what }) => what !== 'removed');
      const fields = kept.map(({ content, what }) => ({
        ...content,
        ...(what === 'other name' && { fieldName: 'Other', mandatory: true }),
        ...(what === 'other options' && { options: ['w', ...content.options] }),
      }));
      const published = publication(...fields, ...added);
      const updated = withPublication(text, published) ?? '';
      expect(parseConfigurationFile(updated).file?.content).toEqual({
        clientId: 'a',
        ...published,
      });
      for (const { id, isNew, isFlow, above, text: own, what } of kept) {
        // A new field that others changed is not known by its text.
        if (isNew && what !== 'same') continue;
        expect(updated).toContain(above.trim());
        const added = isFlow ? `{ "id": "${id}", ` : `id: "${id}"\n    `;
        const whole = isNew ? added + (isFlow ? own.slice(2) : own) : own;
        if (what === 'same') expect(updated).toContain(whole.replaceAll('\n', eol));
        else if (!isFlow) expect(updated).toContain(`# below ${id}`);
      }
    }),
    // Each run parses and writes YAML several times.
    { numRuns: 30 },
  );
});
