import { PassThrough } from 'node:stream';
import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { diffConfigurations, printDifferences } from '../../../../cli/config/diff.ts';
import { describeChanges } from '../../../../core/configuration/describe-changes.ts';
import { PIZZA } from '../../../support/configurations.ts';

const NEW_FIELD =
  '  - { id: "4", fieldType: text, fieldName: Company, mandatory: true, appUIs: [profile], allowMultiple: false }\n';

/** What the command prints if a text is replaced. */
function diff(
  from: string,
  to: string,
): { sentences: readonly string[]; lines: readonly string[] } {
  const after = PIZZA.replace(from, () => to);
  expect(after).not.toBe(PIZZA);
  const { changes, lines } = diffConfigurations(
    { name: 'pizza', content: parse(PIZZA) },
    { name: 'pizza.yaml', content: parse(after) },
  );
  return { sentences: changes, lines };
}

test.each<[from: string, to: string, sentences: string[]]>([
  ['Favourite pizza', 'Pizza', ['Favourite pizza is now called Pizza.']],
  ['mandatory: false', 'mandatory: true', ['Favourite pizza becomes mandatory.']],
  ['mandatory: true', 'mandatory: false', ['Membership number becomes optional.']],
  [
    'appUIs: [profile]',
    'appUIs: [register, profile]',
    ['Favourite pizza is shown in register and profile instead of profile.'],
  ],
  ['appUIs: [profile]', 'appUIs: []', ['Favourite pizza is shown in no UI instead of profile.']],
  [
    'allowMultiple: true',
    'allowMultiple: false',
    [
      'Favourite pizza can no longer be added several times; further values that customers entered stay.',
    ],
  ],
  [
    'addButtonText: Add another',
    'addButtonText: More',
    ['Favourite pizza: the button for another one is More instead of Add another.'],
  ],
  [
    '        - { value: f, display: Funghi }\n',
    '',
    [
      'Favourite pizza: option Funghi is removed: customers who chose it keep a value that is no longer offered.',
    ],
  ],
  [
    '        - { value: f',
    '        - { value: s, display: Salami }\n        - { value: f',
    ['Favourite pizza: option Salami is added.'],
  ],
  [
    'display: Funghi',
    'display: Mushrooms',
    ['Favourite pizza: option Funghi is now called Mushrooms.'],
  ],
  [
    '        - { value: m, display: Margherita }\n        - { value: f, display: Funghi }',
    '        - { value: f, display: Funghi }\n        - { value: m, display: Margherita }',
    ['Favourite pizza: the options are in another order.'],
  ],
  [
    'maxChars: 8',
    'maxChars: 6',
    ['Membership number accepts 6 characters instead of 8; longer values stay.'],
  ],
  ['maxChars: 8', 'maxChars: 9', ['Membership number accepts 9 characters instead of 8.']],
  ['alpha: false', 'alpha: true', ['Membership number permits letters.']],
  [
    'symbols: true',
    'symbols: false',
    ['Car (subFieldB) no longer permits symbols; values that have them stay.'],
  ],
  [
    'placeHolderText: Model',
    'placeHolderText: ""',
    ['Car (subFieldB): the placeholder is empty instead of Model.'],
  ],
  [
    'fieldType: text',
    'fieldType: drop',
    ['Membership number becomes drop instead of text; values that customers entered may not fit.'],
  ],
  ['lastFieldId: 3', 'lastFieldId: 4', ['lastFieldId is 4 instead of 3.']],
  ['lastFieldId: 3\n', '', ['lastFieldId is nothing instead of 3.']],
  [
    'fields:',
    'others:',
    ['Favourite pizza', 'Membership number', 'Car'].map(
      (name) => `${name} is removed: customers keep values that no app shows.`,
    ),
  ],
  [
    'lastFieldId: 3\nfields:\n',
    `lastFieldId: 4\nfields:\n${NEW_FIELD}`,
    ['Company is added as number 1: text, mandatory.', 'lastFieldId is 4 instead of 3.'],
  ],
  [
    'id: "3"',
    'id: "4"',
    [
      'Car is removed: customers keep values that no app shows.',
      'Car is added as number 3: combo, optional.',
    ],
  ],
  ['fieldName: Car', 'fieldName: Car\n    colour: red', ['Car: colour is red instead of nothing.']],
  [
    'allowMultiple: false',
    'allowMultiple: true',
    ['Membership number can be added several times.'],
  ],
  [
    'subType: text\n      placeHolderText: Model',
    'subType: drop\n      placeHolderText: Model',
    ['Car (subFieldB): the kind of input is drop instead of text.'],
  ],
  [
    'allowCopies: false\n      alpha',
    'allowCopies: true\n      alpha',
    ['Membership number accepts the same value twice.'],
  ],
  [
    'Make\n      allowCopies: true',
    'Make\n      allowCopies: false',
    ['Car (subFieldA) no longer accepts the same value twice.'],
  ],
  [
    'numbers: true\n      symbols: false',
    'numbers: false\n      symbols: false',
    ['Membership number no longer permits digits; values that have them stay.'],
  ],
  ['maxChars: 8', 'maxChars: "8"', ['Membership number: maxChars is "8" instead of 8.']],
  ['      maxChars: 8\n', '', ['Membership number: maxChars is nothing instead of 8.']],
  [
    'mandatory: true',
    'mandatory: "true"',
    ['Membership number: mandatory is "true" instead of true.'],
  ],
  [
    'fieldName: Car\n    mandatory: false',
    'fieldName: Car\n    mandatory: false\n    allowMultiple: true',
    ['Car can be added several times.'],
  ],
  [
    '      optionsArray:\n        - { value: m, display: Margherita }\n        - { value: f, display: Funghi }\n',
    '',
    ['Margherita', 'Funghi'].map(
      (option) =>
        `Favourite pizza: option ${option} is removed: customers who chose it keep a value that is no longer offered.`,
    ),
  ],
  [
    'appUIs: [profile]',
    'appUIs: [profile, 7]',
    ['Favourite pizza is shown in ["profile",7] instead of profile.'],
  ],
  ['fieldName: Car', 'fieldName: true', ['Car: fieldName is true instead of Car.']],
  [
    'fieldName: Car',
    'fieldName: Car\n    addButtonText: More',
    ['Car: addButtonText is More instead of nothing.'],
  ],
  ['fieldName: Car', 'fieldName: ""', ['Car is now called empty.']],
])('%j replaced by %j', (from, to, sentences) => {
  expect(diff(from, to).sentences).toEqual(sentences);
});

