import { readTexts } from 'customer-data-api/configuration';
import { wireFields } from 'customer-data-api/testing/configurations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeTexts, textsToCsv } from '../../../configurations/texts-csv.ts';
import { readCsv } from '../../../csv.ts';

/** What spreadsheets separate or run, and values that are no attribute of a map. */
const odd = fc.constantFrom(
  '=1+1',
  "'=",
  '-5 %',
  "l'-x",
  'a;b,c "d"',
  '__proto__',
  '1',
  'true',
  '.',
);
/** Apostrophes and signs in any order. */
const mixed = fc.string({ unit: fc.constantFrom("'", '=', '-', '＋', 'l', ' ', '"') });
const text = fc.oneof(fc.string({ unit: 'grapheme' }), odd, mixed);
const withOddTexts = fc.tuple(wireFields, fc.infiniteStream(text)).map(([fields, texts]) => {
  const next = () => texts.next().value ?? '';
  return fields.map((field) => {
    const { optionsArray, ...input } = field.subFieldA as { optionsArray: object[] };
    const options = optionsArray.map(() => ({ value: next(), display: next() }));
    return { ...field, fieldName: next(), subFieldA: { ...input, optionsArray: options } };
  });
});
/** A spreadsheet as it is saved in another country, by another program. */
const saved = fc.constantFrom<(lines: readonly string[]) => string>(
  (lines) => lines.join('\n'),
  (lines) => `\ufeff${lines.join('\r\n')}\r\n`,
  (lines) => lines.join('\r'),
);

const translationsOf = (fields: readonly unknown[], language = 'de') =>
  readTexts(fields)(language).map(({ translation }) => translation);

/** A text that a translator types, or leaves out. */
const typedText = text.filter((one) => one.trim() === '' || /[\p{L}\p{N}\p{P}\p{S}]/u.test(one));

test('translations come back from a spreadsheet, into fields that else are the same', () => {
  fc.assert(
    fc.property(withOddTexts, fc.infiniteStream(typedText), saved, (fields, texts, save) => {
      const lines = textsToCsv(fields, 'de');
      const typed = lines.slice(1).map(() => texts.next().value ?? '');
      const rows = lines.slice(1).map((line, at) => `${line}"${typed[at]?.replaceAll('"', '""')}"`);
      const { fields: merged, findings } = mergeTexts(
        fields,
        'de',
        save([...lines.slice(0, 1), ...rows]),
      );
      expect(findings).toEqual([]);
      const wanted = translationsOf(merged);
      const next = textsToCsv(merged, 'de');
      // A cell is what was typed, or how a spreadsheet shows the translation.
      const cells = readCsv(next.join('\n')).slice(1);
      for (const [at, one] of typed.entries()) {
        if (one.trim() === '') expect(wanted[at]).toBeUndefined();
        else expect([wanted[at], cells[at]?.[3]]).toContain(one);
      }
      const again = save(next);
      expect(mergeTexts(merged, 'de', again).fields).toEqual(merged);
      expect(translationsOf(mergeTexts(fields, 'de', again).fields)).toEqual(wanted);
      expect(merged.map((field) => ({ ...Object(field), translations: undefined }))).toEqual(
        fields.map((field) => ({ ...field, translations: undefined })),
      );
    }),
  );
});

const FIELDS = [
  {
    id: '1',
    fieldType: 'text',
    fieldName: 'Color',
    translations: { 'de-de': { fieldName: 'Farbe' } },
  },
  { id: '2', fieldType: 'text', fieldName: '+1', translations: 'none' },
];
const merge = (...rows: readonly string[]) =>
  mergeTexts(FIELDS, 'de-DE', ['field;what;note;original;translation', ...rows].join('\n'));

test('a translation replaces the one of its language, however its tag is written', () => {
  const { fields, findings } = merge('2;fieldName;;\'+1;"\'+1;"', '1;fieldName;;Color;Ton', ';;;;');
  expect(findings).toEqual([]);
  expect(fields).toEqual([
    { ...FIELDS[0], translations: { 'de-de': { fieldName: 'Ton' } } },
    { ...FIELDS[1], translations: { 'de-DE': { fieldName: '+1;' } } },
  ]);
});

test.each([
  ['an original that has changed', ['1;fieldName;;Colour;Ton']],
  ['a field that is gone', ['3;fieldName;;Color;Ton']],
  ['a text that the field has not', ['1;subFieldA.placeHolderText;;Color;Ton']],
  ['what every map inherits', ['1;constructor;;Color;Ton']],
  ['a text in another encoding', ['1;fieldName;;Color;T\ufffdnung']],
  ['a row that is cut at a comma', ['1;fieldName;;Color;Hallo;Welt']],
  ['a row with another separator', ['1,fieldName,,Color,Ton']],
  ['a text for the second time', ['1;fieldName;;Color;Ton', '1;fieldName;;Color;Tönung']],
])('%s is refused by its row, and nothing is merged', (_, rows) => {
  const { fields, findings } = merge('2;fieldName;;+1;Eins', ...rows);
  expect(fields).toBe(FIELDS);
  expect(findings).toMatchObject([{ row: 2 + rows.length }]);
});

test('what a spreadsheet shows escaped is stored as it was', () => {
  const text = 'one\ntwo \u2067three\u2069';
  const [field] = FIELDS;
  const fields = [{ ...field, translations: { de: { fieldName: text } } }];
  const [names = '', row = ''] = textsToCsv(fields, 'de');
  const edited = mergeTexts(fields, 'de', `${names}\n${row.replace('two', '2')}`);
  expect(translationsOf(edited.fields)).toEqual([text.replace('two', '2')]);
});

test('a row without a new translation is not refused, whatever else it has', () => {
  for (const row of ['9;fieldName;;Gone;', '1;fieldName;;Colour;Farbe', '1']) {
    expect(merge(row)).toEqual({ fields: FIELDS, findings: [] });
  }
  expect(mergeTexts(FIELDS, 'de', 'id,text\n1,Ton\n').findings).toMatchObject([{ row: 1 }]);
});
