import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { BatchWriteCommand, DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Messages } from '../../../cli/queue-messages.ts';
import { appliedEventId } from '../../../core/promo-events/promo-event.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/* The events that a rule of the local server's bus would receive. */

let service: Service;
let seen: number;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  seen = (await allEvents()).length;
});

async function allEvents(): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(join(service.folder, 'events.jsonl'), 'utf8')).split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** The events since the start of the test. */
const events = async () => (await allEvents()).slice(seen);

const kinds = async () => (await events()).map((event) => event['detail-type']);

const put = (Item: Record<string, unknown>) =>
  service.documentClient.send(
    new PutCommand({ TableName: service.outputs.PromoEventsTableName, Item }),
  );

describe('an application', () => {
  test('is one event, with the envelope of EventBridge and the item as it is stored', async () => {
    const body = { ...PROMO_REQUEST, promoCode: 'FIRST' };
    const before = Date.now() - 1000;
    await service.applyPromoCode({ body });
    const [item] = (await service.promoEvents()).filter(({ promoCode }) => promoCode === 'FIRST');
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(event).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'applied',
      source: 'customer-data-api.promo-events',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'us-east-1',
      resources: [],
      detail: {
        version: '1',
        item: Object.fromEntries(Object.entries(item ?? {}).map(([name, S]) => [name, { S }])),
      },
    });
    expect(Date.parse(String(event?.time))).toBeGreaterThan(before);
  });

  test('that arrives again makes no event; a later one makes a repetition', async () => {
    const body = { ...PROMO_REQUEST, promoCode: 'AGAIN' };
    const at = (time: string) => ({ body, headers: { 'Request-Date': time } });
    const [first, later] = [0, 1000].map((ms) => new Date(Date.now() + ms).toISOString());
    for (const time of [first, first, later, later, first]) {
      await service.applyPromoCode(at(time ?? ''));
    }
    expect(await kinds()).toEqual(['applied', 'repeated']);
  });

  test('makes one event if it is sent ten times at once', async () => {
    const body = { ...PROMO_REQUEST, promoCode: 'ATONCE' };
    const headers = { 'Request-Date': new Date().toISOString() };
    await Promise.all(Array.from({ length: 10 }, () => service.applyPromoCode({ body, headers })));
    expect(await kinds()).toEqual(['applied']);
  });

  test('makes its event when it is stored from the queue', async () => {
    const event = {
      ...{ ...PROMO_REQUEST, promoCode: 'QUEUED', deviceId: 'device' },
      requestDate: '2026-07-20T10:00:00.000Z',
      receivedAt: '2026-07-20T10:00:01.000Z',
    };
    await service.sqs.send(
      new SendMessageCommand({
        QueueUrl: service.outputs.PromoEventsQueueUrl,
        MessageBody: JSON.stringify(event),
      }),
    );
    await vi.waitUntil(async () => (await events()).length > 0, { timeout: 60_000 });
    expect(await kinds()).toEqual(['applied']);
  });
});

describe('an item put by hand', () => {
  const deadLetters = () => {
    const { sqs, outputs } = service;
    return new Messages(sqs, outputs.PromoEventsBusDeadLetterQueueUrl);
  };
  const byHand = (code: string) => ({
    clientId: 'by-hand',
    eventId: appliedEventId({ userId: 'jane', promoCode: code }),
  });

  test('with a kind is an event; putting it again changes nothing', async () => {
    for (const _ of ['once', 'again']) await put({ ...byHand('A'), kind: 'applied' });
    expect(await kinds()).toEqual(['applied']);
    expect((await deadLetters().count()).waiting).toBe(0);
  });

  test('without a kind is no event, but a dead letter that says where it is and nothing else', async () => {
    const Item = { ...byHand('SECRET'), userId: 'jane' };
    await put(Item);
    await put({ ...byHand('NEXT'), kind: 'applied' });
    // The next one is not blocked.
    expect(await kinds()).toEqual(['applied']);
    const received = [];
    for await (const batch of deadLetters().receive(30)) received.push(...batch);
    expect(received).toHaveLength(1);
    const body = received[0]?.body ?? '';
    const { context, DDBStreamBatchInfo } = JSON.parse(body);
    expect(context.condition).toBe('RetryAttemptsExhausted');
    const { PromoEventsTableName } = service.outputs;
    expect(DDBStreamBatchInfo).toMatchObject({
      batchSize: 1,
      endSequenceNumber: DDBStreamBatchInfo.startSequenceNumber,
      streamArn: expect.stringContaining(`:table/${PromoEventsTableName}/stream/`),
    });
    for (const value of Object.values(Item)) expect(body).not.toContain(value);
  });

  test('in a batch of both tables is an event', async () => {
    const { ConfigsTableName, PromoEventsTableName } = service.outputs;
    await service.documentClient.send(
      new BatchWriteCommand({
        RequestItems: {
          [ConfigsTableName]: [{ PutRequest: { Item: { clientId: 'by-hand' } } }],
          [PromoEventsTableName]: [
            { DeleteRequest: { Key: byHand('A') } },
            { PutRequest: { Item: { ...byHand('B'), kind: 'repeated' } } },
          ],
        },
      }),
    );
    expect(await kinds()).toEqual(['repeated']);
  });

  test('that is erased or changed makes no event', async () => {
    await put({ ...byHand('B'), kind: 'applied', changed: true });
    const TableName = service.outputs.PromoEventsTableName;
    await service.documentClient.send(new DeleteCommand({ TableName, Key: byHand('B') }));
    expect(await events()).toEqual([]);
  });
});

test('an edited configuration is no event', async () => {
  await service.putConfig({ clientId: 'edited', kind: 'applied' });
  expect(await events()).toEqual([]);
});

test('the endpoint of the bus knows no other operation', async () => {
  const before = await allEvents();
  const Entries = [{ Source: 'own', DetailType: 'applied', Detail: '{}' }];
  for (const operation of ['AWSEvents.PutRule', 'AWSEvents.PutPartnerEvents', '']) {
    const response = await fetch(service.outputs.EventBridgeEndpoint, {
      method: 'POST',
      headers: { 'X-Amz-Target': operation },
      body: JSON.stringify({ Entries }),
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/x-amz-json-1.1');
    expect(await response.json()).toEqual({ __type: 'UnknownOperationException' });
  }
  expect(await allEvents()).toEqual(before);
});
