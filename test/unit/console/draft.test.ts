import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  draftOf,
  edited,
  isChanged,
  KINDS,
  mergedWith,
  moved,
  newField,
  optionsFromLines,
  parseDraft,
  redone,
  startEdits,
  undone,
  withKind,
} from '../../../console/src/draft.ts';
import { checkConfiguration } from '../../../core/configuration/check-configuration.ts';

const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });
const option = fc.record({ value: line, display: line });

test('undo returns to each earlier draft, and redo to each later one', () => {
  const list = fc.array(fc.array(fc.integer(), { maxLength: 3 }), { maxLength: 8 });
  fc.assert(
    fc.property(list, (changes) => {
      const first = draftOf({ base: '0', fields: [], lastFieldId: 0 });
      const states = [startEdits(first)];
      for (const fields of changes) {
        states.push(edited(states.at(-1) ?? startEdits(first), { ...first, fields }, ''));
      }
      let state = states.at(-1) ?? startEdits(first);
      for (const { draft } of states.toReversed().slice(1)) {
        state = undone(state);
        expect(state.draft).toEqual(draft);
      }
      expect(undone(state).draft).toEqual(first);
      for (const { draft } of states.slice(1)) {
        state = redone(state);
        expect(state.draft).toEqual(draft);
      }
    }),
  );
});

test('the letters of a text are undone at once, and those of another one are not', () => {
  const draft = draftOf({ base: '0', fields: [''] });
  const typed = ['a', 'ab', 'abc'].reduce(
    (edits, text) => edited(edits, { ...draft, fields: [text] }, '0 fieldName'),
    startEdits(draft),
  );
  const other = edited(typed, { ...draft, fields: ['abcd'] }, '1 fieldName');
  expect(undone(other).draft.fields).toEqual(['abc']);
  expect(undone(undone(other)).draft.fields).toEqual(['']);
});

test('a field moves, and the others keep their order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer(), { minLength: 1 }),
      fc.nat(),
      fc.integer(),
      (list, at, by) => {
        const index = at % list.length;
        const after = moved(list, index, by);
        const place = Math.min(Math.max(index + by, 0), list.length - 1);
        expect(after[place]).toBe(list[index]);
        expect(after.toSpliced(place, 1)).toEqual(list.toSpliced(index, 1));
      },
    ),
  );
});

test('a stored draft is read again, and anything else is none', () => {
  const draft = draftOf({ base: '0', fields: [{ id: '1' }], lastFieldId: 1 });
  expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
  for (const text of [null, '', 'null', '{}', '{"base":"0"}', '[]']) {
    expect(parseDraft(text)).toBeUndefined();
  }
  expect(isChanged({ ...draft, fields: [] })).toBe(true);
  expect(isChanged(draft)).toBe(false);
});

test('a new field of each kind, and one whose kind changes, lacks only its texts and options', () => {
  for (const kind of KINDS) {
    for (const other of KINDS) {
      const field = withKind(newField(other) as Record<string, unknown>, kind);
      const findings = checkConfiguration({
        fields: [{ id: '1', ...(field as object) }],
        lastFieldId: 1,
      });
      const errors = findings.filter(({ severity }) => severity === 'error');
      expect(errors.filter(({ path }) => path.at(-1) !== 'optionsArray')).toEqual([]);
    }
  }
});

test('a published option keeps its value, wherever its line moves and if its text is corrected', () => {
  const before = [
    { value: 'vw', display: 'Volkswagn' },
    { value: 'fiat', display: 'Fiat' },
  ];
  const published = new Set(['vw', 'fiat']);
  expect(optionsFromLines(['Volkswagen', 'Fiat'], before, published)).toEqual([
    { value: 'vw', display: 'Volkswagen' },
    { value: 'fiat', display: 'Fiat' },
  ]);
  expect(optionsFromLines(['Fiat', 'Škoda', 'Volkswagn'], before, published)).toEqual([
    { value: 'fiat', display: 'Fiat' },
    { value: 'skoda', display: 'Škoda' },
    { value: 'vw', display: 'Volkswagn' },
  ]);
});

test('lines become options with values that no other option has or had', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(option, { selector: ({ value }) => value }),
      fc.array(line),
      fc.func(fc.boolean()),
      (before, lines, isPublished) => {
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
      },
    ),
  );
});

test('a merged draft is on top of what others have published', () => {
  const [mine, theirs] = [
    { id: '1', fieldName: 'Mine' },
    { id: '1', fieldName: '', mandatory: true },
  ];
  const draft = { ...draftOf({ base: '0', fields: [{ id: '1', fieldName: '' }] }), fields: [mine] };
  const live = { base: '1', fields: [theirs], lastFieldId: 7 };
  expect(mergedWith(draft, live, () => 'theirs').draft).toEqual({
    ...draftOf(live),
    fields: [{ ...mine, mandatory: true }],
  });
  expect(mergedWith(draft, live).conflicts).toHaveLength(1);
});
