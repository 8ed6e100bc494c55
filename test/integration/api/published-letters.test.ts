import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { beforeAll, expect, test, vi } from 'vitest';
import {
  CONFIGURATION_CHANGED,
  CONFIGURATIONS_SOURCE,
} from '../../../core/history/configurations-source.ts';
import { PROMO_EVENTS_SOURCE, publishedEvent } from '../../../core/promo-events/published-event.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service.ts';
import { appliedItem } from '../../support/promo-event.ts';

/* What becomes of dead letters of the event bus that SQS has moved to the publisher's queue. */

const SOON = { interval: 20, timeout: 15_000 };
const ERASED = { erasedAt: '2026-11-21T09:30:00.000Z' };

let service: FaultyService;
beforeAll(async () => {
  const queue = { visibilityTimeoutSeconds: 1, maxReceiveCount: 1 };
  service = await startFaultyService({ queue });
  return () => service.stop();
});

/** The dead letter of the event of a user's item. */
const letterOf = (userId: string, others: object = {}) => ({
  source: PROMO_EVENTS_SOURCE,
  time: '2026-11-20T09:30:00.000Z',
  reason: 'The bus could not take it.',
  ...publishedEvent(appliedItem(userId)),
  ...others,
});
const NEWS = {
  source: CONFIGURATIONS_SOURCE,
  detailType: CONFIGURATION_CHANGED,
  detail: { clientId: 'demo', configurationVersion: 7, chat: { text: '"\n' } },
  time: '2026-11-20T09:30:00.000Z',
  reason: 'The bus did not take it.',
};

/** Calls the function with messages. Returns the numbers of those that failed. */
async function publish(...bodies: readonly (object | string)[]): Promise<string[]> {
  const Records = bodies.map((body, index) => ({
    messageId: String(index),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }));
  const response = await service.functionOf('PublishPromoEvents').invoke({ Records } as SQSEvent);
  return (response as SQSBatchResponse).batchItemFailures.map((one) => one.itemIdentifier);
}

/** Returns the events of some users that the bus has received. */
// biome-ignore lint/suspicious/noExplicitAny: the details of events have many shapes
async function published(...users: readonly string[]): Promise<any[]> {
  const text = await readFile(join(service.folder, 'events.jsonl'), 'utf8');
  const events = text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  return events.filter(({ detail }) => users.includes(detail.userId));
}

/** Stores an item, and waits until the event of the new item is published. */
async function store(...items: readonly { readonly userId: string }[]): Promise<void> {
  for (const one of items) await service.putPromoEvent(one);
  for (const { userId } of items) {
    await vi.waitFor(async () => expect(await published(userId)).toHaveLength(1), SOON);
  }
}

const setFault = (fault: string) =>
  fetch(service.outputs.FaultEndpoint, { method: 'PUT', body: fault });

test('a promo event is published as its item is now, and news of a configuration as it is', async () => {
  await store(appliedItem('ann'));
  await service.putPromoEvent(appliedItem('ann', { source: 'corrected' }));
  expect(await publish(letterOf('ann'), NEWS)).toEqual([]);
  const [, again] = await published('ann');
  expect(again).toMatchObject({ 'detail-type': 'applied', detail: { source: 'corrected' } });
  const [news] = (await published(undefined as never)).filter(
    ({ detail }) => detail.configurationVersion === 7,
  );
  const { source, detailType, detail } = NEWS;
  expect(news).toMatchObject({ source, 'detail-type': detailType, detail });
});

