import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { appliedEventId } from 'customer-data-api/promo-events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapedId, looksAlike } from '../../../promo-events/same-user-or-code.ts';
import { storedSpellings } from '../../../promo-events/stored-spellings.ts';

/** A table that has a code of each user, and counts queries. */
function tableOf(users: readonly string[]) {
  const keys = users.map((userId) => appliedEventId({ userId, promoCode: 'CODE' }));
  const asked: string[] = [];
  const send = async ({ input }: { input: { ExpressionAttributeValues: object } }) => {
    const { ':prefix': prefix } = Object(input.ExpressionAttributeValues);
    asked.push(prefix);
    return { Items: keys.filter((eventId) => eventId.startsWith(prefix)).slice(0, 1) };
  };
  const documentClient = { send } as unknown as DynamoDBDocumentClient;
  return { asked, table: { documentClient, tableName: 'PromoEvents' } };
}

/** The spellings of letters: Vietnamese, Hangul, signs, and one that no normal form composes. */
const LETTERS = [
  ...'aZ7 %#',
  ['\u00e9', 'e\u0301'],
  ['\u1ec7', '\u00ea\u0323', '\u1eb9\u0302', 'e\u0323\u0302', 'e\u0302\u0323'],
  ['\ud55c', '\ud558\u11ab', '\u1112\u1161\u11ab'],
  ['\u212b', '\u00c5', 'A\u030a'],
  ['\u0958', '\u0915\u093c'],
  ['K', '\u212a'],
];
const inAnySpelling = (letters: (string | string[])[]) =>
  fc
    .tuple(...letters.map((spellings) => fc.constantFrom(...[spellings].flat())))
    .map((spelled) => spelled.join(''));
const spellings = fc
  .oneof(
    fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 20 }),
    fc.uuid().map((uuid) => [...uuid].map((letter) => [letter, letter.toUpperCase()])),
  )
  .chain((letters) => fc.array(inAnySpelling(letters), { minLength: 3, maxLength: 3 }));

test('the spellings of a user id that the table has are found, and no other user, with tens of queries', async () => {
  await fc.assert(
    fc.asyncProperty(spellings, async ([userId = '', ...stored]) => {
      const others = [`${userId}a`, userId.slice(0, -1), userId.replace(/[aZK]/g, 'e'), 'a'];
      const { table, asked } = tableOf([...stored, ...others]);
      const found = await storedSpellings(table, { clientId: 'demo', userId });
      const alike = [...stored, ...others].filter((other) => looksAlike(userId, other));
      expect(found.toSorted()).toEqual([...new Set(alike)].sort());
      expect(asked.length).toBeLessThan(150);
      for (const one of found) {
        expect(JSON.parse(escapedId(one))).toBe(one);
        expect(escapedId(one)).toMatch(/^[ -~]*$/);
      }
    }),
  );
});

test('an id that has one spelling is not looked for, and none is longer than an id can be', async () => {
  const { table, asked } = tableOf([]);
  const jane = { clientId: 'demo', userId: "jane#1%23' 試" };
  expect(await storedSpellings(table, jane)).toEqual([jane.userId]);
  expect(asked).toEqual([]);
  const userId = '\ud55c'.repeat(85);
  const long = tableOf([userId]);
  expect(await storedSpellings(long.table, { clientId: 'demo', userId })).toEqual([userId]);
  for (const prefix of long.asked) expect(prefix.length).toBeLessThan(1024);
});
