import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { describe, expect, test, vi } from 'vitest';
import { noWrites } from '../../support/fault-proxy.ts';
import { startFaultyService } from '../../support/faulty-service.ts';
import { eventOf } from '../../support/promo-event.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/*
 * What becomes of promo events that the table does not take. The tests wait for queues, so they run
 * concurrently.
 */

const WAIT = { interval: 50 };

const isDrained = (service: Service) =>
  vi.waitUntil(async () => (await service.messages()).queue === 0, WAIT);

describe.concurrent('an application that the table does not take', () => {
  test('waits in the queue, and is then stored with its original values', async () => {
    const queue = { visibilityTimeoutSeconds: 3, maxReceiveCount: 100 };
    await using service = await startFaultyService({ queue });
    // As when a partition gets too many writes.
    service.toDynamoDb.faultOf = (call) => noWrites(call) && 'throttled';
    const requestDate = new Date().toISOString();
    const sent = { ...PROMO_REQUEST, promoCodeToken: 'token-1' };
    const start = new Date().toISOString();
    const { status, body } = await service.applyPromoCode({
      body: sent,
      headers: { 'Request-Date': requestDate },
    });
    const end = new Date().toISOString();
    expect([status, body.data.outcome, body.notices.length]).toEqual([200, 'queued', 1]);
    expect(await service.promoEvents()).toEqual([]);
    service.toDynamoDb.faultOf = () => undefined;
    await isDrained(service);
    const [event, ...others] = await service.promoEvents();
    expect(event).toEqual({
      ...sent,
      kind: 'applied',
      eventId: 'demo-user#WELCOME10#applied',
      requestDate,
      deviceId: '',
      receivedAt: event?.receivedAt,
    });
    expect([start, event?.receivedAt, end]).toEqual([start, event?.receivedAt, end].sort());
    expect(others).toEqual([]);
    expect((await service.messages()).deadLetterQueue).toBe(0);
  });

  test('for good ends in the dead-letter queue, without the ID token and the App-Id', async () => {
    const queue = { visibilityTimeoutSeconds: 1, maxReceiveCount: 1 };
    await using service = await startFaultyService({ queue });
    service.toDynamoDb.faultOf = noWrites;
    await service.applyPromoCode();
    const message = await vi.waitUntil(async () => {
      const { Messages } = await service.sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: service.outputs.PromoEventsDeadLetterQueueUrl,
          MessageAttributeNames: ['All'],
        }),
      );
      return Messages?.[0];
    }, WAIT);
    expect(message.MessageAttributes).toBeUndefined();
    expect(Object.keys(JSON.parse(message.Body ?? '')).sort()).toEqual(
      ['deviceId', 'receivedAt', 'requestDate', ...Object.keys(PROMO_REQUEST)].sort(),
    );
  });

  test('because it does not exist, is queued as well', async () => {
    await using service = await startService({
      environment: { PROMO_EVENTS_TABLE_NAME: 'NoSuchTable' },
    });
    expect((await service.applyPromoCode()).body.data.outcome).toBe('queued');
    expect((await service.messages()).queue).toBe(1);
  });

  test('that is older than 44 days is neither stored nor dropped: its marker may be gone', async () => {
    await using service = await startService();
    const aged = (userId: string, minutes: number) => {
      const receivedAt = new Date(Date.now() - (44 * 24 * 60 + minutes) * 60_000).toISOString();
      return { messageId: userId, body: JSON.stringify(eventOf(userId, { receivedAt })) };
    };
    const foreign = { messageId: 'foreign', body: '{}' };
    const Records = [aged('too-old', 1), aged('old', -1), foreign];
    const response = await service.functionOf('StoreQueued').invoke({ Records } as SQSEvent);
    const failed = (response as SQSBatchResponse).batchItemFailures;
    expect(failed.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['too-old', 'foreign']);
    expect((await service.promoEvents()).map(({ userId }) => userId)).toEqual(['old']);
  });
});
