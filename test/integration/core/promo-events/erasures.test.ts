import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { userHash } from '../../../../core/promo-events/erasures.ts';
import type { PromoEvent } from '../../../../core/promo-events/promo-event.ts';
import { itemsIn } from '../../../support/items-in.ts';
import { eventOf } from '../../../support/promo-event.ts';
import { runs } from '../../../support/runs.ts';
import { stubEnvironment, testIssuer } from '../../../support/started-function.ts';
import { startTables } from '../../../support/tables.ts';

/* What the function that stores queued promo events does with those of erased users. */

const CONTEXT = { getRemainingTimeInMillis: () => 20_000 };
const UUID = '5f0c7e6a-1b2c-4d3e-8f90-a1b2c3d4e5f6';
/** A recent time: markers older than 44 days are not looked up. */
const SECOND = Math.floor(Date.now() / 1000 - 3600) * 1000;
const TIMES = [SECOND - 1, SECOND, SECOND + 1].map((time) => new Date(time).toISOString());
const [BEFORE = '', ERASED_AT = '', LATEST = ''] = TIMES;
const LATER = Math.floor(Date.now() / 1000) + 1000;

const tables = await startTables();
const dynamodb = DynamoDBDocumentClient.from(tables.dynamodb);
stubEnvironment(testIssuer(), '', tables.endpoint);
vi.stubEnv('PROMO_EVENTS_TABLE_NAME', tables.promoEventsTableName);
vi.stubEnv('ERASURES_TABLE_NAME', tables.erasuresTableName);
const { handler } = (await import(
  '../../../../functions/store-queued-promo-events/handler.ts'
)) as { handler: (event: SQSEvent, context: unknown) => Promise<unknown> };
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await tables.stop();
});

let clients = 0;
let clientId = '';
beforeEach(() => {
  clientId = `client-${clients++}`;
});

const mark = async (userId: string, marker: object = {}, ofClient = clientId) => {
  const user = await userHash(ofClient, userId);
  const Item = { clientId: ofClient, user, erasedAt: ERASED_AT, expiresAt: LATER, ...marker };
  await dynamodb.send(new PutCommand({ TableName: tables.erasuresTableName, Item }));
};

/** Lets the function take a batch. Returns the indexes of those that stay in the queue. */
async function drain(events: readonly PromoEvent[]): Promise<number[]> {
  const Records = events.map((event, index) => ({
    messageId: String(index),
    body: JSON.stringify(event),
  }));
  const { batchItemFailures } = Object(await handler({ Records } as unknown as SQSEvent, CONTEXT));
  return batchItemFailures.map((one: { itemIdentifier: string }) => Number(one.itemIdentifier));
}

const received = (userId: string, receivedAt: string, promoCode = 'CODE') =>
  eventOf(userId, { clientId, receivedAt, promoCode });

const stored = async (ofClient = clientId) =>
  (await itemsIn(tables.promoEventsTableName, dynamodb, ofClient))
    .map(({ userId, promoCode }) => `${userId} ${promoCode}`)
    .sort();

test('drops what was received before the erasure of its user, and stores everything else', async () => {
  const users = ['jane', 'Jane', 'jane ', 'joe', UUID, UUID.toUpperCase(), UUID.replace('f', 'F')];
  const event = fc.record({
    userId: fc.constantFrom(...users),
    receivedAt: fc.constantFrom(...TIMES),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...users), { maxLength: 3 }),
      fc.array(event, { minLength: 1, maxLength: 10 }),
      async (erased, batch) => {
        clientId = `client-${clients++}`;
        for (const userId of erased) await mark(userId);
        await mark('joe', {}, `${clientId}, another`);
        const events = batch.map(({ userId, receivedAt }, index) =>
          received(userId, receivedAt, `C${index}`),
        );
        expect(await drain(events)).toEqual([]);
        // Only a UUID is the same user in any case.
        const same = (id: string) => (id.length === UUID.length ? id.toLowerCase() : id);
        const isErased = ({ userId, receivedAt }: PromoEvent) =>
          receivedAt < ERASED_AT && erased.map(same).includes(same(userId));
        const kept = events.filter((one) => !isErased(one));
        expect(await stored()).toEqual(
          kept.map(({ userId, promoCode }) => `${userId} ${promoCode}`).sort(),
        );
      },
    ),
    { numRuns: runs(40) },
  );
});

test('the same user id of two clients in one batch is erased for both', async () => {
  const other = `${clientId}, another`;
  await mark('jane');
  await mark('jane', {}, other);
  const event = received('jane', BEFORE);
  expect(await drain([event, { ...event, clientId: other }])).toEqual([]);
  expect([await stored(), await stored(other)]).toEqual([[], []]);
});

test('a marker that has expired counts for nothing, although DynamoDB still has it', async () => {
  await mark('jane', { expiresAt: Math.floor(Date.now() / 1000) - 1 });
  expect(await drain([received('jane', BEFORE)])).toEqual([]);
  expect(await stored()).toEqual(['jane CODE']);
});

test('markers count that DynamoDB returns on a later page', async () => {
  const TableName = tables.erasuresTableName;
  for (const user of ['!1', '!2', '!3']) {
    // Pages end at 1 MB.
    const Item = {
      clientId,
      user,
      erasedAt: ERASED_AT,
      expiresAt: LATER,
      note: 'x'.repeat(390_000),
    };
    await dynamodb.send(new PutCommand({ TableName, Item }));
  }
  await mark('jane');
  expect(await drain([received('jane', BEFORE), received('joe', BEFORE)])).toEqual([]);
  expect(await stored()).toEqual(['joe CODE']);
});

test.each([
  ['without a time', { erasedAt: undefined }],
  ['with a number as the time', { erasedAt: 1_700_000_000 }],
  ['with no time that sorts', { erasedAt: '20 November' }],
  ['without an expiry', { expiresAt: undefined }],
  ['with a string as the expiry', { expiresAt: String(LATER) }],
])('a marker %s leaves the messages of its user in the queue, and no others', async (_, marker) => {
  await dynamodb.send(
    new PutCommand({
      TableName: tables.erasuresTableName,
      Item: JSON.parse(
        JSON.stringify({
          clientId,
          user: await userHash(clientId, 'jane'),
          erasedAt: ERASED_AT,
          expiresAt: LATER,
          ...marker,
        }),
      ),
    }),
  );
  const events = [received('jane', BEFORE), received('joe', BEFORE), received('jane', LATEST)];
  expect(await drain(events)).toEqual([0, 2]);
  expect(await stored()).toEqual(['joe CODE']);
});

test('while the markers of a client cannot be read, its messages stay in the queue', async () => {
  await mark('jane');
  const other = `${clientId}, another`;
  const { send } = DynamoDBDocumentClient.prototype;
  const failing = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (
    this: DynamoDBDocumentClient,
    ...call: unknown[]
  ) {
    const { input } = call[0] as { readonly input: Readonly<Record<string, unknown>> };
    if (input.TableName === tables.erasuresTableName) {
      expect(input.ConsistentRead).toBe(true);
      if (!JSON.stringify(input).includes(other)) throw new Error('It is throttled.');
    }
    return Reflect.apply(send, this, call);
  });
  const events = [
    received('jane', BEFORE),
    received('joe', LATEST),
    { ...received('joe', BEFORE), clientId: other },
  ];
  expect(await drain(events)).toEqual([0, 1]);
  failing.mockRestore();
  expect([await stored(), await stored(other)]).toEqual([[], ['joe CODE']]);
  expect(await drain(events.slice(0, 2))).toEqual([]);
  expect(await stored()).toEqual(['joe CODE']);
});
