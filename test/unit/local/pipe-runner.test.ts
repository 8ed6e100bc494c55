import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EventBus } from '../../../local/event-bus.ts';
import { pipeRunner } from '../../../local/pipe-runner.ts';
import { SHARD_ID } from '../../../local/table-stream.ts';

const PIPE = {
  pipeArn: 'arn:aws:pipes:us-east-1:000000000000:pipe/Pipe',
  streamArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/Table/stream/1',
  deadLetterQueueUrl: 'https://sqs.example.com/dead-letters',
  filters: ['{"eventName":["INSERT"]}'],
  source: 'promo',
  detailType: '$.dynamodb.NewImage.kind.S',
  inputTemplate: '{"code":<$.dynamodb.NewImage.code.S>}',
};
const NOW = '2026-11-22T12:00:00.500Z';
const RECORD: DynamoDBRecord = {
  eventName: 'INSERT',
  dynamodb: {
    ApproximateCreationDateTime: Date.parse('2026-11-22T11:59:58.000Z') / 1000,
    NewImage: { kind: { S: 'applied' }, code: { S: 'SECRET' } },
    SequenceNumber: '000000000000000000007',
  },
};

const put = vi.fn<EventBus['put']>();
const send = vi.fn<(command: SendMessageCommand) => Promise<void>>();
const run = pipeRunner(PIPE, { put } as unknown as EventBus, { send } as unknown as SQSClient);

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(NOW) });
  put.mockResolvedValue({ Entries: [], FailedEntryCount: 0 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

test('a record becomes an event, and no dead letter', async () => {
  await run(RECORD);
  const entry = { Source: 'promo', DetailType: 'applied', Detail: '{"code":"SECRET"}' };
  expect(put).toHaveBeenCalledExactlyOnceWith([entry]);
  expect(send).not.toHaveBeenCalled();
});

test('a record that the filters leave out becomes neither', async () => {
  await run({ ...RECORD, eventName: 'MODIFY' });
  expect(put).not.toHaveBeenCalled();
  expect(send).not.toHaveBeenCalled();
});

test('the dead letter of a record says where it is and when it was written, and nothing of its content', async () => {
  put.mockResolvedValue({ Entries: [{ ErrorCode: 'InvalidArgument' }], FailedEntryCount: 1 });
  await run(RECORD);
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.any(SendMessageCommand));
  const { QueueUrl, MessageBody = '' } = send.mock.lastCall?.[0].input ?? {};
  expect(QueueUrl).toBe(PIPE.deadLetterQueueUrl);
  expect(JSON.parse(MessageBody)).toEqual({
    context: { partnerResourceArn: PIPE.pipeArn, condition: 'RetryAttemptsExhausted' },
    version: '1.0',
    timestamp: NOW,
    DDBStreamBatchInfo: {
      shardId: SHARD_ID,
      startSequenceNumber: '000000000000000000007',
      endSequenceNumber: '000000000000000000007',
      approximateArrivalOfFirstRecord: '2026-11-22T11:59:58.000Z',
      approximateArrivalOfLastRecord: '2026-11-22T11:59:58.000Z',
      batchSize: 1,
      streamArn: PIPE.streamArn,
    },
  });
});
