import fc from 'fast-check';

/**
 * The configuration of a client with a field of each kind, without any finding of the check. As
 * YAML.
 */
export const PIZZA = `clientId: pizza
lastFieldId: 3
fields:
  - id: "1"
    fieldType: drop
    fieldName: Favourite pizza
    mandatory: false
    appUIs: [profile]
    allowMultiple: true
    addButtonText: Add another
    subFieldA:
      subType: drop
      placeHolderText: Choose one
      allowCopies: false
      optionsArray:
        - { value: m, display: Margherita }
        - { value: f, display: Funghi }
  - id: "2"
    fieldType: text
    fieldName: Membership number
    mandatory: true
    appUIs: [register, profile]
    allowMultiple: false
    subFieldA:
      subType: text
      placeHolderText: "12345678"
      allowCopies: false
      alpha: false
      numbers: true
      symbols: false
      maxChars: 8
  - id: "3"
    fieldType: combo
    fieldName: Car
    mandatory: false
    subFieldA:
      subType: drop
      placeHolderText: Make
      allowCopies: true
      optionsArray:
        - { value: v, display: Volvo }
    subFieldB:
      subType: text
      placeHolderText: Model
      allowCopies: true
      alpha: true
      numbers: true
      symbols: true
      maxChars: 20
`;

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const wireText = fc
  .record({
    subType: fc.constant('text'),
    placeHolderText: text,
    allowCopies: fc.boolean(),
    alpha: fc.boolean(),
    numbers: fc.boolean(),
    symbols: fc.boolean(),
    maxChars: fc.oneof(
      fc.integer({ min: 1, max: 500 }),
      fc.maxSafeNat().map((n) => n || 1),
    ),
    options: fc.constant(''),
    optionsArray: fc.constant([]),
  })
  .filter(({ alpha, numbers, symbols }) => alpha || numbers || symbols);
const wireDrop = fc
  .record({
    subType: fc.constant('drop'),
    placeHolderText: text,
    allowCopies: fc.boolean(),
    alpha: fc.constant(false),
    numbers: fc.constant(false),
    symbols: fc.constant(false),
    optionsArray: fc.array(fc.record({ value: text, display: text }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map((drop) => ({
    ...drop,
    options: drop.optionsArray.map(({ display, value }) => `${display}:${value}`).join('\n'),
  }));
const common = {
  id: text.filter(Boolean),
  mandatory: fc.boolean(),
  fieldName: text,
  addButtonText: text,
};
const shown = { appUIs: fc.subarray(['register', 'profile']), allowMultiple: fc.boolean() };
const withOneInput = (fieldType: 'text' | 'drop', subFieldA: fc.Arbitrary<object>) =>
  fc.record({
    ...common,
    ...shown,
    fieldType: fc.constant(fieldType),
    subFieldA,
    subFieldB: fc.constant({}),
  });
const wireInput = fc.oneof(wireText, wireDrop);
/** A field as apps receive it. */
export const wireField = fc.oneof(
  withOneInput('text', wireText),
  withOneInput('drop', wireDrop),
  fc
    .tuple(
      fc.record({
        ...common,
        fieldType: fc.constant('combo'),
        subFieldA: wireInput,
        subFieldB: wireInput,
      }),
      fc.record(shown, { requiredKeys: [] }),
    )
    .map(([combo, more]) => ({ ...combo, ...more })),
);
/** The fields of a configuration as apps receive them. */
export const wireFields = fc.uniqueArray(wireField, { selector: ({ id }) => id, maxLength: 5 });

const attribute = fc.constantFrom(
  'id',
  'fieldType',
  'mandatory',
  'appUIs',
  'fieldName',
  'subFieldA',
  'subFieldB',
  'allowMultiple',
  'addButtonText',
);
const damaged = fc
  .tuple(wireField, fc.oneof(attribute, fc.string()), fc.anything())
  .map(([field, name, value]) => ({ ...field, [name]: value }));
// DynamoDB can store values under names that objects inherit.
const tricky = fc.constantFrom({ toString: 'x' }, { valueOf: {} }, JSON.parse('{"__proto__":{}}'));
const trickyOrText = fc.oneof(tricky, text);
const option = fc.oneof(
  fc.record({ value: trickyOrText, display: trickyOrText }),
  tricky,
  fc.anything(),
);
const withOptions = fc
  .tuple(wireField, fc.array(option, { minLength: 1, maxLength: 3 }))
  .map(([field, optionsArray]) => ({ ...field, subFieldA: { ...field.subFieldA, optionsArray } }));

/**
 * The fields of an item as operators may write them: good ones, damaged ones, and anything else.
 */
export const storedFields = fc.array(fc.oneof(wireField, damaged, withOptions, fc.anything()), {
  maxLength: 5,
});
