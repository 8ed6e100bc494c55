import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { storedFields, wireFields } from '../../../support/configurations.ts';

/* One test for each rule of the spec's tables ("Field object", "SubField object", "Option object", "Component kinds"). */

const textSubField = {
  subType: 'text',
  placeHolderText: 'A hint',
  allowCopies: true,
  alpha: true,
  numbers: false,
  symbols: false,
  maxChars: 20,
  options: '',
  optionsArray: [],
};
const dropSubField = {
  subType: 'drop',
  placeHolderText: 'Choose',
  allowCopies: false,
  alpha: false,
  numbers: false,
  symbols: false,
  options: 'One:1\nTwo:2',
  optionsArray: [
    { value: '1', display: 'One' },
    { value: '2', display: 'Two' },
  ],
};
const textField = {
  id: 'f1',
  fieldType: 'text',
  mandatory: true,
  appUIs: ['register', 'profile'],
  fieldName: 'A caption',
  subFieldA: textSubField,
  subFieldB: {},
  allowMultiple: true,
  addButtonText: 'Add another',
};
const dropField = { ...textField, fieldType: 'drop', subFieldA: dropSubField };
const comboField = {
  id: 'f1',
  fieldType: 'combo',
  mandatory: false,
  fieldName: 'A caption',
  subFieldA: dropSubField,
  subFieldB: textSubField,
  addButtonText: '',
};

const read = (...fields: unknown[]) => readConfiguration({ fields, lastFieldId: 1 });
const served = (field: unknown) => read(field).configuration.fields[0];
const isServed = (field: unknown) => served(field) !== undefined;

describe('Field object', () => {
  test('id is a non-empty string', () => {
    expect(
      [{ id: 1 }, { id: '' }, { id: null }].map((id) => isServed({ ...textField, ...id })),
    ).toEqual([false, false, false]);
  });

  test('fieldType is text, drop or combo', () => {
    expect(served(textField)).toEqual(textField);
    expect(served(dropField)).toEqual(dropField);
    expect(served(comboField)).toEqual(comboField);
    for (const fieldType of ['Text', 'number', '', 7, undefined]) {
      expect(isServed({ ...textField, fieldType })).toBe(false);
    }
  });

  test('mandatory is a boolean', () => {
    for (const mandatory of ['true', 1, null, undefined]) {
      expect(isServed({ ...textField, mandatory })).toBe(false);
    }
  });

  test('appUIs is an array of strings, and only a combo may omit it', () => {
    expect(isServed({ ...textField, appUIs: [] })).toBe(true);
    expect(isServed({ ...textField, appUIs: [true] })).toBe(false);
    expect(isServed({ ...textField, appUIs: undefined })).toBe(false);
    expect(isServed({ ...dropField, appUIs: undefined })).toBe(false);
    expect(served({ ...comboField, appUIs: ['profile'] })).toEqual({
      ...comboField,
      appUIs: ['profile'],
    });
    expect(served({ ...comboField, appUIs: null })).toEqual(comboField);
    expect(isServed({ ...comboField, appUIs: 'profile' })).toBe(false);
    const appUIs = new Set(textField.appUIs);
    expect(served({ ...textField, appUIs })).toEqual(textField);
  });

  test('fieldName is a string', () => {
    expect(isServed({ ...textField, fieldName: '' })).toBe(true);
    for (const fieldName of [7, undefined])
      expect(isServed({ ...textField, fieldName })).toBe(false);
  });

  test('subFieldA is required', () => {
    for (const field of [textField, dropField, comboField]) {
      for (const subFieldA of [undefined, null, {}, []]) {
        expect(isServed({ ...field, subFieldA })).toBe(false);
      }
    }
  });

  test('subFieldB is {} for text and drop, and a SubField for combo', () => {
    for (const field of [textField, dropField]) {
      for (const ignored of [undefined, null, dropSubField]) {
        expect(served({ ...field, subFieldB: ignored })).toEqual(field);
      }
      for (const subFieldB of ['', 7, []]) expect(isServed({ ...field, subFieldB })).toBe(false);
    }
    for (const subFieldB of [undefined, {}]) {
      expect(isServed({ ...comboField, subFieldB })).toBe(false);
    }
  });

  test('allowMultiple is a boolean, and only a combo may omit it', () => {
    expect(isServed({ ...textField, allowMultiple: 'no' })).toBe(false);
    expect(isServed({ ...textField, allowMultiple: undefined })).toBe(false);
    expect(served({ ...comboField, allowMultiple: true })).toEqual({
      ...comboField,
      allowMultiple: true,
    });
  });

  test('addButtonText is always a string', () => {
    for (const field of [textField, dropField, comboField]) {
      expect(served({ ...field, addButtonText: undefined })).toEqual({
        ...field,
        addButtonText: '',
      });
      expect(isServed({ ...field, addButtonText: 7 })).toBe(false);
    }
  });
});