describe('a field with the id of another one', () => {
  const [head = '', ...fields] = PIZZA.split(/(?= {2}- id:)/);
  const [pizza = '', number = '', car = ''] = fields;
  const withId = (field: string, id: number) => field.replace(/"\d"/, `"${id}"`);
  const sentences = (...after: string[]) => diff(fields.join(''), after.join('')).sentences;

  test('and the other way round is a swap, whatever else changes', () => {
    expect(head).toContain('clientId');
    const swapped = withId(car, 1).replace('maxChars: 20', 'maxChars: 30');
    expect(sentences(withId(pizza, 3), number, swapped)).toEqual([
      'Car and Favourite pizza have swapped their ids: what customers entered for one appears in the other.',
      'Car (subFieldB) accepts 30 characters instead of 20.',
    ]);
    expect(sentences(withId(car, 1), number, withId(pizza, 3))).toEqual([
      'Favourite pizza and Car have swapped their ids: what customers entered for one appears in the other.',
      'The order of the fields is now Car, Membership number, Favourite pizza.',
    ]);
  });

  test('that is gone gets the values of that one', () => {
    expect(sentences(number, withId(car, 1))).toEqual([
      "Car now has id 1, which was Favourite pizza's: what customers entered for Favourite pizza appears in Car, and what they entered for Car is shown nowhere.",
      'Favourite pizza is removed.',
    ]);
  });

  test('in a circle is described for each', () => {
    expect(sentences(withId(pizza, 2), withId(number, 3), withId(car, 1))).toEqual([
      "Favourite pizza now has id 2, which was Membership number's: what customers entered for Membership number appears in Favourite pizza.",
      "Membership number now has id 3, which was Car's: what customers entered for Car appears in Membership number.",
      "Car now has id 1, which was Favourite pizza's: what customers entered for Favourite pizza appears in Car.",
    ]);
  });

  test('whose own id a new field has is described with it', () => {
    const added = withId(number, 3).replace('Membership number', 'Company');
    expect(sentences(withId(car, 1), number, added)).toEqual([
      "Car now has id 1, which was Favourite pizza's: what customers entered for Favourite pizza appears in Car.",
      "Company now has id 3, which was Car's: what customers entered for Car appears in Company.",
      'Favourite pizza is removed.',
      'Company is added as number 3: text, mandatory.',
      'The order of the fields is now Car, Membership number.',
    ]);
  });

  test('is not one whose caption alone is that of another', () => {
    expect(
      sentences(pizza.replace('Favourite pizza', 'Car'), number, car.replace(': Car', ': Pizza')),
    ).toEqual(['Favourite pizza is now called Car.', 'Car is now called Pizza.']);
  });
});

test('two fields that swap their captions, or get the same, keep their ids', () => {
  const one = { id: '1', fieldName: 'A', mandatory: true };
  const other = { id: '2', fieldName: 'B', mandatory: false };
  expect(
    between(
      [one, other],
      [
        { ...one, fieldName: 'B' },
        { ...other, fieldName: 'A' },
      ],
    ),
  ).toEqual(['A is now called B.', 'B is now called A.']);
  const same = { ...other, mandatory: true };
  expect(between([one, same], [{ ...one, fieldName: 'B' }, same])).toEqual(['A is now called B.']);
});

