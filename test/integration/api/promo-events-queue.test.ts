import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { close } from '../../../local/listen.ts';
import { FaultProxy, noWrites } from '../../support/fault-proxy.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

const WAIT = { timeout: 20_000, interval: 50 };

let toDynamoDb: FaultProxy;
let service: Service;
beforeEach(async () => {
  toDynamoDb = await FaultProxy.start();
  service = await startService(
    { AWS_ENDPOINT_URL_DYNAMODB: toDynamoDb.url },
    { visibilityTimeoutSeconds: 2, maxReceiveCount: 2 },
  );
  toDynamoDb.target = service.outputs.DynamoDbEndpoint;
});
afterEach(async () => {
  await service.stop();
  await close(toDynamoDb.server);
});

const send = (MessageBody: string) =>
  service.sqs.send(
    new SendMessageCommand({ QueueUrl: service.outputs.PromoEventsQueueUrl, MessageBody }),
  );

const event = (others: Record<string, unknown> = {}) => ({
  ...PROMO_REQUEST,
  deviceId: 'device',
  requestDate: '2026-07-20T10:00:00.000Z',
  receivedAt: '2026-07-20T10:00:01.000Z',
  ...others,
});

test('while the table cannot be written, an application waits in the queue, and is then as if it had not', async () => {
  const requestDate = new Date().toISOString();
  const { logged } = service.watchLog();
  toDynamoDb.faultOf = noWrites;
  const answer = await service.applyPromoCode({
    body: { ...PROMO_REQUEST, promoCodeToken: 'token-1' },
    headers: { 'Request-Date': requestDate },
  });
  expect(answer).toEqual({
    status: 200,
    body: {
      errors: [],
      warnings: [],
      notices: ['The promo code is being processed.'],
      data: { message: 'The promo code was accepted.' },
    },
  });
  await logged('"PromoEventQueued":1');
  expect(await service.promoEvents()).toEqual([]);
  toDynamoDb.faultOf = () => undefined;
  await vi.waitUntil(async () => (await service.promoEvents()).length > 0, WAIT);
  expect(await service.promoEvents()).toEqual([
    {
      ...PROMO_REQUEST,
      eventId: 'demo-user#WELCOME10#applied',
      kind: 'applied',
      promoCodeToken: 'token-1',
      deviceId: '00000000-0000-0000-0000-000000000000',
      requestDate,
      receivedAt: expect.any(String),
    },
  ]);
  await vi.waitUntil(async () => (await service.messages()).queue === 0, WAIT);
  expect((await service.messages()).deadLetterQueue).toBe(0);
});

test('a message holds the event, and neither the ID token nor the App-Id', async () => {
  toDynamoDb.faultOf = noWrites;
  await service.applyPromoCode();
  // Where it ends up when the table stays as it is.
  let body: string | undefined;
  await vi.waitUntil(async () => {
    const { Messages: [message] = [] } = await service.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: service.outputs.PromoEventsDeadLetterQueueUrl,
        MessageAttributeNames: ['All'],
      }),
    );
    expect(message?.MessageAttributes).toBeUndefined();
    body = message?.Body;
    return body;
  }, WAIT);
  expect(Object.keys(JSON.parse(body ?? '')).sort()).toEqual(
    ['deviceId', 'receivedAt', 'requestDate', ...Object.keys(PROMO_REQUEST)].sort(),
  );
});

test('a table that is not there, or must not be written, is no reason to lose an application either', async () => {
  const broken = await startService({ PROMO_EVENTS_TABLE_NAME: 'NoSuchTable' });
  const answer = await broken.applyPromoCode();
  expect(answer.status).toBe(200);
  expect(answer.body.notices).toEqual(['The promo code is being processed.']);
  expect((await broken.messages()).queue).toBe(1);
  await broken.stop();
});

test('503 when the queue does not take it either', async () => {
  toDynamoDb.faultOf = noWrites;
  const cut = await startService({
    AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
    PROMO_EVENTS_TABLE_NAME: 'NoSuchTable',
  });
  const answer = await cut.applyPromoCode();
  expect(answer.status).toBe(503);
  expect(answer.body.data).toMatchObject({ code: 'ServiceUnavailableException', retryable: true });
  await cut.stop();
});

test('a message that is no promo event ends in the dead-letter queue; the others of its batch are written once', async () => {
  const { logged, lines } = service.watchLog();
  const codes = ['A', 'B', 'C'];
  await Promise.all([
    send('not JSON'),
    send(JSON.stringify(event({ userId: 7, promoCodeToken: 'secret' }))),
    ...codes.map((promoCode) => send(JSON.stringify(event({ promoCode })))),
  ]);
  await vi.waitUntil(async () => (await service.messages()).deadLetterQueue === 2, WAIT);
  expect((await service.messages()).queue).toBe(0);
  expect((await service.promoEvents()).map(({ promoCode }) => promoCode)).toEqual(codes);
  const writes = service.databaseCalls.filter((call) => call === 'UpdateItem');
  expect(writes).toHaveLength(codes.length);
  await logged('A message is no promo event', 'It is not JSON.', 'userId must be string.');
  // Nor what else it holds.
  expect(lines().join()).not.toContain('secret');
});

test('the order in which events come does not matter', async () => {
  const [early, late] = [event(), event({ requestDate: '2026-07-20T11:00:00.000Z' })];
  await send(JSON.stringify(late));
  await vi.waitUntil(async () => (await service.promoEvents()).length === 1, WAIT);
  await send(JSON.stringify(early));
  await send(JSON.stringify(late));
  await vi.waitUntil(async () => (await service.messages()).queue === 0, WAIT);
  // The first that was stored is the application: its answer may have been given.
  const kept = await service.promoEvents();
  expect(kept.map(({ kind, requestDate }) => [kind, requestDate])).toEqual([
    ['applied', late.requestDate],
    ['repeated', early.requestDate],
  ]);
});
