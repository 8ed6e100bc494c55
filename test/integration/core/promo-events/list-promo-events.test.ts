import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  listPromoEvents,
  type PromoEventFilter,
} from '../../../../core/promo-events/list-promo-events.ts';
import { appliedEventId } from '../../../../core/promo-events/promo-event.ts';
import { eventOf } from '../../../support/promo-event.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

/* One user and one code begin with another, which must not find them. */
const EVENTS = [
  ['ann', 'A', '2026-11-20T09:00:00.000Z'],
  ['ann', 'B', '2026-11-20T10:00:00.000Z'],
  ['annette', 'A', '2026-11-20T10:00:00.000Z'],
  ['bob', 'A', '2026-11-20T11:00:00.000Z'],
  ['bob', 'AB', '2026-11-20T09:00:00.000Z'],
].map(([userId = '', promoCode = '', receivedAt = '']) =>
  eventOf(userId, { promoCode, receivedAt, promoCodeToken: 'secret' }),
);

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
  const documentClient = DynamoDBDocumentClient.from(tables.dynamodb);
  for (const event of [...EVENTS, eventOf('ann', { clientId: 'another' })]) {
    const Item = { ...event, eventId: appliedEventId(event), kind: 'applied' };
    await documentClient.send(new PutCommand({ TableName: tables.promoEventsTableName, Item }));
  }
});
afterAll(() => tables.stop());

async function list(filter: Omit<PromoEventFilter, 'clientId'>) {
  const table = { dynamodb: tables.dynamodb, tableName: tables.promoEventsTableName };
  const events: object[] = [];
  for await (const event of listPromoEvents(table, { clientId: 'demo', ...filter })) {
    events.push(event);
  }
  return events;
}

test.each<[what: string, filter: Omit<PromoEventFilter, 'clientId'>, found: string[]]>([
  ['of the client', {}, ['ann A', 'ann B', 'annette A', 'bob A', 'bob AB']],
  ['of a user', { userId: 'ann' }, ['ann A', 'ann B']],
  ['of a code', { promoCode: 'A' }, ['ann A', 'annette A', 'bob A']],
  ['of a user and a code', { userId: 'bob', promoCode: 'A' }, ['bob A']],
  ['since a time', { since: '2026-11-20T10:00:00.000Z' }, ['ann B', 'annette A', 'bob A']],
  ['of a user since a time', { userId: 'ann', since: '2026-11-20T10:00:00.000Z' }, ['ann B']],
  [
    'of a code since a time',
    { promoCode: 'A', since: '2026-11-20T10:00:00.000Z' },
    ['annette A', 'bob A'],
  ],
  ['that are none', { userId: 'nobody' }, []],
])('the events %s are listed by user and code', async (_, filter, found) => {
  const events = (await list(filter)) as { userId: string; promoCode: string }[];
  expect(events.map(({ userId, promoCode }) => `${userId} ${promoCode}`)).toEqual(found);
});

test('a listed event has what operators see, and not the token of its code', async () => {
  const { promoCodeToken: _, clientId: __, ...event } = EVENTS[0] ?? eventOf('');
  expect(await list({ userId: 'ann', promoCode: 'A' })).toEqual([{ ...event, kind: 'applied' }]);
});
