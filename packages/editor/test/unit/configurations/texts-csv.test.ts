import { readTexts } from 'customer-data-api/configuration';
import { fileText } from 'customer-data-api/file-text';
import { wireFields } from 'customer-data-api/testing/configurations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { madeOf, mergeTexts, textsToCsv } from '../../../configurations/texts-csv.ts';
import { readCsv } from '../../../csv.ts';

/** Characters that spreadsheets separate by or run, and values that are no attribute of a map. */
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

const DIGEST = '45d963a0a0dc'.padEnd(64, '0');
const ORIGIN = { clientId: 'pizza', version: 3, digest: DIGEST };
const translationsOf = (fields: readonly unknown[], language = 'de') =>
  readTexts(fields)(language).map(({ translation }) => translation);

/** A text that a translator types, or leaves out. */
const typedText = text.filter((one) => one.trim() === '' || /[\p{L}\p{N}\p{P}\p{S}]/u.test(one));

test('translations come back from a spreadsheet, into fields that else are the same', () => {
  fc.assert(
    fc.property(withOddTexts, fc.infiniteStream(typedText), saved, (fields, texts, save) => {
      const lines = textsToCsv(fields, 'de', ORIGIN);
      const typed = lines.slice(1).map(() => texts.next().value ?? '');
      const rows = lines.slice(1).map((line, at) => `${line}"${typed[at]?.replaceAll('"', '""')}"`);
      const { fields: merged, findings } = mergeTexts(
        fields,
        'de',
        save([...lines.slice(0, 1), ...rows]),
        fields,
      );
      expect(findings).toEqual([]);
      const wanted = translationsOf(merged);
      const next = textsToCsv(merged, 'de', ORIGIN);
      // A cell is what was typed, or how a spreadsheet shows the translation.
      const cells = readCsv(next.join('\n')).slice(1);
      for (const [at, one] of typed.entries()) {
        if (one.trim() === '') expect(wanted[at]).toBeUndefined();
        else expect([wanted[at], cells[at]?.[3]]).toContain(one);
      }
      const again = save(next);
      expect(mergeTexts(merged, 'de', again, merged).fields).toEqual(merged);
      expect(translationsOf(mergeTexts(fields, 'de', again, fields).fields)).toEqual(wanted);
      expect(merged.map((field) => ({ ...Object(field), translations: undefined }))).toEqual(
        fields.map((field) => ({ ...field, translations: undefined })),
      );
    }),
  );
});

/** Fields by their ids, each with its caption and its translation into German. */
const captioned = (
  texts: Readonly<Record<string, readonly [caption: string, german?: string | undefined]>>,
) =>
  Object.entries(texts).map(([id, [fieldName, text]]) => {
    return { id, fieldName, ...(text && { translations: { de: { fieldName: text } } }) };
  });
type Merged = ReturnType<typeof mergeTexts>;
const rowsOf = ({ findings }: Merged) => findings.map(({ row }) => row);
const HEAD = 'field,what,original,translation';
/** Merges rows of a spreadsheet that does not say what it was made of. */
const german = (fields: readonly unknown[], ...lines: readonly string[]) =>
  mergeTexts(fields, 'de', lines.join('\n'));

test('a text is merged on three sides, and a clash is refused by its row', () => {
  const side = fc.constantFrom('', 'Farbe', 'Ton', '+Ton');
  fc.assert(
    fc.property(fc.array(fc.tuple(side, side, side)), (texts) => {
      const [base = [], mine = [], theirs = []] = [0, 1, 2].map((at) =>
        captioned(Object.fromEntries(texts.map((sides, id) => [id, ['Color', sides[at]]]))),
      );
      const csv = textsToCsv(mine, 'de', ORIGIN).join('\n');
      const merged = mergeTexts(theirs, 'de', csv, base);
      const wanted = texts.map(([was, one, other]) => {
        if (one === '' || one === was || one === other) return other;
        return other === was ? one : undefined;
      });
      const clashes = wanted.flatMap((text, at) => (text === undefined ? [at + 2] : []));
      expect(rowsOf(merged)).toEqual(clashes);
      if (clashes.length > 0) expect(merged.fields).toBe(theirs);
      else expect(translationsOf(merged.fields)).toEqual(wanted.map((text) => text || undefined));
    }),
  );
});

