import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSimilar } from '../../../../admin/promo-events/similar-promo-events.ts';
import { appliedEventId } from '../../../../core/promo-events/promo-event.ts';
import { eventOf } from '../../../support/promo-event.ts';
import { startTables } from '../../../support/tables.ts';

const AT = '2026-11-20T09:30:00.000Z';

const EVENTS = [
  ['ann', 'SUMMER26'],
  ['ann', 'sum mer26'],
  ['ann', 'SUMMER27'],
  ['BOB', 'SUMMER26'],
  ['Bob', 'WINTER'],
  ['carl ', 'SUMMER26'],
  [' dora', 'SUMMER26'],
].map(([userId = '', promoCode = '']) => eventOf(userId, { promoCode, receivedAt: AT }));

const tables = await startTables();
beforeAll(async () => {
  const documentClient = DynamoDBDocumentClient.from(tables.dynamodb);
  for (const event of [...EVENTS, eventOf('ann', { clientId: 'another', promoCode: 'summer26' })]) {
    const Item = { ...event, eventId: appliedEventId(event), kind: 'applied' };
    await documentClient.send(new PutCommand({ TableName: tables.promoEventsTableName, Item }));
  }
});
afterAll(() => tables.stop());

test.each<
  [
    what: string,
    userId: string | undefined,
    promoCode: string | undefined,
    found: string[],
    others: number,
  ]
>([
  ['a code in another case, with spaces', 'ann', 'Summer26', ['ann SUMMER26', 'ann sum mer26'], 1],
  ['no similar code of the user, and never one of others', 'ann', 'WINTER', [], 3],
  ['an id in another case', 'bob', undefined, ['BOB SUMMER26', 'Bob WINTER'], 0],
  ['an id in another case, with a similar code', 'bob', 'winter', ['Bob WINTER'], 0],
  ['an id in another case, if this one has other codes', 'BOB', 'WINTER', ['Bob WINTER'], 1],
  ['an id without the space after it', 'carl', undefined, ['carl  SUMMER26'], 0],
  ['an id without the space before it', 'dora', undefined, [' dora SUMMER26'], 0],
  ['an id with a space that it does not have', ' ann ', 'SUMMER27', ['ann SUMMER27'], 0],
  ['a code of any user in another case', undefined, 'winter', ['Bob WINTER'], 0],
  ['nothing', 'anne', undefined, [], 0],
  ['nothing without a user and a code', undefined, undefined, [], 0],
])('%s is found', async (_, userId, promoCode, found, others) => {
  const table = { dynamodb: tables.dynamodb, tableName: tables.promoEventsTableName };
  const result = await findSimilar(table, { clientId: 'demo', userId, promoCode });
  expect(result.similar.map((event) => `${event.userId} ${event.promoCode}`)).toEqual(found);
  expect(result.others).toBe(others);
});
