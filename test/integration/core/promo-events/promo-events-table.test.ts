import {
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { createDocumentClient } from '../../../../core/aws/document-client.ts';
import { type PromoEvent, readPromoEvent } from '../../../../core/promo-events/promo-event.ts';
import { storePromoEvent } from '../../../../core/promo-events/promo-events-table.ts';
import { ANY_CHARACTER } from '../../../support/any-character.ts';
import { itemsIn } from '../../../support/items-in.ts';
import { eventOf } from '../../../support/promo-event.ts';
import { runs } from '../../../support/runs.ts';
import { stubEnvironment, testIssuer } from '../../../support/started-function.ts';
import { startTables } from '../../../support/tables.ts';

/*
 * What the table has after batches that fail in part, and after an expiry between two calls.
 */

const CONTEXT = { getRemainingTimeInMillis: () => 20_000 };

const tables = await startTables();
const TableName = tables.promoEventsTableName;
const dynamodb = DynamoDBDocumentClient.from(tables.dynamodb);
stubEnvironment(testIssuer(), '', tables.endpoint);
vi.stubEnv('PROMO_EVENTS_TABLE_NAME', TableName);
vi.stubEnv('ERASURES_TABLE_NAME', tables.erasuresTableName);
vi.stubEnv('PROMO_EVENT_RETENTION_DAYS', '100');
vi.stubEnv('STORE_DEVICE_IDS', 'true');
const table = {
  documentClient: createDocumentClient(tables.endpoint),
  tableName: TableName,
  retentionDays: 100,
};
const store = async (event: PromoEvent, signal: AbortSignal) =>
  (await storePromoEvent(table, event, signal)).kind;
const { handler: drain } = (await import(
  '../../../../functions/store-queued-promo-events/handler.ts'
)) as { handler: (event: SQSEvent, context: unknown) => Promise<unknown> };
afterAll(async () => {
  vi.unstubAllEnvs();
  await tables.stop();
});

// An older event is not stored.
const receivedAt = new Date().toISOString();
const EVENT = eventOf('a', { promoCode: 'X', codeIdentity: 'X', receivedAt });
const LATER = {
  promoCodeToken: 'token',
  requestDate: '2026-07-20T11:00:00.000Z',
  receivedAt: new Date(Date.parse(receivedAt) + 3000).toISOString(),
};

async function stored(clientId: string): Promise<unknown> {
  return sorted(await itemsIn(TableName, dynamodb, clientId));
}

/** The items of events that are all applications. */
function applied(...events: readonly PromoEvent[]): unknown {
  return sorted(
    events.map((event) => ({
      ...event,
      eventId: `${event.userId}#${event.promoCode}#applied`,
      kind: 'applied',
      expiresAt: Math.floor(Date.parse(event.receivedAt) / 1000) + 100 * 24 * 60 * 60,
    })),
  );
}

function sorted(items: readonly object[]): string[] {
  return items.map((item) => JSON.stringify(Object.entries(item).sort())).sort();
}

test('only the failed messages of a batch are delivered again, and all of them if there is no time', async () => {
  const events = ['a', 'down', 'b'].map((userId) => ({ ...EVENT, clientId: 'batch', userId }));
  const bodies = [
    'not JSON',
    ...events.map((event) => JSON.stringify(event)),
    '{"clientId":"batch"}',
  ];
  const Records = bodies.map((body, messageId) => ({ messageId: String(messageId), body }));
  const failures = (...ids: number[]) => ({
    batchItemFailures: ids.map((id) => ({ itemIdentifier: String(id) })),
  });
  // A second is left for the response.
  const late = { getRemainingTimeInMillis: () => 1000 };
  expect(await drain({ Records } as unknown as SQSEvent, late)).toEqual(failures(0, 1, 2, 3, 4));
  expect(await stored('batch')).toEqual([]);

  const { send } = DynamoDBDocumentClient.prototype;
  const failing = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (
    this: DynamoDBDocumentClient,
    ...call: unknown[]
  ) {
    if (JSON.stringify(call[0]).includes('down#')) throw new Error('The table is down.');
    return Reflect.apply(send, this, call);
  });
  expect(await drain({ Records } as unknown as SQSEvent, CONTEXT)).toEqual(failures(0, 2, 4));
  failing.mockRestore();
  const good = events.filter(({ userId }) => userId !== 'down');
  expect(await stored('batch')).toEqual(applied(...good));
});

