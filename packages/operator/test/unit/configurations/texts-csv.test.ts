import { readTexts } from 'customer-data-api/configuration';
import { fileText } from 'customer-data-api/file-text';
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

test('a row whose original was another one in an earlier version says so, and is merged as any other', () => {
  const choices = fc.infiniteStream(fc.boolean());
  fc.assert(
    fc.property(withOddTexts, choices, saved, (list, changes, save) => {
      const fields = list.map((field, at) => ({ ...field, id: `${at}` }));
      const changed = fields.filter(() => changes.next().value);
      const earlier = fields.map((field) =>
        changed.includes(field) ? { ...field, fieldName: `${field.fieldName} once` } : field,
      );
      const lines = textsToCsv(fields, 'de', earlier);
      const rows = readCsv(lines.join('\n')).slice(1, lines.length);
      const isMarked = ([id, what]: readonly string[]) =>
        what === 'fieldName' && changed.some((field) => field.id === id);
      for (const row of rows) expect(row[3] !== '').toBe(isMarked(row));
      const typed = lines.map((line, at) => (at === 0 ? line : `${line}Ton`));
      const { fields: merged, findings } = mergeTexts(fields, 'de', save(typed));
      expect(findings).toEqual([]);
      expect(translationsOf(merged)).toEqual(rows.map(() => 'Ton'));
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
  mergeTexts(FIELDS, 'de-DE', ['field;what;Comment;original;translation', ...rows].join('\n'));

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
  for (const row of [
    '9;fieldName;;Gone;',
    '1;fieldName;x;Color;Farbe',
    '1;addButtonText;;More;',
    '1;fieldName',
  ]) {
    expect(merge(row)).toEqual({ fields: FIELDS, findings: [], warnings: [] });
  }
  expect(mergeTexts(FIELDS, 'de', 'id,text\n1,Ton\n').findings).toMatchObject([{ row: 1 }]);
});

/** Fields with captions, by their ids. */
const captioned = (captions: Readonly<Record<string, string>>) =>
  Object.entries(captions).map(([id, fieldName]) => ({ id: ` ${id}`.slice(1), fieldName }));
const HEAD = 'field,what,original,translation';
const german = (fields: readonly unknown[], ...lines: readonly string[]) =>
  mergeTexts(fields, 'de', lines.join('\n'));

test.each([
  ['a language', `${HEAD},French`, '1,fieldName,Color,,Couleur'],
  ['a second translation', `${HEAD},translation`, '1,fieldName,Color,,Farbe'],
  ['another language of the file', `${HEAD} (de),translation (fr)`, '1,fieldName,Color,,Couleur'],
  ['no name', `${HEAD},`, '1,fieldName,Color,,Farbe'],
  ['an unknown name', `note,${HEAD}`, 'Where?,1,fieldName,Color,Farbe'],
])('what is written into a column with %s is refused by row and column', (_, ...lines) => {
  const fields = captioned({ 1: 'Color' });
  const column = lines[0].startsWith('note') ? 'A' : 'E';
  expect(german(fields, ...lines)).toEqual({
    fields,
    findings: [{ row: 2, message: expect.stringContaining(`column ${column}`) }],
    warnings: [],
  });
  const commented = lines[0].replace(/,$|(?<=,)[^,]*$|^note/, (name) =>
    name === ',' ? ',Comment' : 'Comment',
  );
  expect(german(fields, commented, lines[1]).findings).toEqual([]);
});

test('a translation that is written over its original is said', () => {
  const fields = captioned({ 1: 'Color', 2: 'Car' });
  const merged = german(fields, HEAD, '1,fieldName,Farbe,', '2,fieldName,Car,Auto');
  expect(translationsOf(merged.fields)).toEqual([undefined, 'Auto']);
  expect(merged).toMatchObject({ findings: [], warnings: [{ row: 2 }] });
  const again = german(merged.fields, HEAD, '2,fieldName,Wagen,Auto');
  expect(again).toMatchObject({ fields: merged.fields, findings: [], warnings: [{ row: 2 }] });
});

test.each([',,Farbe,', '1,Farbe,Color,', 'Farbe,fieldName,Color,'])(
  'a translation that is written over a key is said: %s',
  (row) => {
    const fields = captioned({ 1: 'Color', 2: 'Car' });
    const rows = [row, '2,fieldName,Car,Auto', '9,fieldName,Car,', 'A heading'];
    const merged = german(fields, HEAD, ...rows);
    expect(translationsOf(merged.fields)).toEqual([undefined, 'Auto']);
    expect(merged).toMatchObject({ findings: [], warnings: [{ row: 2 }] });
  },
);

test('a spreadsheet is merged into its own language only', () => {
  const fields = captioned({ 1: 'Color' });
  const [names = '', row = ''] = textsToCsv(fields, 'pt-BR');
  const csv = `${names}\n${row}Cor`;
  expect(translationsOf(mergeTexts(fields, 'pt-BR', csv).fields, 'pt-BR')).toEqual(['Cor']);
  expect(mergeTexts(fields, 'pt-BR', csv.replace('pt-BR', 'PT-br')).findings).toEqual([]);
  for (const other of ['pt', 'fr']) {
    expect(mergeTexts(fields, other, csv)).toMatchObject({ fields, findings: [{ row: 1 }] });
  }
  expect(german(fields, `${HEAD} (German)`, '1,fieldName,Color,Farbe').findings).toEqual([
    { row: 1, message: expect.stringContaining('write translation (de)') },
  ]);
});

test('texts that another language has are a warning, but for regions and originals', () => {
  const [color, taxi] = captioned({ 1: 'Color', 2: 'Taxi' });
  const fields = [
    { ...color, translations: { de: { fieldName: 'Farbe' }, 'fr-CA': { fieldName: 'Couleur' } } },
    { ...taxi, translations: { de: { fieldName: 'Taxi' } } },
  ];
  const french = (...rows: readonly string[]) =>
    mergeTexts(fields, 'fr', [HEAD, ...rows].join('\n')).warnings.map(({ row }) => row);
  expect(french('2,fieldName,Taxi,Taxi', '1,fieldName,Color,Farbe')).toEqual([3]);
  expect(french('1,fieldName,Color,Farbe ')).toEqual([2]);
  expect(french('2,fieldName,Taxi,Taxi', '1,fieldName,Color,Couleur')).toEqual([]);
});

test.each([
  ['007', '7'],
  ['1E5', '100000'],
  ['1E5', '1,00E+05'],
  ['12345678901234567890', '1.23457E+19'],
  ['1234567890123456', '1234567890123450'],
  ['1.50', '1,5'],
  ['1000', '1,000'],
  ['1234567', '1.234.567,00'],
  ['=5', '5'],
  ['=A1', '#NAME?'],
  ['-5', '-5'],
  ['-A', '#NOM?'],
  ['+49', '49'],
  ['1-2', '02. Jan'],
  ['1-2', '2-Jan'],
  ['3/4', '03/04/2026'],
  ['2026-11-01', '01.11.2026'],
  ['1:30', '01:30:00'],
  ['größe', 'größe'.normalize('NFD')],
  [' x ', 'x'],
])(
  'the id %s that a spreadsheet makes to %s is known, unless another one may be meant',
  (id, cell) => {
    const row = `"${cell}",fieldName,Color,Farbe`;
    const one = [
      { id, fieldName: 'Color' },
      { id: '12', fieldName: 'Car' },
    ];
    expect(translationsOf(german(one, HEAD, row).fields)).toEqual(['Farbe', undefined]);
    const others = [{ id: '12', fieldName: 'Color' }];
    expect(german(others, HEAD, row)).toMatchObject({ fields: others, findings: [{ row: 2 }] });
    const two = [
      { id, fieldName: 'Color' },
      { id: `${id} `, fieldName: 'Color' },
    ];
    const refused = german(two, HEAD, row);
    expect(refused).toMatchObject({ fields: two, findings: [{ row: 2 }] });
    expect(refused.findings[0]?.message).not.toContain('remove');
  },
);

test('a key that changed is refused, never given to the text of another row', () => {
  const fields = captioned({ 7: 'Color', '007': 'Color' });
  const merged = german(fields, HEAD, '7,fieldName,Color,A', '007,fieldName,Color,B');
  expect(translationsOf(merged.fields)).toEqual(['A', 'B']);
  expect(german(fields, HEAD, '7,fieldName,Color,A').findings).toHaveLength(1);
  // An original that changed is not that of another field.
  const changed = captioned({ 7: 'Colour', '007': 'Color' });
  expect(german(changed, HEAD, '7,fieldName,Color,A').findings).toEqual([
    { row: 2, message: expect.stringContaining('is of field 007:') },
  ]);
  expect(german(changed, HEAD, '7,fieldName,Couleur,A').findings).toEqual([
    { row: 2, message: expect.stringContaining('is now "Colour"') },
  ]);
  const gone = captioned({ 5: 'Color' });
  expect(german(gone, HEAD, '7,fieldName,Color,A').findings).toEqual([
    { row: 2, message: expect.stringContaining('field 5') },
  ]);
});

test('a number or a date that may be that of two fields is that of the one with the original', () => {
  const numbers = captioned({ 1: 'Color', 1000: 'Car' });
  expect(translationsOf(german(numbers, HEAD, '1.000,fieldName,Car,A').fields)).toEqual([
    undefined,
    'A',
  ]);
  const alike = captioned({ 1: 'Color', 1000: 'Color' });
  expect(german(alike, HEAD, '1.000,fieldName,Color,A').findings).toEqual([
    { row: 2, message: expect.stringContaining('field 1 or 1000') },
  ]);
  const days = captioned({ '1-2': 'Color', '12-2': 'Color' });
  for (const cell of ['02. Dez', '2-Dec', '2 déc.']) {
    const { fields } = german(days, HEAD, `${cell},fieldName,Color,A`);
    expect(translationsOf(fields), cell).toEqual([undefined, 'A']);
  }
});

/** As Windows writes UTF-16, with a byte order mark. */
const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return fileText(isBigEndian ? bytes.swap16() : bytes);
};

test('files of spreadsheets are read in each form', () => {
  const fields = [
    { id: '1', fieldName: 'Größe' },
    { id: 'ü', fieldName: 'Car' },
  ];
  const csv = `${HEAD}\n1,fieldName,Größe,Weite\nü,fieldName,Car,Auto\n`;
  const forms = [
    csv,
    utf16(csv, false),
    utf16(csv.replaceAll(',', '\t'), true),
    `sep=;\r\n${csv.replaceAll(',', ';')}`,
    `\ufeff"sep=,",,,\n${csv}`,
    `SEP=|\n${csv.replaceAll(',', '|')}`,
    csv.normalize('NFD'),
  ];
  for (const one of forms) {
    expect(translationsOf(german(fields, one).fields), one).toEqual(['Weite', 'Auto']);
  }
});

test('originals that look the same are shown with what differs', () => {
  const pairs = [
    ['Blue car', 'Blue\u00a0car', '\\u00a0'],
    ['Car', 'C\u0430r', '\\u0430'],
    ["Don't", 'Don’t', '\\u2019'],
    ['A-B', 'A\u00adB', ''],
    ['Car', 'Car\u200b', '\\u200b'],
    ['A – B', 'A — B', '\\u2014'],
    ['It’s', 'It‘s', '\\u2018'],
    ['Blue car', 'Blue  car', '\\u0020'],
  ] as const;
  for (const [now, was, shown] of pairs) {
    const { findings } = german(captioned({ 1: now }), HEAD, `1,fieldName,${was},Auto`);
    expect(findings, was).toEqual([{ row: 2, message: expect.stringContaining(shown) }]);
  }
  const { findings } = german(captioned({ 1: 'Größe' }), HEAD, '1,fieldName,Große,Size');
  expect(findings).toEqual([{ row: 2, message: expect.stringContaining('"Größe"') }]);
});

test('a line of signs is a text', () => {
  const fields = captioned({ 1: '=======' });
  const [names = '', row = ''] = textsToCsv(fields, 'de');
  const merged = german(fields, names, `${row}=======\u2028`, '"\n=======\n",,,');
  expect(merged.findings).toEqual([]);
});
