import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, contentDigest } from '../../../../core/clients/content-digest.ts';
import { StoredConfiguration } from '../../../../core/clients/stored-configuration.ts';

const digest = (fields?: AttributeValue, language?: AttributeValue) =>
  contentDigest({ fields, language });
const [one, two] = [new Uint8Array([1, 2, 255]), new Uint8Array([7, 1, 2, 255, 7])];

test('a digest stays the same for ever, because drafts and the history keep it', () => {
  const fields = { L: [{ M: { id: { S: '1' }, appUIs: { SS: ['register', 'profile'] } } }] };
  expect(digest(fields)).toBe('0bbb09ed19a4830416868b353f2267242c6457cc2671760bd56d6f06bb509ac9');
});

test('a language is content', () => {
  const languages = [undefined, { S: 'en' }, { S: 'de' }];
  expect(new Set(languages.map((language) => digest({ L: [] }, language))).size).toBe(3);
});

test('lastFieldId is no content, but a write of another one is a change', () => {
  const [stored, raised] = ['1', '2'].map((N) => ({ fields: { L: [] }, lastFieldId: { N } }));
  expect(contentDigest({ ...raised })).toBe(contentDigest({ ...stored }));
  const written = (content: object) => new StoredConfiguration(content).written;
  expect(written({ ...raised })).not.toBe(written({ ...stored }));
  expect(written({ ...stored, language: undefined })).toBe(written({ ...stored }));
});

test.each<[string, AttributeValue, AttributeValue]>([
  ['numbers in another order', { NS: ['10', '9'] }, { NS: ['9', '10'] }],
  // The events of a stream have base64.
  ['bytes', { B: one }, { B: 'AQL/' as never }],
  ['bytes that share their memory with others', { B: two.subarray(1, 4) }, { B: one }],
  ['bytes in a set', { BS: [two, one] }, { BS: ['AQL/', 'BwEC/wc='] as never }],
])('contents that DynamoDB considers equal have the same digest: %s', (_, value, other) => {
  expect(digest(value)).toBe(digest(other));
  expect(digest({ L: [value] })).toBe(digest({ L: [other] }));
});

test.each<[string, AttributeValue | undefined, AttributeValue | undefined]>([
  ['a number and a string of the same digits', { N: '1' }, { S: '1' }],
  ['numbers with more digits than JavaScript has', { N: '9'.repeat(38) }, { N: '9'.repeat(37) }],
  ['lists in another order', { L: [{ S: 'a' }, { S: 'b' }] }, { L: [{ S: 'b' }, { S: 'a' }] }],
  ['a list and a set', { L: [{ S: 'a' }] }, { SS: ['a'] }],
  ['an empty list and no list', { L: [] }, undefined],
  ['an empty list and an empty map', { L: [] }, { M: {} }],
  ['NULL and nothing', { NULL: true }, undefined],
  ['true and false', { BOOL: true }, { BOOL: false }],
  ['a string that looks like the JSON of two', { SS: ['a","b'] }, { SS: ['a', 'b'] }],
  ['a further key', { M: { a: { S: 'x' } } }, { M: { a: { S: 'x' }, b: { S: '' } } }],
])('other contents have another digest: %s', (_, value, other) => {
  expect(digest(value)).not.toBe(digest(other));
  expect(digest(value)).not.toBe(digest(undefined, value));
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
    fc.property(value, (any) => {
      const json = canonicalJson(any);
      expect(canonicalJson(JSON.parse(json))).toBe(json);
      expect(canonicalJson(reversed(any))).toBe(json);
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
