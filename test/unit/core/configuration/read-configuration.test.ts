import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { storedFields, wireFields } from '../../../support/configurations.ts';

/*
 * What apps get of an item (spec, "Configuration result" and "Component kinds"). The fields that
 * they do not get are those with an error, which packages/editor/test/fixtures/check shows.
 */

const input = {
  subType: 'text',
  placeHolderText: 'A hint',
  allowCopies: true,
  alpha: true,
  numbers: false,
  symbols: false,
  maxChars: 20,
  options: '',
  optionsArray: [],
};
const dropdown = {
  subType: 'drop',
  placeHolderText: 'Choose',
  allowCopies: false,
  alpha: false,
  numbers: false,
  symbols: false,
  options: 'One:1\nTwo:2',
  optionsArray: ['One', 'Two'].map((display, at) => ({ value: String(at + 1), display })),
};
const common = { id: 'f1', mandatory: true, fieldName: 'A caption', addButtonText: 'More' };
const shown = { appUIs: ['register', 'profile'], allowMultiple: true };
const text = { ...common, ...shown, fieldType: 'text', subFieldA: input, subFieldB: {} };
const drop = { ...text, fieldType: 'drop', subFieldA: dropdown };
const combo = { ...common, fieldType: 'combo', subFieldA: dropdown, subFieldB: input };

/** A field with other values of some attributes, which may be those of an input. */
function changed(field: object, change: object = {}): object {
  const result: Record<string, unknown> = { ...field };
  for (const [path, value] of Object.entries(change)) {
    const [name = '', below] = path.split('.');
    result[name] = below === undefined ? value : { ...Object(result[name]), [below]: value };
  }
  return result;
}

type Case = { kind: 'text' | 'drop' | 'combo'; stored?: object; served?: object };
const cases = await readFile(new URL('../../../fixtures/served.yaml', import.meta.url), 'utf8');

test.each<Case>(parse(cases))('of a $kind with $stored, apps get what they know', (one) => {
  const field = { text, drop, combo }[one.kind];
  // What is null may also be missing.
  const isNull = Object.entries(one.stored ?? {}).map(([path, value]) => [
    path,
    value ?? undefined,
  ]);
  for (const stored of [one.stored, Object.fromEntries(isNull)]) {
    const { configuration, leftOut } = readConfiguration({ fields: [changed(field, stored)] });
    expect(configuration.fields).toEqual([changed(field, one.served)]);
    expect(leftOut).toBe(0);
  }
});

// A map with a `toString` is not a string.
const tricky = changed(drop, {
  'subFieldA.optionsArray': [{ value: { toString: 1 }, display: '' }],
});

test.each<[string, stored: unknown, served: unknown[], leftOut: number]>([
  ['fields in their order', [combo, { ...text, id: 'a' }], [combo, { ...text, id: 'a' }], 0],
  ['a set of UIs', [{ ...text, appUIs: new Set(shown.appUIs) }], [text], 0],
  [
    'two inputs of one kind',
    [{ ...combo, subFieldB: dropdown }],
    [{ ...combo, subFieldB: dropdown }],
    0,
  ],
  ['only the first of two fields with an id', [text, drop], [text], 1],
  ['a field whose id an earlier, broken one has', [{ ...text, mandatory: 7 }, drop], [drop], 1],
  ['nothing of what is not a field', [null, text, 'x', tricky], [text], 3],
  ['nothing of what is not a list', {}, [], 1],
  ['nothing of NULL', null, [], 1],
  ['nothing of nothing', undefined, [], 1],
  ['no field, without a warning', [], [], 0],
])('apps get %s, and one warning of what is left out', (_, fields, served, leftOut) => {
  const result = readConfiguration({ fields, lastFieldId: 1 });
  expect(result.configuration.fields).toEqual(served);
  expect([result.leftOut, result.warnings.length]).toEqual([leftOut, leftOut > 0 ? 1 : 0]);
});

test.each<[ids: unknown[], lastFieldId: number]>([
  [['3', '999999999999999', '4'], 999_999_999_999_999],
  // JavaScript does not count it exactly.
  [['1234567890123456'], 1],
  [['7a', 'b8', '-9', '1.5', 20, null, ''], 7],
  [['1', 'x', '2'], 3],
  [[], 0],
])(
  'without an integer in lastFieldId, apps get the highest of %j or their number: %i',
  (ids, id) => {
    const fields = ids.map((one) => ({ id: one }));
    for (const lastFieldId of [undefined, null, '5', 1.5, 2 ** 53]) {
      expect(readConfiguration({ fields, lastFieldId }).configuration.lastFieldId).toBe(id);
    }
    expect(readConfiguration({ fields, lastFieldId: 0 }).configuration.lastFieldId).toBe(0);
  },
);

test('reading does not change a valid configuration', () => {
  fc.assert(
    fc.property(wireFields, fc.integer(), (fields, lastFieldId) => {
      const read = readConfiguration({ fields, lastFieldId });
      const configuration = { fields, lastFieldId };
      expect(read).toMatchObject({ leftOut: 0, warnings: [] });
      expect(read.configuration).toEqual(configuration);
    }),
  );
});

test('for any item, the served fields are valid when read again, and the other fields are counted', () => {
  fc.assert(
    fc.property(storedFields, fc.anything(), (fields, lastFieldId) => {
      const { configuration, leftOut } = readConfiguration({ fields, lastFieldId });
      expect(configuration.fields.length + leftOut).toBe(fields.length);
      expect(readConfiguration({ ...configuration }).configuration).toEqual(configuration);
      expect(JSON.parse(JSON.stringify(configuration))).toEqual(configuration);
    }),
  );
});