describe('SubField object, text input', () => {
  const subFieldA = (change: Record<string, unknown>) => ({
    ...textField,
    subFieldA: { ...textSubField, ...change },
  });

  test('subType is text', () => {
    for (const subType of ['Text', 'combo', undefined])
      expect(isServed(subFieldA({ subType }))).toBe(false);
  });

  test('placeHolderText is a string', () => {
    expect(served(subFieldA({ placeHolderText: undefined }))).toEqual(
      subFieldA({ placeHolderText: '' }),
    );
    expect(isServed(subFieldA({ placeHolderText: 7 }))).toBe(false);
  });

  test.each(['allowCopies', 'alpha', 'numbers', 'symbols'])('%s is a boolean', (name) => {
    for (const value of ['true', 1, null, undefined]) {
      expect(isServed(subFieldA({ symbols: true, [name]: value }))).toBe(false);
    }
  });

  test('at least one of alpha, numbers and symbols is true', () => {
    const none = { alpha: false, numbers: false, symbols: false };
    expect(isServed(subFieldA(none))).toBe(false);
    for (const name of Object.keys(none)) {
      expect(isServed(subFieldA({ ...none, [name]: true }))).toBe(true);
    }
  });

  test('maxChars is a positive integer', () => {
    expect(isServed(subFieldA({ maxChars: 1 }))).toBe(true);
    for (const maxChars of [0, -1, 1.5, '20', null, undefined, Number.NaN, Infinity, 2 ** 60]) {
      expect(isServed(subFieldA({ maxChars }))).toBe(false);
    }
  });

  test('options is "" and optionsArray is []', () => {
    const stored = { options: ' ', optionsArray: dropSubField.optionsArray };
    expect(served(subFieldA(stored))).toEqual(textField);
    for (const absent of [undefined, null]) {
      expect(served(subFieldA({ options: absent, optionsArray: absent }))).toEqual(textField);
    }
    expect(isServed(subFieldA({ options: 7 }))).toBe(false);
    for (const optionsArray of [{}, 'One:1', 7, false]) {
      expect(isServed(subFieldA({ optionsArray }))).toBe(false);
    }
  });
});

describe('SubField object, dropdown', () => {
  const subFieldA = (change: Record<string, unknown>) => ({
    ...dropField,
    subFieldA: { ...dropSubField, ...change },
  });

  test('alpha, numbers and symbols are always false', () => {
    for (const name of ['alpha', 'numbers', 'symbols']) {
      for (const ignored of [undefined, null, true]) {
        expect(served(subFieldA({ [name]: ignored }))).toEqual(dropField);
      }
      expect(isServed(subFieldA({ [name]: 'no' }))).toBe(false);
    }
  });

  test('maxChars does not apply', () => {
    expect(served(subFieldA({ maxChars: 20 }))).toEqual(dropField);
  });

  test('allowCopies is a boolean', () => {
    expect(isServed(subFieldA({ allowCopies: undefined }))).toBe(false);
  });

  test('options has a line <display>:<value> for each entry of optionsArray', () => {
    expect(served(subFieldA({ options: undefined }))).toEqual(dropField);
    expect(served(subFieldA({ options: 'out of step' }))).toEqual(dropField);
    expect(isServed(subFieldA({ options: 7 }))).toBe(false);
    const optionsArray = [{ value: 'a:b', display: '' }];
    expect(served(subFieldA({ optionsArray }))).toEqual(
      subFieldA({ optionsArray, options: ':a:b' }),
    );
  });

  test('optionsArray has at least one entry', () => {
    for (const optionsArray of [[], undefined, 'One:1']) {
      expect(isServed(subFieldA({ optionsArray }))).toBe(false);
    }
  });
});

test('Option object: value and display are strings, and nothing else is sent', () => {
  const withOption = (option: unknown) => ({
    ...dropField,
    subFieldA: { ...dropSubField, optionsArray: [option] },
  });
  // A map with a `toString` is not a string.
  const tricky = { toString: 'x' };
  for (const option of [
    { value: 1, display: 'x' },
    { value: 'x', display: 1 },
    { value: tricky, display: 'x' },
    { value: 'x', display: tricky },
    { value: 'x' },
    { display: 'x' },
    'x',
    null,
  ]) {
    expect(isServed(withOption(option))).toBe(false);
  }
  const field = served(withOption({ value: 'x', display: 'X', icon: '!' }));
  expect(field?.subFieldA.optionsArray).toEqual([{ value: 'x', display: 'X' }]);
});