test('what is no longer in the table, imported, or of an erased user, is dropped; the time of the letter counts', async () => {
  const { PromoEventsTableName: TableName } = service.outputs;
  const later = { receivedAt: '2026-11-22T09:30:00.000Z' };
  await store(appliedItem('gone'), appliedItem('erased'), appliedItem('back', later));
  await service.putPromoEvent(appliedItem('imported', { importedAt: later.receivedAt }));
  const Key = { clientId: 'demo', eventId: appliedItem('gone').eventId };
  await service.documentClient.send(new DeleteCommand({ TableName, Key }));
  for (const user of ['erased', 'back']) await service.markErased('demo', user, ERASED);
  const letters = ['gone', 'erased', 'back', 'imported'].map((user) => letterOf(user));
  expect(await publish(...letters)).toEqual([]);
  expect(await published('gone', 'erased', 'back', 'imported')).toHaveLength(3);
  // A letter of what came after the erasure.
  const detail = publishedEvent(appliedItem('back', later)).detail;
  expect(await publish(letterOf('back', { detail }))).toEqual([]);
  expect(await published('back')).toHaveLength(2);
});

/** A dead letter of the pipe of release 0.1.0: a position in the stream. */
const OF_THE_PIPE = {
  context: { partnerResourceArn: 'arn:aws:pipes:us-east-1:000000000000:pipe/PromoEvents' },
  version: '1.0',
  timestamp: '2026-11-20T09:30:00.412Z',
  DDBStreamBatchInfo: { shardId: 'shardId-1', startSequenceNumber: '1', batchSize: 1 },
};

test('what is not a letter, also one of release 0.1.0, and what the bus refuses again stays; the others are published', async () => {
  const { kind: _, ...withoutKind } = appliedItem('without-kind');
  await service.putPromoEvent(withoutKind);
  await store(appliedItem('joe'));
  const ofNoItem = { clientId: '', eventId: 'x' };
  const failed = await publish(
    'not JSON',
    OF_THE_PIPE,
    letterOf('joe'),
    letterOf('joe', { source: 'another' }),
    letterOf('joe', { detail: ofNoItem }),
    letterOf('without-kind'),
  );
  expect(failed).toEqual(['0', '1', '3', '4', '5']);
  expect(await published('joe', 'without-kind')).toHaveLength(2);
});

test('while the table, the markers or the bus fail, a letter stays', async () => {
  await store(appliedItem('kim'));
  for (const operation of ['GetItem', 'Query']) {
    service.toDynamoDb.faultOf = (call) =>
      call.operation === operation ? 'not permitted' : undefined;
    expect(await publish(letterOf('kim')), operation).toEqual(['0']);
  }
  service.toDynamoDb.faultOf = () => undefined;
  await setFault('bus-down');
  expect(await publish(letterOf('kim'), NEWS)).toEqual(['0', '1']);
  await setFault('none');
  await service.markErased('demo', 'kim', { expiresAt: 'never' });
  expect(await publish(letterOf('kim'))).toEqual(['0']);
  expect(await published('kim')).toHaveLength(1);
});

test('a letter is not counted as published: it says nothing of the stream, whose alarm must not end', async () => {
  await store(appliedItem('tom'));
  const log = service.watchLog();
  // The line about the second one comes after the metrics of the first.
  expect(await publish(letterOf('tom'))).toEqual([]);
  expect(await publish(letterOf('tom'), OF_THE_PIPE)).toEqual(['1']);
  expect(await published('tom')).toHaveLength(3);
  await log.logged('A dead letter cannot be published');
  expect(log.lines().join()).not.toContain('PromoEventPublished');
});

test('the queue invokes the function, and what fails becomes a dead letter again', async () => {
  const { PromoEventsBusQueueUrl: QueueUrl, PromoEventsBusDeadLetterQueueUrl } = service.outputs;
  await store(appliedItem('sue'));
  for (const body of [letterOf('sue'), OF_THE_PIPE]) {
    const MessageBody = JSON.stringify(body);
    await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }
  await vi.waitFor(async () => expect(await published('sue')).toHaveLength(2), SOON);
  const received: unknown[] = [];
  await vi.waitFor(async () => {
    const receive = { QueueUrl: PromoEventsBusDeadLetterQueueUrl, MaxNumberOfMessages: 10 };
    const { Messages = [] } = await service.sqs.send(new ReceiveMessageCommand(receive));
    received.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
    expect(received).toContainEqual(OF_THE_PIPE);
  }, SOON);
});
