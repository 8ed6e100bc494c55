import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, contentDigest } from '../../../../core/configuration/content-digest.ts';

const digest = (fields?: AttributeValue, lastFieldId?: AttributeValue) =>
  contentDigest({ fields, lastFieldId });

test('a digest stays the same for ever, because drafts and the history keep it', () => {
  const fields = { L: [{ M: { id: { S: '1' }, appUIs: { SS: ['register', 'profile'] } } }] };
  expect(digest(fields, { N: '1' })).toBe(
    'd82cd2843765f02a1620e2d94971704fce79651d517d0c08ee1d9ee0af2b9e76',
  );
});

describe('contents that DynamoDB considers equal have the same digest', () => {
  test.each<[string, AttributeValue, AttributeValue]>([
    [
      'maps whose keys are in another order',
      { M: { a: { S: 'x' }, b: { M: { c: { N: '1' }, d: { NULL: true } } } } },
      { M: { b: { M: { d: { NULL: true }, c: { N: '1' } } }, a: { S: 'x' } } },
    ],
    ['sets of strings in another order', { SS: ['b', 'a'] }, { SS: ['a', 'b'] }],
    ['sets of numbers in another order', { NS: ['10', '9'] }, { NS: ['9', '10'] }],
    [
      'binary values from the API, and in base64 from the events of a stream',
      { B: new Uint8Array([1, 2, 255]) },
      { B: 'AQL/' as never },
    ],
    [
      'binary values that share their memory with others',
      { B: new Uint8Array([7, 1, 2, 255, 7]).subarray(1, 4) },
      { B: 'AQL/' as never },
    ],
    [
      'sets of binary values, likewise',
      { BS: [new Uint8Array([2]), new Uint8Array([1])] },
      { BS: ['AQ==', 'Ag=='] as never },
    ],
  ])('%s', (_, one, other) => {
    expect(digest(one)).toBe(digest(other));
    expect(digest({ L: [one] })).toBe(digest({ L: [other] }));
  });
});

describe('other contents have another digest', () => {
  test.each<[string, AttributeValue | undefined, AttributeValue | undefined]>([
    ['a number and a string of the same digits', { N: '1' }, { S: '1' }],
    [
      'numbers that differ after more digits than JavaScript holds',
      { N: '12345678901234567890123456789012345678' },
      { N: '12345678901234567890123456789012345679' },
    ],
    ['lists in another order', { L: [{ S: 'a' }, { S: 'b' }] }, { L: [{ S: 'b' }, { S: 'a' }] }],
    ['a list and a set', { L: [{ S: 'a' }] }, { SS: ['a'] }],
    ['an empty list and no list', { L: [] }, undefined],
    ['an empty list and an empty map', { L: [] }, { M: {} }],
    ['NULL and nothing', { NULL: true }, undefined],
    ['true and false', { BOOL: true }, { BOOL: false }],
    ['a string that looks like the JSON of two', { SS: ['a","b'] }, { SS: ['a', 'b'] }],
    ['a further key', { M: { a: { S: 'x' } } }, { M: { a: { S: 'x' }, b: { S: '' } } }],
  ])('%s', (_, one, other) => {
    expect(digest(one)).not.toBe(digest(other));
  });

  test('and what is in one attribute is not in the other', () => {
    expect(digest({ N: '1' })).not.toBe(digest(undefined, { N: '1' }));
  });
});

test('any value has one canonical form, in which the order of keys and members is gone', () => {
  const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.string().map((S) => ({ S })),
      fc.bigInt().map((n) => ({ N: String(n) })),
      fc.boolean().map((BOOL) => ({ BOOL })),
      fc.uniqueArray(fc.string(), { minLength: 1 }).map((strings) => ({ SS: strings })),
      fc.array(tie('value')).map((L) => ({ L })),
      fc.dictionary(fc.string(), tie('value')).map((M) => ({ M })),
    ) as fc.Arbitrary<AttributeValue>,
  }));
  fc.assert(
    fc.property(value, (one) => {
      const json = canonicalJson(one);
      expect(canonicalJson(JSON.parse(json))).toBe(json);
      expect(canonicalJson(reversed(one))).toBe(json);
    }),
  );
});

/** The same value with the keys of its maps and the members of its sets in the opposite order. */
function reversed(value: AttributeValue): AttributeValue {
  if (value.SS) return { SS: value.SS.toReversed() };
  if (value.L) return { L: value.L.map(reversed) };
  if (!value.M) return value;
  const entries = Object.entries(value.M).toReversed();
  return { M: Object.fromEntries(entries.map(([name, part]) => [name, reversed(part)])) };
}