describe('Component kinds', () => {
  test('a text field has a text input, a drop field a dropdown', () => {
    expect(isServed({ ...textField, subFieldA: dropSubField })).toBe(false);
    expect(isServed({ ...dropField, subFieldA: textSubField })).toBe(false);
  });

  test('a combo has any two inputs', () => {
    for (const subFieldA of [textSubField, dropSubField]) {
      for (const subFieldB of [textSubField, dropSubField]) {
        expect(served({ ...comboField, subFieldA, subFieldB })).toEqual({
          ...comboField,
          subFieldA,
          subFieldB,
        });
      }
    }
  });
});

describe('What is left out', () => {
  test.each([
    [
      1,
      ['1 field was left out because its stored configuration is not valid.'],
      [textField, { ...textField, id: 7 }],
    ],
    [
      2,
      ['2 fields were left out because their stored configuration is not valid.'],
      [null, textField, 'x'],
    ],
    [1, ['All fields were left out because they are not a list.'], {}],
    [1, ['All fields were left out because they are not a list.'], null],
    [0, [], []],
    [1, ['All fields were left out because the client has none stored.'], undefined],
  ])('is counted, and one warning tells the app: %i, %j', (leftOut, warnings, fields) => {
    const read = readConfiguration({ fields, lastFieldId: 1 });
    expect(read).toMatchObject({ leftOut, warnings });
    const isServed = Array.isArray(fields) && fields.includes(textField);
    expect(read.configuration.fields).toEqual(isServed ? [textField] : []);
  });
});

describe('Configuration result', () => {
  test('fields are in the order of the item', () => {
    const fields = ['3', '1', '2'].map((id) => ({ ...textField, id }));
    expect(read(...fields).configuration.fields).toEqual(fields);
  });

  test('the first of two fields with the same id is served', () => {
    const { configuration, leftOut } = read(textField, dropField, { ...comboField, id: 'f2' });
    expect(configuration.fields.map(({ fieldType }) => fieldType)).toEqual(['text', 'combo']);
    expect(leftOut).toBe(1);
  });

  test('an omitted field leaves its id free for a later field', () => {
    const { configuration } = read({ ...textField, mandatory: 7 }, dropField);
    expect(configuration.fields).toEqual([dropField]);
  });

  test('lastFieldId is derived from ids that JavaScript counts exactly, and from the number of fields', () => {
    const derivedFrom = (...ids: unknown[]) =>
      readConfiguration({ fields: ids.map((id) => ({ id })) }).configuration.lastFieldId;
    expect(derivedFrom('3', '999999999999999', '4')).toBe(999_999_999_999_999);
    expect(derivedFrom('1234567890123456')).toBe(1);
    expect(derivedFrom('7a', 'b8', '-9', '1.5', 20, null, '')).toBe(7);
    expect(derivedFrom('1', 'x', '2')).toBe(3);
    expect(derivedFrom()).toBe(0);
  });

  test('lastFieldId is an integer', () => {
    expect(readConfiguration({ lastFieldId: 0 }).configuration.lastFieldId).toBe(0);
    for (const lastFieldId of [undefined, '5', 1.5, null, 2 ** 53]) {
      const fields = [{ ...textField, id: '7' }];
      expect(readConfiguration({ fields, lastFieldId }).configuration.lastFieldId).toBe(7);
    }
  });
});

test('reading does not change a valid configuration', () => {
  fc.assert(
    fc.property(wireFields, fc.integer(), (fields, lastFieldId) => {
      const { configuration, leftOut, warnings } = readConfiguration({ fields, lastFieldId });
      expect(configuration).toEqual({ fields, lastFieldId });
      expect({ leftOut, warnings }).toEqual({ leftOut: 0, warnings: [] });
    }),
  );
});

test('for any item, the served fields are valid when read again, and the other fields are counted', () => {
  fc.assert(
    fc.property(storedFields, fc.anything(), (fields, lastFieldId) => {
      const { configuration, leftOut } = readConfiguration({ fields, lastFieldId });
      expect(configuration.fields.length + leftOut).toBe(fields.length);
      expect(readConfiguration({ ...configuration }).configuration).toEqual(configuration);
      expect(JSON.parse(JSON.stringify(configuration))).toEqual(configuration);
    }),
  );
});
