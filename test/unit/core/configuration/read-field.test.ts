import { expect, test } from 'vitest';
import { attributePath } from '../../../../core/configuration/finding.ts';
import { readField } from '../../../../core/configuration/read-field.ts';

const text = {
  subType: 'text',
  placeHolderText: 'A hint',
  allowCopies: true,
  alpha: true,
  numbers: false,
  symbols: false,
  maxChars: 20,
};
const drop = {
  subType: 'drop',
  placeHolderText: 'Choose',
  allowCopies: false,
  optionsArray: [{ value: '1', display: 'One' }],
};
const field = {
  id: '7',
  fieldType: 'text',
  mandatory: true,
  appUIs: ['register'],
  fieldName: 'Car',
  subFieldA: text,
  allowMultiple: false,
};
const combo = { ...field, fieldType: 'combo', subFieldB: text };

/** The errors of a field, as lines. */
const errorsOf = (stored: unknown) =>
  readField(stored).errors?.map(({ path, message }) => `${attributePath(path)} ${message}`);

test('a field without errors is what apps receive', () => {
  expect(readField(field).field).toMatchObject(field);
  expect(errorsOf(combo)).toBe(undefined);
});

test.each<[string, stored: object, errors: string[]]>([
  ['an attribute that is missing', { ...field, mandatory: undefined }, ['mandatory is missing']],
  [
    'one of another type',
    { ...field, mandatory: 'yes' },
    ['mandatory must be true or false, not "yes"'],
  ],
  [
    'several at once',
    { ...field, mandatory: 1, fieldName: 2 },
    [
      'mandatory must be true or false, not 1',
      'fieldName must be a string, not 2; put it in quotes',
    ],
  ],
  [
    'a fieldType that does not exist',
    { ...field, fieldType: 'x' },
    ['fieldType must be "text" or "drop" or "combo", not "x"'],
  ],
  ['an input that is missing', { ...combo, subFieldB: undefined }, ['subFieldB is missing']],
  ['an input that is not a map', { ...combo, subFieldB: [] }, ['subFieldB must be a map']],
  [
    'a limit that is not an integer',
    { ...combo, subFieldA: { ...text, maxChars: 1.5 } },
    ['subFieldA.maxChars must be an integer'],
  ],
  [
    'a limit of no characters',
    { ...combo, subFieldA: { ...text, maxChars: 0 } },
    ['subFieldA.maxChars must be at least 1'],
  ],
  [
    'an input that permits nothing',
    { ...combo, subFieldA: { ...text, alpha: false } },
    ['subFieldA permits no characters: alpha, numbers and symbols are all false'],
  ],
  [
    'a dropdown without options',
    { ...combo, subFieldA: { ...drop, optionsArray: [] } },
    ['subFieldA.optionsArray a dropdown needs at least one option'],
  ],
  [
    'options that are not valid',
    { ...combo, subFieldA: { ...drop, optionsArray: [{ value: 1, display: 'x' }, 'y'] } },
    [
      'subFieldA.optionsArray[0].value must be a string, not 1; put it in quotes',
      'subFieldA.optionsArray[1] must be a map',
    ],
  ],
  ['an id that is missing', { ...field, id: undefined }, ['id is missing']],
  ['an id that is a number', { ...field, id: 7 }, ['id must be a string, not 7; put it in quotes']],
  ['an id that is empty', { ...field, id: '' }, ['id must not be empty']],
])('the errors of a field name %s', (_, stored, errors) => {
  expect(errorsOf(stored)).toEqual(errors);
});

test.each(['x', [], null, undefined])('%j is not a field', (stored) => {
  expect(errorsOf(stored)).toEqual([' must be a map']);
});
