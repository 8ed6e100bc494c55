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
  editedLine,
  type Option,
  optionsFromLines,
  otherValue,
  valueState,
  withEarlierValues,
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

/** Options from a text such as `s=Small Large`: texts, with values or those made of them. */
const optionsOf = (text: string): Option[] =>
  text.split(' ').flatMap((one) => {
    const [value = '', display = value] = one.split('=');
    return one === '' ? [] : [{ value: display === value ? value.toLowerCase() : value, display }];
  });
const written = (options: readonly Option[]) =>
  options.map(({ value, display }) => `${value}=${display}`).join(' ');

/** Types texts into the box one after the other, each with its lines joined by spaces. */
function typedInto(published: Option[], texts: readonly string[], earlier: Option[] = []): string {
  let [box, options] = [published.map(({ display }) => display).join('\n'), published];
  for (const text of texts.map((one) => one.replaceAll(' ', '\n'))) {
    const lines = text.split('\n').filter(Boolean);
    options = optionsFromLines(lines, options, { published, earlier }, editedLine(box, text));
    box = text;
  }
  return written(options);
}

test.each<[string, published: string, typed: string[], result: string, earlier?: string]>([
  ['a line that moves keeps its value', 's=Small l=Large', ['Large Small'], 'l=Large s=Small'],
  ['the only edited line does', 's=Small l=Large', ['Smal Large', 'Tiny Large'], 's=Tiny l=Large'],
  ['of a paste, no line does', 's=Small l=Large', ['Tiny Huge'], 'tiny=Tiny huge=Huge'],
  ['a live text gets no value of another', 's=Small l=Large', ['Large Huge'], 'l=Large huge=Huge'],
  ['a line more is new', 's=Small', ['Small T', 'Small Ti', 'Small Tiny'], 's=Small tiny=Tiny'],
  ['a line break makes no edit', 's=Small', ['Sm all'], 'sm=Sm all=all'],
  ['a text that comes back has its value', 's=Small', ['Tiny', 'Tiny Small'], 'tiny=Tiny s=Small'],
  ['also after an empty line', 's=Small l=Large', [' Large', 'Small Large'], 's=Small l=Large'],
  [
    'a text of the history has its last value',
    'l=Large',
    ['Large Small'],
    'l=Large s=Small',
    's=Small t=Small',
  ],
  ['also over another text', 's=Small l=Large', ['Tiny Large'], 't=Tiny l=Large', 't=Tiny'],
  ['unless another option has it', 's=Tiny', ['Tiny Small'], 's=Tiny small=Small', 's=Small'],
  [
    'no new value is one of the history',
    'l=Large',
    ['Large Tiny'],
    'l=Large tiny_2=Tiny',
    'tiny=Small',
  ],
  ['a second line is new', 's=Small l=Large', ['Large Large'], 'l=Large large=Large'],
])('%s: %s', (_, published, typed, result, earlier = '') => {
  expect(typedInto(optionsOf(published), typed, optionsOf(earlier))).toBe(result);
});

test('a text that was typed before the history is known takes its value, and one in a file does not', () => {
  const [published, asked] = [optionsOf('l=Large'), optionsOf('l=Large mid=Middle')];
  const known = { published, earlier: optionsOf('s=Small m=Middle tiny=Other') };
  const typed = optionsOf('l=Large mid=Middle small=Small tiny=Tiny');
  expect(written(withEarlierValues(typed, asked, known))).toBe(
    'l=Large mid=Middle s=Small tiny_2=Tiny',
  );
  const [, correction = { value: '', display: '' }] = optionsOf('l=Large s=Tiny');
  expect(otherValue(correction, [correction], known)).toBe('tiny_2');
});

test('a list of other texts takes over no value, however long it is', () => {
  const words = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 20 });
  fc.assert(
    fc.property(words, words, (old, fresh) => {
      const published = old.map((display, index) => ({ value: `${index}`, display }));
      const lines = fresh.map((text) => `${text.trim()} new`);
      const values = optionsFromLines(lines, published, { published }).map(({ value }) => value);
      expect(values.filter((value) => old[Number(value)] !== undefined)).toEqual([]);
    }),
  );
});

test('a value that the operator chose stays when its text is corrected', () => {
  const options = optionsOf('mail=Mail post=Letter');
  const known = { published: optionsOf('mail=Mail') };
  const corrected = optionsFromLines(['Mail', 'Leter'], options, known, 1);
  expect(written(corrected)).toBe('mail=Mail post=Leter');
});

test('lines become options with values that no other option has or had', () => {
  const options = fc.uniqueArray(option, { selector: ({ value }) => value });
  fc.assert(
    fc.property(options, fc.array(line), fc.func(fc.boolean()), (before, lines, isPublished) => {
      const published = before.filter(isPublished);
      const texts = new Map(published.map(({ value, display }) => [value, display]));
      const after = optionsFromLines(lines, before, { published });
      expect(after.map(({ display }) => display)).toEqual(lines);
      expect(new Set(after.map(({ value }) => value)).size).toBe(after.length);
      for (const one of after) {
        if (valueState(one, texts) === 'new') continue;
        expect(before.map(({ value }) => value)).toContain(one.value);
      }
    }),
  );
});