test('a spreadsheet that does not say what it was made of fills texts, and replaces none', () => {
  const fields = captioned({ 1: ['Color'], 2: ['Car', 'Auto'] });
  const [color, car] = ['1,fieldName,Color,Farbe', '2,fieldName,Car,Wagen'];
  const filled = german(fields, HEAD, color, '2,fieldName,Car,Auto', ',,,');
  expect(filled.findings).toEqual([]);
  expect(translationsOf(filled.fields)).toEqual(['Farbe', 'Auto']);
  expect(german(fields, `${HEAD} (de)`, color, car)).toMatchObject({
    fields,
    findings: [{ row: 3 }],
  });
});

test('a row is of one text, whatever its original is, unless that has changed', () => {
  const [base, live] = [
    captioned({
      1: ['Color', 'Farbe'],
      2: ['007', 'Bond'],
      3: ['Car', 'Auto'],
      4: ['Gone', 'Weg'],
    }),
    captioned({ 1: ['Colour', 'Farbe'], 2: ['007', 'Bond'], 3: ['Car', 'Auto'], 5: ['New'] }),
  ];
  const merge = (...rows: string[]) => mergeTexts(live, 'de', [HEAD, ...rows].join('\n'), base);
  // A program has made a number of it. Nobody has touched the others.
  const typed = merge('2,fieldName,7,Agent', '1,fieldName,Color,Farbe', '4,fieldName,Gone,Weg');
  expect(typed.findings).toEqual([]);
  expect(translationsOf(typed.fields)).toEqual(['Farbe', 'Agent', 'Auto', undefined]);
  expect(rowsOf(merge('3,fieldName,Car,Wagen', '1,fieldName,Color,Ton'))).toEqual([3]);
  // The translator has looked at the new one, and at a text that the base lacks.
  expect(rowsOf(merge('1,fieldName,Colour,Ton', '5,fieldName,New,Neu'))).toEqual([]);
  expect(rowsOf(merge('5,fieldName,Old,Alt', '4,fieldName,Gone,Fort'))).toEqual([2, 3]);
});

const FIELDS = [
  {
    id: '007',
    fieldType: 'text',
    fieldName: 'Color',
    translations: { 'de-de': {} },
  },
  { id: '2', fieldType: 'text', fieldName: '+1', translations: 'none' },
];
const merge = (...rows: readonly string[]) =>
  mergeTexts(FIELDS, 'de-DE', ['field;what;Comment;original;translation', ...rows].join('\n'));

test('a translation is stored in its language, however its tag is written', () => {
  const { fields, findings } = merge(
    '2;fieldName;;\'+1;"\'+1;"',
    '007;fieldName;;Color;Ton',
    ';;;;',
  );
  expect(findings).toEqual([]);
  expect(fields).toEqual([
    { ...FIELDS[0], translations: { 'de-de': { fieldName: 'Ton' } } },
    { ...FIELDS[1], translations: { 'de-DE': { fieldName: '+1;' } } },
  ]);
});

test.each([
  ['an original that has changed', ['007;fieldName;;Colour;Ton']],
  ['a field that is gone', ['3;fieldName;;Color;Ton']],
  ['an id that a program has changed', ['7;fieldName;;Color;Ton']],
  ['a text that the field has not', ['007;subFieldA.placeHolderText;;Color;Ton']],
  ['what every map inherits', ['007;constructor;;Color;Ton']],
  ['no keys', [';;;Color;Ton']],
  ['a row that is cut at a comma', ['007;fieldName;;Color;Hallo;Welt']],
  ['a row with another separator', ['007,fieldName,,Color,Ton']],
  ['a text for the second time', ['007;fieldName;;Color;Ton', '007;fieldName;;Color;Tönung']],
])('%s is refused by its row, and nothing is merged', (_, rows) => {
  const { fields, findings } = merge("2;fieldName;;'+1;Eins", ...rows);
  expect(fields).toBe(FIELDS);
  expect(findings).toMatchObject([{ row: 2 + rows.length }]);
});

test('what a spreadsheet shows escaped is stored as it was', () => {
  const text = 'one\ntwo \u2067three\u2069';
  const fields = captioned({ 1: ['Color', text] });
  const [names = '', row = ''] = textsToCsv(fields, 'de', ORIGIN);
  const edited = mergeTexts(fields, 'de', `${names}\n${row.replace('two', '2')}`, fields);
  expect(translationsOf(edited.fields)).toEqual([text.replace('two', '2')]);
});