test('an application without an expiry, stored before events had one, gets none and stays the application', async () => {
  const first = { ...EVENT, clientId: 'kept', userId: 'a' };
  const { userId, promoCode } = first;
  const Item = { ...first, kind: 'applied', eventId: `${userId}#${promoCode}#applied` };
  await dynamodb.send(new PutCommand({ TableName, Item }));
  const later = { ...first, ...LATER };
  const signal = new AbortController().signal;
  expect(await store(first, signal)).toBe('applied');
  for (const one of [later, { ...later, source: 'other' }]) {
    expect(await store(one, signal)).toBe('repeated');
  }
  const repeated = {
    ...later,
    kind: 'repeated',
    eventId: `${userId}#${promoCode}#repeated#${later.requestDate}`,
    expiresAt: Math.floor(Date.parse(later.receivedAt) / 1000) + 100 * 24 * 60 * 60,
  };
  expect(await stored('kept')).toEqual(sorted([Item, repeated]));
});

/** Runs a function, and deletes an application before the second write to the table. */
async function expiring<T>(clientId: string, run: () => Promise<T>): Promise<T> {
  const Key = { clientId, eventId: `${EVENT.userId}#${EVENT.promoCode}#applied` };
  const { send } = DynamoDBDocumentClient.prototype;
  let writes = 0;
  const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
    this: DynamoDBDocumentClient,
    ...call: unknown[]
  ) {
    if (call[0] instanceof UpdateCommand) writes += 1;
    if (writes === 2) await Reflect.apply(send, dynamodb, [new DeleteCommand({ TableName, Key })]);
    return Reflect.apply(send, this, call);
  } as never);
  try {
    return await run();
  } finally {
    spy.mockRestore();
    expect(writes).toBe(2);
  }
}

test('an application that expires between two calls of a request leaves no item without its token', async () => {
  const first = { ...EVENT, clientId: 'gone' };
  const later = { ...first, ...LATER };
  const signal = new AbortController().signal;
  await store(first, signal);
  await expiring('gone', () => store(later, signal).catch(() => {}));
  expect(await stored('gone')).toEqual([]);
  expect(await store(later, signal)).toBe('applied');
  expect(await stored('gone')).toEqual(applied(later));
});

test('a message whose application expires between its two writes is delivered again, and then applied', async () => {
  const first = { ...EVENT, clientId: 'expired' };
  const later = { ...first, ...LATER };
  await store(first, new AbortController().signal);
  const Records = [{ messageId: '1', body: JSON.stringify(later) }];
  const deliver = () => drain({ Records } as unknown as SQSEvent, CONTEXT);
  expect(await expiring('expired', deliver)).toEqual({
    batchItemFailures: [{ itemIdentifier: '1' }],
  });
  expect(await stored('expired')).toEqual([]);
  expect(await deliver()).toEqual({ batchItemFailures: [] });
  expect(await stored('expired')).toEqual(applied(later));
});

test('whatever is read as an event can be stored, or it would block the queue for ever', async () => {
  const strings = fc.oneof(
    fc.string({ unit: fc.oneof(ANY_CHARACTER, fc.constantFrom('\ud800', '#', '%')) }),
    fc.constantFrom(0, 60, 255, 256, 2049).map((length) => 'é'.repeat(length)),
  );
  const times = fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom('2026-02-30T09:30:00.000Z', '2026-11-20T09:30:00+01', '', '2026-11-20'),
  );
  const changes = fc.oneof(
    fc.tuple(
      fc.constantFrom(...Object.keys(EVENT), 'promoCodeToken', 'codeIdentity'),
      fc.oneof(strings, times),
    ),
  );
  let stored = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { maxLength: 2 }), async (changed) => {
      const body = JSON.stringify({ ...EVENT, ...Object.fromEntries(changed) });
      const { event } = readPromoEvent(body);
      if (!event) return;
      await store(event, new AbortController().signal);
      stored++;
    }),
    { numRuns: runs(300) },
  );
  expect(stored).toBeGreaterThan(runs(300) / 6);
});