test('fields in another order', () => {
  const [head = '', one = '', two = '', three = ''] = PIZZA.split(/(?= {2}- id:)/);
  expect(diff(`${one}${two}${three}`, `${three}${one}${two}`).sentences).toEqual([
    'The order of the fields is now Car, Favourite pizza, Membership number.',
  ]);
  expect(head).toContain('clientId');
});

/** The sentences about two lists of fields. */
function between(before: unknown, after: unknown): string[] {
  return describeChanges({ fields: before }, { fields: after });
}

test('a number with more digits than JavaScript has is compared and shown with all of them', () => {
  const [one, other] = ['12345678901234567890123', '12345678901234567890124'];
  const item = (digits: string) => ({ lastFieldId: NumberValue.from(digits) });
  expect(describeChanges(item(one), item(one))).toEqual([]);
  expect(describeChanges(item(one), item(other))).toEqual([
    `lastFieldId is ${other} instead of ${one}.`,
  ]);
});

test('nothing is said about what a pulled file has beside the configuration', () => {
  const file = { clientId: 'pizza', base: 'abc', lastFieldId: 1, fields: [] };
  const { lastFieldId, fields } = file;
  expect(describeChanges(file, { lastFieldId, fields })).toEqual([]);
  expect(describeChanges({ ...file, feilds: [] }, file)).toEqual([
    'The attribute feilds is removed.',
  ]);
});

test('fields without an id belong together by their position', () => {
  expect(
    between([{ fieldName: 'A' }, { fieldName: 'B' }], [{ fieldName: 'A' }, { fieldName: 'C' }]),
  ).toEqual(['B is now called C.']);
  const [one, other] = [
    { fieldName: 'A', maxChars: 1 },
    { fieldName: 'B', maxChars: 2 },
  ];
  expect(between([one, other], [other, one])).toContain('A is now called B.');
});

test('a field without a caption is named by its id', () => {
  const removed = 'is removed: customers keep values that no app shows.';
  expect(between([{ id: '7' }, { id: '8', fieldName: '' }, { id: '9', fieldName: 9 }], [])).toEqual(
    ['7', '8', '9'].map((id) => `Field ${id} ${removed}`),
  );
});

test('a client without fields gets one', () => {
  expect(between(undefined, [{ id: '1', fieldName: 'A', fieldType: 'text' }])).toEqual([
    'A is added as number 1: text, optional.',
  ]);
});

test.each([null, 'none', {}])('fields that are %j are none, and are replaced', (fields) => {
  expect(between(fields, [{ id: '1', fieldName: 'A', fieldType: 'text' }])).toEqual([
    'fields was not a list, so apps got none of it: it is replaced.',
    'A is added as number 1: text, optional.',
  ]);
  expect(between(fields, fields)).toEqual([]);
});

test('what is not a field is described too', () => {
  expect(between([null, 'text', []], [null, 'text', [], undefined])).toEqual([
    'A field without an id is added as number 4: nothing, optional.',
  ]);
});

test('the lines are a unified diff of the YAML', () => {
  expect(diff('mandatory: true', 'mandatory: false').lines).toEqual([
    '--- pizza',
    '+++ pizza.yaml',
    '@@ -20,9 +20,9 @@',
    '           display: Funghi',
    '   - id: "2"',
    '     fieldType: text',
    '     fieldName: Membership number',
    '-    mandatory: true',
    '+    mandatory: false',
    '     appUIs:',
    '       - register',
    '       - profile',
    '     allowMultiple: false',
  ]);
});

test('another order of attributes, and another base, are no difference', () => {
  const differences = diffConfigurations(
    { name: 'a', content: { base: 'x', fields: [{ id: '1', fieldName: 'A' }] } },
    { name: 'b', content: { fields: [{ fieldName: 'A', id: '1' }] } },
  );
  expect(differences).toEqual({ changes: [], lines: [] });
});

describe('differences are printed', () => {
  const printed = (changes: readonly string[], lines: readonly string[], terminal = {}) => {
    const stream = Object.assign(new PassThrough(), terminal);
    printDifferences({ changes, lines }, stream);
    return String(stream.read());
  };

  test('with the sentences before the lines, and without control characters', () => {
    expect(printed(['A\u001b[2J is removed.', 'B is added.'], ['--- a', '+++ b'])).toBe(
      'A\\u001b[2J is removed.\nB is added.\n\n--- a\n+++ b\n',
    );
  });

  test('on a terminal in its width, and in the colours of a diff', () => {
    const terminal = { isTTY: true, columns: 12 };
    const lines = ['-old', '+new', '@@ -1 +1 @@', ' the same'];
    expect(printed(['A is called B.'], lines, terminal)).toBe(
      [
        ...['A is called', 'B.', '', '\u001b[31m-old\u001b[39m', '\u001b[32m+new\u001b[39m'],
        ...['\u001b[36m@@ -1 +1 @@\u001b[39m', ' the same', ''],
      ].join('\n'),
    );
  });
});
