import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test, vi } from 'vitest';
import { noWrites } from '../../support/fault-proxy.ts';
import { startFaultyService } from '../../support/faulty-service.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/* These tests wait for queues, so they run concurrently, each with its own service. */

const WAIT = { timeout: 100_000, interval: 50 };

/** A message is delivered again as often as needed, and never while a function still processes it. */
const PATIENT_QUEUE = { visibilityTimeoutSeconds: 3, maxReceiveCount: 100 };
/** A message that failed once moves to the dead-letter queue. */
const IMPATIENT_QUEUE = { visibilityTimeoutSeconds: 1, maxReceiveCount: 1 };

const send = ({ sqs, outputs }: Service, MessageBody: string) =>
  sqs.send(new SendMessageCommand({ QueueUrl: outputs.PromoEventsQueueUrl, MessageBody }));

const isDrained = (service: Service) =>
  vi.waitUntil(async () => (await service.messages()).queue === 0, WAIT);

const event = (others: Record<string, unknown> = {}) => ({
  ...PROMO_REQUEST,
  deviceId: 'device',
  requestDate: '2026-07-20T10:00:00.000Z',
  receivedAt: '2026-07-20T10:00:01.000Z',
  ...others,
});

describe.concurrent('while the table refuses writes', () => {
  test('an application waits in the queue, and is then stored with its original values', async () => {
    await using service = await startFaultyService({ queue: PATIENT_QUEUE });
    const requestDate = new Date().toISOString();
    const { logged } = service.watchLog();
    service.toDynamoDb.faultOf = noWrites;
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
        data: { message: 'The promo code was accepted.', outcome: 'queued' },
      },
    });
    await logged('"PromoEventQueued":1');
    expect(await service.promoEvents()).toEqual([]);
    service.toDynamoDb.faultOf = () => undefined;
    await isDrained(service);
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
    expect((await service.messages()).deadLetterQueue).toBe(0);
  });

  test('an event that is never stored ends in the dead-letter queue, without the ID token and the App-Id', async () => {
    await using service = await startFaultyService({ queue: IMPATIENT_QUEUE });
    service.toDynamoDb.faultOf = noWrites;
    await service.applyPromoCode();
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
});

describe.concurrent('a table that does not exist or must not be written', () => {
  test('does not lose an application', async () => {
    await using service = await startService({ PROMO_EVENTS_TABLE_NAME: 'NoSuchTable' });
    const answer = await service.applyPromoCode();
    expect(answer.status).toBe(200);
    expect(answer.body.notices).toEqual(['The promo code is being processed.']);
    expect((await service.messages()).queue).toBe(1);
  });

  test('causes a 503 if the queue refuses the event too', async () => {
    await using service = await startService({
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
      PROMO_EVENTS_TABLE_NAME: 'NoSuchTable',
    });
    const { status, body } = await service.applyPromoCode();
    expect(status).toBe(503);
    expect(body.data).toMatchObject({ code: 'ServiceUnavailableException', retryable: true });
  });
});

describe.concurrent('the function that stores queued events', () => {
  test('stores each event once, and leaves messages without an event in the queue', async () => {
    // A failed message stays in flight for longer than the test takes.
    await using service = await startFaultyService({
      queue: { visibilityTimeoutSeconds: 600, maxReceiveCount: 1 },
    });
    const { logged, lines } = service.watchLog();
    const codes = ['A', 'B', 'C'];
    await Promise.all([
      send(service, 'not JSON'),
      send(service, JSON.stringify(event({ userId: 7, promoCodeToken: 'secret' }))),
      ...codes.map((promoCode) => send(service, JSON.stringify(event({ promoCode })))),
    ]);
    await vi.waitUntil(async () => (await service.messages()).queue === 2, WAIT);
    const stored = (await service.promoEvents()).map(({ promoCode }) => promoCode);
    expect(stored).toEqual(codes);
    const writes = service.databaseCalls.filter((call) => call === 'UpdateItem');
    expect(writes).toHaveLength(stored.length);
    await logged('A message is not a promo event', 'It is not JSON.', 'userId must be string.');
    // The log contains nothing else of the message either.
    expect(lines().join()).not.toContain('secret');
  });

  test('stores the first event that it receives as the application, regardless of its date', async () => {
    await using service = await startFaultyService({ queue: PATIENT_QUEUE });
    const [early, late] = [event(), event({ requestDate: '2026-07-20T11:00:00.000Z' })];
    await send(service, JSON.stringify(late));
    await vi.waitUntil(async () => (await service.promoEvents()).length === 1, WAIT);
    await send(service, JSON.stringify(early));
    await send(service, JSON.stringify(late));
    await isDrained(service);
    // The first stored event is the application: the app may already have its response.
    const kept = await service.promoEvents();
    expect(kept.map(({ kind, requestDate }) => [kind, requestDate])).toEqual([
      ['applied', late.requestDate],
      ['repeated', early.requestDate],
    ]);
  });
});
