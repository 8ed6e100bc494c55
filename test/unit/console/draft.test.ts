import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  asMap,
  draftOf,
  edited,
  KINDS,
  moved,
  newField,
  optionsFromLines,
  redone,
  startEdits,
  undone,
  withKind,
} from '../../../console/src/draft.ts';
import { checkConfiguration } from '../../../core/configuration/check-configuration.ts';

const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });
const option = fc.record({ value: line, display: line });
const draft = draftOf({ base: '0', fields: [{ id: '1' }] });

test('undo returns to each earlier draft, and redo to each later one', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer(), { maxLength: 3 })), (changes) => {
      let edits = startEdits(draft);
      for (const fields of changes) edits = edited(edits, { ...draft, fields }, '');
      const drafts = [draft, ...changes.map((fields) => ({ ...draft, fields }))];
      for (const one of drafts.toReversed()) {
        expect(edits.draft).toEqual(one);
        edits = undone(edits);
      }
      for (const one of drafts) {
        expect(edits.draft).toEqual(one);
        edits = redone(edits);
      }
    }),
  );
});

test('the letters of a text are undone at once, and those of another one are not', () => {
  const typed = ['a', 'ab', 'abc'].reduce(
    (edits, text) => edited(edits, { ...draft, fields: [text] }, '0 fieldName'),
    startEdits({ ...draft, fields: [''] }),
  );
  const other = edited(typed, { ...draft, fields: ['abcd'] }, '1 fieldName');
  expect(undone(other).draft.fields).toEqual(['abc']);
  expect(undone(undone(other)).draft.fields).toEqual(['']);
});

test('a field moves, and the others keep their order', () => {
  const list = fc.uniqueArray(fc.integer(), { minLength: 1 });
  fc.assert(
    fc.property(list, fc.nat(), fc.integer(), (before, at, by) => {
      const index = at % before.length;
      const after = moved(before, index, by);
      const place = Math.min(Math.max(index + by, 0), before.length - 1);
      expect(after[place]).toBe(before[index]);
      expect(after.toSpliced(place, 1)).toEqual(before.toSpliced(index, 1));
    }),
  );
});

test('a new field of each kind, and one whose kind changes, lacks only its texts and options', () => {
  for (const [kind, other] of KINDS.flatMap((one) => KINDS.map((two) => [one, two] as const))) {
    const field = { id: '1', ...asMap(withKind(asMap(newField(other)), kind)) };
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
