import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfigurationFile } from '../../../../cli/config/configuration-file.ts';
import { withPublication } from '../../../../cli/config/with-publication.ts';
import type { StoredMap } from '../../../../core/configuration/complete-field.ts';

const publication = (...fields: StoredMap[]) => ({ base: 'abc', lastFieldId: 7, fields });

describe('a publication is written into a file', () => {
  test.each<[string, string, StoredMap[], string]>([
    [
      'new fields get their ids, and comments and blanks stay',
      '# Ours\nclientId: a # the client\nbase:  old # do not edit\nlastFieldId: 1\n\nfields:\n  # One\n  - id: "1"\n    appUIs: [profile]\n  # Two\n  - fieldName:   Pizza # good\n    n: 12345678901234567890\n',
      [
        { id: '1', appUIs: ['profile'] },
        { id: '7', fieldName: 'Pizza', n: NumberValue.from('12345678901234567890') },
      ],
      '# Ours\nclientId: a # the client\nbase:  abc # do not edit\nlastFieldId: 7\n\nfields:\n  # One\n  - id: "1"\n    appUIs: [profile]\n  # Two\n  - id: "7"\n    fieldName:   Pizza # good\n    n: 12345678901234567890\n',
    ],
    [
      'what is missing is added',
      'clientId: a # the client\nfields: [{ x: 1 }, {"y": 2}]',
      [
        { id: '1', x: 1 },
        { id: '7', y: 2 },
      ],
      'clientId: a # the client\nbase: abc\nlastFieldId: 7\nfields: [{ "id": "1", x: 1 }, {"id": "7", "y": 2}]',
    ],
    [
      'JSON stays JSON',
      '{"clientId": "a", "fields": [{"x": 1}, {"id": "7"}]}',
      [{ id: '1', x: 1 }, { id: '7' }],
      '{"clientId": "a", "base": "abc", "lastFieldId": 7, "fields": [{"id": "1", "x": 1}, {"id": "7"}]}',
    ],
    [
      'a file may end with its client, and without a line feed',
      'fields: []\nclientId: a',
      [],
      'fields: []\nclientId: a\nbase: abc\nlastFieldId: 7',
    ],
    [
      'what is added to a file from Windows ends its lines as the file does',
      'clientId: a # mine\r\nfields:\r\n  - id: "1"\r\n    x: 1\r\n  - x: 2\r\n',
      [
        { id: '1', x: 1 },
        { id: '7', x: 2 },
      ],
      'clientId: a # mine\r\nbase: abc\r\nlastFieldId: 7\r\nfields:\r\n  - id: "1"\r\n    x: 1\r\n  - id: "7"\r\n    x: 2\r\n',
    ],
    [
      'of two new fields in another order, each gets its own id',
      'clientId: a\nbase: abc\nlastFieldId: 7\nfields:\n  - x: 1\n  - x: 2\n  - x: 2\n',
      [
        { id: '5', x: 2 },
        { id: '6', x: 1 },
        { id: '7', x: 2 },
      ],
      'clientId: a\nbase: abc\nlastFieldId: 7\nfields:\n  - id: "5"\n    x: 2\n  - id: "6"\n    x: 1\n  - id: "7"\n    x: 2\n',
    ],
  ])('%s', (_, text, fields, expected) => {
    expect(withPublication(text, publication(...fields))).toBe(expected);
  });
});

const HEAD = 'clientId: a\nbase: abc\nlastFieldId: 7\n';

/** A file as an operator writes it, with comments in every place. */
const COMMENTED = `${HEAD}# Our fields
fields: # all of them
  # One, for all
  - id: "1" # first
    fieldName:   One
    subFieldA:
      # What they choose from
      optionsArray:
        - { value: a,  display: A } # the usual
        - { value: b, display: B }
        # - { value: c, display: C }

  # Two
  - fieldName: Two # mine
  - id: "3"
    fieldName: Three
    # That was three
# The end
`;
const TWO = { id: '7', fieldName: 'Two' };
const THREE = { id: '3', fieldName: 'Three' };

