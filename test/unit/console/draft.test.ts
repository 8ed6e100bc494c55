import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  asMap,
  draftOf,
  type Edits,
  edited,
  KINDS,
  newField,
  optionsFromLines,
  startEdits,
  stepped,
} from '../../../console/src/draft.ts';
import { checkConfiguration } from '../../../core/configuration/check-configuration.ts';

const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });
const option = fc.record({ value: line, display: line });
const draft = draftOf({ base: '0', fields: [{ id: '1' }] });
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

test('a new field of each kind lacks only its texts and options', () => {
  for (const kind of KINDS) {
    const field = { id: '1', ...asMap(newField(kind)) };
    const errors = checkConfiguration({ fields: [field], lastFieldId: 1 }).filter(
      ({ severity, path }) => severity === 'error' && path.at(-1) !== 'optionsArray',
    );
    expect(errors).toEqual([]);
  }
});

test('a published option keeps its value, wherever its line moves and if its text is corrected', () => {
  const [vw, fiat] = [
    { value: 'vw', display: 'Volkswagn' },
    { value: 'fiat', display: 'Fiat' },
  ];
  const optionsOf = (lines: string[]) =>
    optionsFromLines(lines, [vw, fiat], new Set(['vw', 'fiat']));
  expect(optionsOf(['Volkswagen', 'Fiat'])).toEqual([{ ...vw, display: 'Volkswagen' }, fiat]);
  const skoda = { value: 'skoda', display: 'Škoda' };
  expect(optionsOf(['Fiat', 'Škoda', 'Volkswagn'])).toEqual([fiat, skoda, vw]);
});

test('lines become options with values that no other option has or had', () => {
  const options = fc.uniqueArray(option, { selector: ({ value }) => value });
  fc.assert(
    fc.property(options, fc.array(line), fc.func(fc.boolean()), (before, lines, isPublished) => {
      const published = new Set(before.map(({ value }) => value).filter(isPublished));
      const after = optionsFromLines(lines, before, published);
      expect(after.map(({ display }) => display)).toEqual(lines);
      expect(new Set(after.map(({ value }) => value)).size).toBe(after.length);
      for (const { value, display } of after) {
        const had = before.find((one) => one.value === value);
        if (published.has(value)) expect(had).toBeDefined();
        const isKept = before.some((one) => one.display === display);
        if (had && isKept && !published.has(value)) expect(had.display).toBe(display);
      }
    }),
  );
});
