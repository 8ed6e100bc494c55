import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { ANY_CHARACTER } from './any-character.ts';

/** Names and texts that mean something to JavaScript, or to the service. */
const TROUBLESOME = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'length',
  'then',
  'clientId',
  'appIds',
  'userPoolClientIds',
  'fields',
  'lastFieldId',
  'lastChange',
  'id',
  'fieldType',
  'fieldName',
  'appUIs',
  'subFieldA',
  'subFieldB',
  'subType',
  'options',
  'optionsArray',
  'value',
  'display',
  'maxChars',
  'text',
  'drop',
  'combo',
  '',
  ',',
];
/** Numbers of DynamoDB, which has 38 digits and exponents from -130 to 125. */
const NUMBERS = [
  '0',
  '1',
  '-1',
  '0.5',
  '1E+20',
  '1E+125',
  '-1E+125',
  '1E-130',
  '9007199254740993',
  '99999999999999999999999999999999999999',
  '1.5000000000000000000000000000000000001',
];
/** A field that is served, in DynamoDB's JSON. */
const FIELD = marshall({
  id: '1',
  fieldType: 'drop',
  mandatory: true,
  fieldName: 'Car',
  appUIs: ['profile'],
  allowMultiple: false,
  subFieldA: {
    subType: 'drop',
    allowCopies: true,
    optionsArray: [{ value: 'v', display: 'Volvo' }],
  },
});
/** The depth that DynamoDB accepts. */
const MAX_DEPTH = 32;

const text = fc.oneof(
  fc.constantFrom(...TROUBLESOME),
  fc.string({ unit: ANY_CHARACTER, maxLength: 8 }),
);
const digits = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer().map(String));
const bytes = fc.uint8Array({ maxLength: 8 });

/** A map without the rules of an object literal: `__proto__` is a key like any other. */
function mapOf<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.array(fc.tuple(text, value), { maxLength: 5 }).map(Object.fromEntries);
}

const { nested } = fc.letrec<{ nested: AttributeValue }>((tie) => ({
  nested: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map((S) => ({ S })),
    digits.map((N) => ({ N })),
    bytes.map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true }),
    fc.uniqueArray(text, { maxLength: 3 }).map((SS) => ({ SS })),
    fc.uniqueArray(digits, { maxLength: 3 }).map((NS) => ({ NS })),
    fc.array(bytes, { maxLength: 3 }).map((BS) => ({ BS })),
    fc.array(tie('nested'), { maxLength: 4 }).map((L) => ({ L })),
    mapOf(tie('nested')).map((M) => ({ M })),
  ) as fc.Arbitrary<AttributeValue>,
}));

const deep = fc
  .tuple(nested, fc.array(fc.constantFrom('L', ...TROUBLESOME), { maxLength: MAX_DEPTH - 6 }))
  .map(([value, path]) =>
    path.reduce<AttributeValue>(
      (inner, name) => (name === 'L' ? { L: [inner] } : { M: Object.fromEntries([[name, inner]]) }),
      value,
    ),
  );

/** Any value of an attribute, in DynamoDB's JSON. */
export const attributeValue = fc.oneof({ weight: 4, arbitrary: nested }, deep);

/** Attributes of an item with any names and values. */
export const attributes = mapOf(attributeValue);

/** Attributes that the service reads, most of them damaged in one place. */
const known = fc.record(
  {
    appIds: fc.oneof(fc.constant({ SS: ['key'] }), attributeValue),
    userPoolClientIds: fc.oneof(fc.constant({ SS: ['app'] }), attributeValue),
    lastFieldId: digits.map((N) => ({ N })),
    lastChange: damaged({
      id: { S: '1' },
      by: { S: 'ann' },
      at: { S: '2026-11-21T09:00:00.000Z' },
      message: { S: 'Because' },
      restores: { N: '1' },
    }),
    fields: fc.array(damaged(FIELD), { maxLength: 3 }).map((L) => ({ L })),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, AttributeValue>>;

function damaged(map: Readonly<Record<string, AttributeValue>>): fc.Arbitrary<AttributeValue> {
  const name = fc.oneof(fc.constantFrom(...Object.keys(map)), text);
  return fc
    .array(fc.tuple(name, attributeValue), { maxLength: 2 })
    .map((wrong) => ({ M: Object.fromEntries([...Object.entries(map), ...wrong]) }));
}

/** The attributes of an item of a client, as anybody may have edited it, without its key. */
export const clientAttributes = fc
  .tuple(attributes, known)
  .map(
    ([any, other]): Record<string, AttributeValue> =>
      Object.fromEntries([...Object.entries(any), ...Object.entries(other)]),
  );