describe('what others changed is written into it', () => {
  test('a field that they added, moved or removed leaves all others as they are', () => {
    const four = { id: '6', fieldName: 'Four', mandatory: true };
    const updated = withPublication(COMMENTED, publication(THREE, four, TWO));
    expect(updated).toBe(`${HEAD}# Our fields
fields: # all of them
  - id: "3"
    fieldName: Three
    # That was three
  - id: "6"
    fieldName: Four
    mandatory: true

  # Two
  - id: "7"
    fieldName: Two # mine
# The end
`);
  });

  test('a field that they changed keeps the comments in what is as it was', () => {
    const changed = {
      ...{ id: '1', fieldName: 'Uno', mandatory: true },
      subFieldA: { optionsArray: [{ value: 'a', display: 'A' }] },
    };
    const updated = withPublication(COMMENTED, publication(changed, TWO, THREE));
    expect(updated).toBe(
      COMMENTED.replace('fieldName:   One', 'fieldName: Uno')
        .replace('{ value: a,  display', '{ value: a, display')
        .replace('        - { value: b, display: B }\n', '')
        .replace('C }\n\n', 'C }\n    mandatory: true\n\n')
        .replace('- fieldName: Two', '- id: "7"\n    fieldName: Two'),
    );
  });

  test.each<[string, string, StoredMap[], string]>([
    [
      'an empty list',
      'fields: [] # none\n',
      [TWO],
      'fields:\n  - id: "7"\n    fieldName: Two # none\n',
    ],
    ['a list that becomes empty', 'fields:\n# One\n- id: "1"\n', [], 'fields:\n  []\n'],
    [
      'JSON on one line',
      '"fields": [{"id": "1"}, {"id": "2"}]',
      [{ id: '2' }, { id: '3', x: 'a\u009b' }, { id: '1' }],
      '"fields": [ {"id": "2"}, {"id":"3","x":"a\\u009b"},{"id": "1"}]',
    ],
    [
      'JSON on many lines, with comments and a last comma',
      'fields: [\n  { id: "1" }, # one\n  { id: "2" }, # two\n]\n',
      [{ id: '2', x: 1 }, { id: '1' }],
      'fields: [ # one\n  {"id":"2","x":1},\n  { id: "1" }, # two\n]\n',
    ],
    ['JSON that becomes empty', 'fields: [\n  { id: "1" }, # one\n]\n', [], 'fields: []\n'],
    [
      'a file from Windows, without a line feed at its end',
      'fields:\r\n- id: "1"\r\n- id: "2"',
      [{ id: '1', x: 1 }, { id: '2' }, { id: '3' }],
      'fields:\r\n- id: "1"\r\n  x: 1\r\n- id: "2"\r\n- id: "3"',
    ],
  ])('%s', (_, text, fields, expected) => {
    const isJson = text.startsWith('"');
    const [head, end] = isJson
      ? ['{"clientId": "a", "base": "abc", "lastFieldId": 7, ', '}']
      : [HEAD, ''];
    const updated = withPublication(`${head}${text}${end}`, publication(...fields));
    expect(updated).toBe(`${head}${expected}${end}`);
  });
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

/** What becomes of the fields of a file: their order, and for each whether it stays, changes or is removed. */
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

test.each([
  ['an alias of a field', 'clientId: a\nfields:\n  - &f { x: 1 }\n  - *f\n'],
  [
    'a name for a value in a field that is gone',
    'clientId: a\nfields: [{ id: "2", x: &x 1 }, { id: "1", x: *x }]\n',
  ],
  [
    'an attribute that was not published',
    'clientId: a\nowner: b\nfields: [{ id: "1", x: 2 }]\nbase: &b x\nother: *b\n',
  ],
  ['a list', '- a\n'],
  ['a mistake', 'clientId: a\nfields: [\n'],
])('a text with %s is left alone', (_, text) => {
  expect(withPublication(text, publication({ id: '1', x: 1 }))).toBeUndefined();
});
