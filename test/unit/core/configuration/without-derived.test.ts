import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeField } from '../../../../core/configuration/complete-field.ts';
import { derivedAttributes } from '../../../../core/configuration/derived-attributes.ts';
import { readField } from '../../../../core/configuration/read-field.ts';
import { withoutDerived } from '../../../../core/configuration/without-derived.ts';
import { wireField } from '../../../support/configurations.ts';

const textInput = {
  subType: 'text',
  allowCopies: false,
  alpha: true,
  numbers: false,
  symbols: false,
  maxChars: 8,
};
const dropdown = {
  subType: 'drop',
  placeHolderText: 'Choose one',
  allowCopies: false,
  optionsArray: [{ value: 'm', display: 'Margherita' }],
};
const field = {
  id: '1',
  fieldName: 'A caption',
  mandatory: false,
  appUIs: ['profile'],
  allowMultiple: true,
};

test.each<[what: string, written: object, derived: object]>([
  [
    'a text input',
    { ...field, fieldType: 'text', subFieldA: textInput },
    {
      addButtonText: '',
      subFieldA: { ...textInput, placeHolderText: '', options: '', optionsArray: [] },
      subFieldB: {},
    },
  ],
  [
    'a dropdown',
    { ...field, fieldType: 'drop', addButtonText: 'More', subFieldA: dropdown },
    {
      subFieldA: {
        ...dropdown,
        ...{ options: 'Margherita:m', alpha: false, numbers: false, symbols: false },
      },
      subFieldB: { subType: 'text' },
    },
  ],
  [
    'a combo',
    { ...field, fieldType: 'combo', subFieldA: dropdown, subFieldB: textInput },
    {
      addButtonText: null,
      subFieldA: { ...dropdown, options: 'out of date' },
      subFieldB: { ...textInput, optionsArray: [{ value: 'x', display: 'x' }] },
    },
  ],
])('%s has only what operators decide', (_, written, derived) => {
  expect(withoutDerived({ ...written, ...derived })).toEqual(written);
  expect(withoutDerived(written)).toEqual(written);
});

const text = { ...textInput, placeHolderText: 'e.g. 12' };

test.each<[fieldType: string, inputs: object]>([
  ['text', { subFieldA: text }],
  ['drop', { subFieldA: dropdown }],
  ['combo', { subFieldA: dropdown, subFieldB: text }],
])(
  'what operators are told to leave out of a %s field is what is removed from one without defaults',
  (fieldType, inputs) => {
    const complete = completeField({ ...field, fieldType, addButtonText: 'More', ...inputs });
    const lean = pathsIn(withoutDerived(complete));
    const removed = pathsIn(complete).filter((path) => !lean.includes(path));
    const told = derivedAttributes(complete).map((path) => path.join('.'));
    expect(told.sort()).toEqual(removed.sort());
  },
);

/** The attributes of a field, and those of its inputs after a dot. */
function pathsIn(stored: unknown): string[] {
  return Object.entries(stored ?? {}).flatMap(([name, value]) =>
    name.startsWith('subField') && Object.keys(value).length > 0
      ? Object.keys(value).map((of) => `${name}.${of}`)
      : name,
  );
}

test('mistakes and unknown attributes stay, so that they are reported', () => {
  const broken = {
    ...field,
    fieldType: 'text',
    colour: 'red',
    subFieldA: { ...textInput, options: 7, placeholderText: '' },
    subFieldB: 'none',
  };
  expect(withoutDerived(broken)).toEqual(broken);
  expect(withoutDerived({ id: '1', subFieldA: null })).toEqual({ id: '1', subFieldA: null });
});

test.each([undefined, null, 'text', 7, [['id', '1']]])('%j stays as it is', (stored) => {
  expect(withoutDerived(stored)).toBe(stored);
});

test('the service makes the same of any field without what it derives', () => {
  fc.assert(
    fc.property(fc.oneof(wireField, fc.anything()), (stored) => {
      expect(readField(withoutDerived(stored))).toEqual(readField(stored));
    }),
  );
});