test('a row without a translation is not refused, whatever else it has', () => {
  for (const row of ['9;fieldName;;Gone;', '007;addButtonText;x;More;\u200b', '007;fieldName']) {
    expect(merge(row)).toEqual({ fields: FIELDS, findings: [] });
  }
  expect(rowsOf(mergeTexts(FIELDS, 'de', 'id,text\n1,Ton\n'))).toEqual([1]);
});

test.each([
  ['a language', `${HEAD},French`, '1,fieldName,Color,,Couleur'],
  ['a second translation', `${HEAD},translation`, '1,fieldName,Color,,Farbe'],
  ['another language of the file', `${HEAD} (de),translation (fr)`, '1,fieldName,Color,,Couleur'],
  ['no name', `${HEAD},`, '1,fieldName,Color,,Farbe'],
  ['an unknown name', `note,${HEAD}`, 'Where?,1,fieldName,Color,Farbe'],
])('what is written into a column with %s is refused by row and column', (_, ...lines) => {
  const fields = captioned({ 1: ['Color'] });
  const column = lines[0].startsWith('note') ? 'A' : 'E';
  expect(german(fields, ...lines)).toEqual({
    fields,
    findings: [{ row: 2, message: expect.stringContaining(`column ${column}`) }],
  });
  const commented = lines[0].replace(/,$|(?<=,)[^,]*$|^note/, (name) =>
    name === ',' ? ',Comment' : 'Comment',
  );
  expect(german(fields, commented, lines[1]).findings).toEqual([]);
});

test('a spreadsheet says its language and what it was made of, in the name of its last column', () => {
  const fields = captioned({ 1: ['Color'] });
  const [names = '', row = ''] = textsToCsv(fields, 'pt-BR', ORIGIN);
  expect(names).toBe('field,what,original,translation (pt-BR) pizza@3 45d963a0a0dc');
  const csv = `${names}\n${row}Cor`;
  const origin = { clientId: 'a, "b" 0123456789ab', digest: DIGEST };
  const odd = textsToCsv(fields, 'pt-BR', origin).join('\n');
  for (const one of [csv, odd, csv.replace('pt-BR', 'PT-br').replaceAll(',', ';')]) {
    expect(madeOf(one, 'pt-BR')).toBe('45d963a0a0dc');
    expect(mergeTexts(fields, 'pt-BR', one, fields).findings).toEqual([]);
  }
  expect(translationsOf(mergeTexts(fields, 'pt-BR', csv, fields).fields, 'pt-BR')).toEqual(['Cor']);
  for (const other of ['pt', 'fr']) {
    expect(madeOf(csv, other)).toBeUndefined();
    expect(mergeTexts(fields, other, csv)).toMatchObject({ fields, findings: [{ row: 1 }] });
  }
  for (const name of ['(German)', '(de) pizza@3', '(de) 45d963a0a0d', '(de) x45d963a0a0dc']) {
    expect(rowsOf(german(fields, `${HEAD} ${name}`, '1,fieldName,Color,Farbe'))).toEqual([1]);
  }
});

/** Writes UTF-16 as Windows does, with a byte order mark. */
const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return fileText(isBigEndian ? bytes.swap16() : bytes);
};

test('files of spreadsheets are read in each form', () => {
  const fields = captioned({ 1: ['Größe'], ü: ['Car', 'Wagen'] });
  const csv = `${HEAD} (de) pizza@3 45d963a0a0dc\n1,fieldName,Größe,Weite\nü,fieldName,Car,Auto\n`;
  const forms = [
    csv,
    utf16(csv, false),
    utf16(csv.replaceAll(',', '\t'), true),
    `sep=;\r\n${csv.replaceAll(',', ';')}`,
    `\ufeff"sep=,",,,\n${csv}`,
    `SEP=|\n${csv.replaceAll(',', '|')}`,
  ];
  for (const one of forms) {
    expect(madeOf(one, 'de'), one).toBe('45d963a0a0dc');
    expect(translationsOf(mergeTexts(fields, 'de', one, fields).fields), one).toEqual([
      'Weite',
      'Auto',
    ]);
  }
});
