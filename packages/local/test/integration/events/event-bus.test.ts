import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { BatchWriteCommand, DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { eventDeviations } from 'customer-data-api/openapi';
import { appliedEventId } from 'customer-data-api/promo-events';
import { PROMO_REQUEST, startService } from 'customer-data-api/testing/service';
import { SqsQueue } from 'customer-data-api-on-call';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

/* The events that a rule of the local server's bus would receive. */

const service = await startService();
let seen: number;
afterAll(() => service.stop());
beforeEach(async () => {
  seen = 0;
  seen = (await events()).length;
});

/** All events of the bus. */
// biome-ignore lint/suspicious/noExplicitAny: the details of events have many shapes
async function allEvents(): Promise<any[]> {
  const lines = (await readFile(join(service.folder, 'events.jsonl'), 'utf8')).split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

const isNews = (event: Record<string, unknown>) => event['detail-type'] === 'configuration-changed';

/** The events since the start of the test, apart from news of configurations. */
async function events(): Promise<Record<string, unknown>[]> {
  return (await allEvents()).filter((event) => !isNews(event)).slice(seen);
}

const kinds = async () => (await events()).map((event) => event['detail-type']);

/** Waits until the bus has so many events. */
const published = (count: number) =>
  vi.waitFor(async () => expect(await events()).toHaveLength(count), { interval: 20 });

/** Puts an item into the table of promo events by hand. */
const put = (Item: Record<string, unknown>) =>
  service.documentClient.send(
    new PutCommand({ TableName: service.outputs.PromoEventsTableName, Item }),
  );

test('an application is one event, with the envelope of EventBridge and the values of the item', async () => {
  // Replacing a string by this one would insert others.
  const body = { ...PROMO_REQUEST, promoCode: 'FIRST', source: '"},{"$&' };
  const before = Date.now() - 1000;
  await service.applyPromoCode({ body });
  await published(1);
  const [{ kind, deviceId, ...stored } = {}] = await service.promoEvents();
  const [event] = await events();
  expect(event).toEqual({
    version: '0',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    'detail-type': 'applied',
    source: 'customer-data-api.promo-events',
    account: '000000000000',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    region: 'us-east-1',
    resources: [],
    detail: { ...stored, version: '2', codeIdentity: 'FIRST' },
  });
  expect(Date.parse(String(event?.time))).toBeGreaterThan(before);
});

test('the events of requests are what asyncapi.json describes', async () => {
  const token = { promoCodeToken: '"},{"$& \u2028' };
  for (const body of [PROMO_REQUEST, { ...PROMO_REQUEST, ...token }]) {
    for (const promoCode of ['SCHEMA', 'Ünï 🎁 %#"']) {
      const sent = { ...body, promoCode: `${promoCode}${Object.keys(body).length}` };
      // The second one is a repetition.
      for (const fraction of ['', '.123456789']) {
        const second = new Date().toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
        const headers = { 'Request-Date': `${second}${fraction}Z` };
        await service.applyPromoCode({ headers, body: sent });
      }
    }
  }
  await published(8);
  const found = await events();
  expect(new Set(await kinds())).toEqual(new Set(['applied', 'repeated']));
  expect(found.flatMap(eventDeviations)).toEqual([]);
});

const byHand = (code: string) => ({
  clientId: 'by-hand',
  eventId: appliedEventId({ userId: 'jane', promoCode: code }),
});

test('an item put by hand is an event, also in a batch of both tables; what changes or erases it is none', async () => {
  for (const changed of [false, false, true])
    await put({ ...byHand('A'), kind: 'applied', changed });
  const { ConfigsTableName, PromoEventsTableName } = service.outputs;
  await service.documentClient.send(
    new BatchWriteCommand({
      RequestItems: {
        [ConfigsTableName]: [{ PutRequest: { Item: { clientId: 'by-hand', kind: 'applied' } } }],
        [PromoEventsTableName]: [
          { DeleteRequest: { Key: byHand('A') } },
          { PutRequest: { Item: { ...byHand('B'), kind: 'repeated' } } },
        ],
      },
    }),
  );
  await service.documentClient.send(
    new DeleteCommand({ TableName: PromoEventsTableName, Key: byHand('B') }),
  );
  await put({ ...byHand('C'), kind: 'last' });
  await published(3);
  expect(await kinds()).toEqual(['applied', 'repeated', 'last']);
  // The next test stops the bus, which must have the news of the client before.
  const isOfClient = ({ detail }: Record<string, unknown>) => Object(detail).clientId === 'by-hand';
  await vi.waitFor(async () =>
    expect((await allEvents()).filter(isNews).some(isOfClient)).toBe(true),
  );
});

/** Removes the dead letters, and returns their bodies. */
async function letters(): Promise<string[]> {
  const QueueUrl = service.outputs.PromoEventsBusDeadLetterQueueUrl;
  const deadLetters = new SqsQueue(service.sqs, QueueUrl);
  const found = (await deadLetters.look(10)).map(({ body }) => body);
  await service.sqs.send(new PurgeQueueCommand({ QueueUrl }));
  return found;
}

const setFault = (fault: string) =>
  fetch(service.outputs.FaultEndpoint, { method: 'PUT', body: fault });

test('while the bus is down, events wait, and none becomes a dead letter; each reaches the bus then', async () => {
  await setFault('bus-down');
  const log = service.watchLog();
  for (const code of ['D1', 'D2']) await put({ ...byHand(code), kind: 'applied' });
  await log.logged('not published yet');
  expect(await events()).toEqual([]);
  await setFault('none');
  await published(2);
  expect(await letters()).toEqual([]);
});

test('an event that the bus refuses is a dead letter', async () => {
  await setFault('bus-refuses');
  await put({ ...byHand('R'), kind: 'applied' });
  await vi.waitFor(async () => expect(await letters()).toHaveLength(1), { interval: 50 });
  await setFault('none');
  await put({ ...byHand('S'), kind: 'applied' });
  await published(1);
});

const good = { Source: 'own', DetailType: 'type', Detail: '{}' };
const putEvents = async (Entries: object[]) => {
  const headers = { 'X-Amz-Target': 'AWSEvents.PutEvents' };
  const call = { method: 'POST', headers, body: JSON.stringify({ Entries }) };
  return JSON.parse(await (await fetch(service.outputs.EventBridgeEndpoint, call)).text());
};

/** An entry of so many bytes, as EventBridge counts them. */
const sized = (bytes: number, others: object = {}) => {
  const { Source, DetailType } = good;
  const characters = bytes - `${Source}${DetailType}""`.length;
  return { ...good, Detail: JSON.stringify('x'.repeat(characters)), ...others };
};
const KB = 1024;

test.each([
  ['no entry', []],
  ['eleven entries', Array(11).fill(good)],
  ['an entry of more than 256 KB', [sized(256 * KB + 1)]],
  ['an entry of 256 KB and its time', [sized(256 * KB, { Time: 0 })]],
  [
    'ten entries of more than 256 KB together',
    [sized(238 * KB + 1), ...Array(9).fill(sized(2 * KB))],
  ],
])('a call with %s is refused, and none of it is an event', async (_, entries) => {
  expect(await putEvents(entries)).toMatchObject({ __type: 'ValidationException' });
  expect(await events()).toEqual([]);
});

test('a call with ten entries of 256 KB together is taken', async () => {
  const entries = [sized(238 * KB), ...Array(9).fill(sized(2 * KB))];
  expect(await putEvents(entries)).toMatchObject({ FailedEntryCount: 0 });
});

test('entries that are put at once become whole events; one that EventBridge would reject is reported in its place', async () => {
  const entries = [{ Source: '' }, { Detail: '{' }].flatMap((one) => [{ ...good, ...one }, good]);
  const answers = await Promise.all(Array.from({ length: 20 }, () => putEvents(entries)));
  for (const { FailedEntryCount, Entries } of answers) {
    expect(FailedEntryCount).toBe(2);
    expect(Entries.map((one: object) => 'EventId' in one)).toEqual([false, true, false, true]);
  }
  expect(await kinds()).toEqual(Array(40).fill('type'));
});
