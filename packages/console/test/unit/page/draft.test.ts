import { checkConfiguration, FIELD_KINDS } from 'customer-data-api/configuration';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  asMap,
  draftOf,
  type Edits,
  edited,
  isChanged,
  newField,
  startEdits,
  stepped,
} from '../../../page/src/draft/draft.ts';
import {
  type Option,
  optionsFromLines,
  splitOptions,
  valueState,
} from '../../../page/src/editor/option-lines.ts';

const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });
const option = fc.record({ value: line, display: line });
const draft = draftOf({ base: '0', fields: [{ id: '1' }], language: undefined });
const shown = ({ drafts, at }: Edits) => drafts[at];

test('the letters of a text are undone at once, and those of another one are not', () => {
  const typed = ['a', 'ab', 'abc'].reduce(
    (edits, text) => edited(edits, { ...draft, fields: [text] }, '0 fieldName'),
    startEdits({ ...draft, fields: [''] }),
  );
  const other = edited(typed, { ...draft, fields: ['abcd'] }, '1 fieldName');
  const undone = stepped(other, -1);
  expect(shown(undone)?.fields).toEqual(['abc']);
  expect(shown(stepped(undone, -1))?.fields).toEqual(['']);
});

test('what the service derives is no change of a draft', () => {
  const [lean = {}, whole = {}] = [{}, { placeHolderText: '', options: '' }].map((more) => {
    const subFieldA = { subType: 'text', maxChars: 8, ...more };
    return { id: '1', fieldType: 'text', subFieldA, ...(more.options === '' && { subFieldB: {} }) };
  });
  const from = draftOf({ base: '0', fields: [lean], language: undefined });
  expect(isChanged({ ...from, fields: [whole] })).toBe(false);
  expect(isChanged({ ...from, fields: [{ ...whole, fieldName: 'Make' }] })).toBe(true);
  expect(isChanged({ ...from, fields: [lean, lean] })).toBe(true);
});

test('a new field of each kind lacks only its texts and options', () => {
  for (const kind of FIELD_KINDS) {
    const field = { id: '1', ...asMap(newField(kind)) };
    const errors = checkConfiguration({ fields: [field], lastFieldId: 1 }).filter(
      ({ severity, path }) => severity === 'error' && path.at(-1) !== 'optionsArray',
    );
    expect(errors).toEqual([]);
  }
});

const optionNamed = (display: string): Option => ({ value: display.toLowerCase(), display });

test.each([
  ['a mistake in a word', 'Volkswagn', 'Volkswagen', true],
  ['two mistakes in a long word', 'Margarita pizza', 'Margherita pizza', true],
  ['case', 'e-mail', 'E-Mail', true],
  ['a hyphen', 'T shirt', 'T-shirt', true],
  ['an accent', 'Cafe au lait', 'Café au lait', true],
  ['another word', 'Fax', 'Mail', false],
  ['another word of similar letters', 'Monday', 'Sunday', false],
  ['a short word', 'Iran', 'Iraq', false],
  ['another country', 'Austria', 'Australia', false],
  ['another number', 'Shoes, size 38', 'Shoes, size 39', false],
  ['another sign', 'Blood group A+', 'Blood group A-', false],
  ['a word more', 'Smoker', 'Non-smoker', false],
  ['another sign of a script with few', '週に一回以上飲む', '週に二回以上飲む', false],
])(
  'a published option keeps its value if its text is corrected, such as in %s',
  (_, old, text, isKept) => {
    const others = ['First', 'Last'].map(optionNamed);
    const published = [others[0], { value: 'old', display: old }, others[1]].filter((one) => !!one);
    const typed = [...text].map((_, at) => text.slice(0, at + 1));
    // Pasted, typed letter by letter, and with the lines in another order.
    for (const steps of [[text], ['', ...typed]]) {
      for (const reorder of [(lines: string[]) => lines, (lines: string[]) => lines.toReversed()]) {
        const after = steps.reduce<Option[]>(
          (before, step) =>
            optionsFromLines(reorder(['First', step, 'Last']).filter(Boolean), before, published),
          published,
        );
        const { value } = after.find(({ display }) => display === text) ?? {};
        expect(value === 'old').toBe(isKept);
        expect(after.map((one) => one.value)).toEqual(expect.arrayContaining(['first', 'last']));
      }
    }
  },
);

test('a list of other texts takes over no value, however long it is', () => {
  const words = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 20 });
  fc.assert(
    fc.property(words, words, (old, fresh) => {
      const published = old.map((display, index) => ({ value: `${index}`, display }));
      const lines = fresh.map((text) => `${text.trim()} 7`);
      const kept = optionsFromLines(lines, published, published).filter(({ value, display }) =>
        published.some((one) => one.value === value && one.display !== display),
      );
      // Only a published text with the same digits can be corrected.
      const digits = (text: string) => text.replace(/\D/g, '');
      for (const { value, display } of kept) {
        expect(digits(published[Number(value)]?.display ?? '')).toBe(digits(display));
      }
    }),
  );
});

test('columns of a spreadsheet become texts and values, and a published text without one keeps its own', () => {
  const published = [{ value: 'mail', display: 'E-mail' }];
  const pasted = optionsFromLines(['E-mail', 'Letter\tpost\tslow', 'Fax\t'], published, published);
  const split = (text: number, value: number) =>
    splitOptions(pasted, { text, value }, published).map((one) => [one.display, one.value]);
  expect(split(0, 1)).toEqual([
    ['E-mail', 'mail'],
    ['Letter', 'post'],
    ['Fax', 'fax'],
  ]);
  expect(split(2, 0)[1]).toEqual(['slow', 'Letter']);
  expect(split(1, -1)[1]).toEqual(['post', 'post']);
  // A value that was given stays when the text is corrected.
  const given = splitOptions(pasted, { text: 0, value: 1 }, published);
  const corrected = optionsFromLines(['E-mail', 'Leter', 'Fax'], given, published);
  expect(corrected[1]).toEqual({ value: 'post', display: 'Leter' });
});

test('lines become options with values that no other option has or had', () => {
  const options = fc.uniqueArray(option, { selector: ({ value }) => value });
  fc.assert(
    fc.property(options, fc.array(line), fc.func(fc.boolean()), (before, lines, isPublished) => {
      const published = before.filter(isPublished);
      const texts = new Map(published.map(({ value, display }) => [value, display]));
      const after = optionsFromLines(lines, before, published);
      expect(after.map(({ display }) => display)).toEqual(lines);
      expect(new Set(after.map(({ value }) => value)).size).toBe(after.length);
      for (const one of after) {
        if (valueState(one, texts) === 'new') continue;
        expect(before.map(({ value }) => value)).toContain(one.value);
      }
    }),
  );
});
