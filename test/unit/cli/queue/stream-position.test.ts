import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import {
  GetShardIteratorCommand,
  InternalServerError,
  ResourceNotFoundException,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { describe, expect, test } from 'vitest';
import { readStreamPosition, recordsAt } from '../../../../cli/queue/stream-position.ts';

const INFO = {
  shardId: 'shardId-1',
  startSequenceNumber: '999',
  endSequenceNumber: '1001',
  approximateArrivalOfFirstRecord: '2026-11-20T09:30:00Z',
  approximateArrivalOfLastRecord: '2026-11-20T09:30:01Z',
  batchSize: 2,
  streamArn: 'arn:aws:dynamodb:eu-central-1:123456789012:table/T/stream/2026-01-01T00:00:00.000',
};
const MESSAGE = {
  context: { partnerResourceArn: 'arn:aws:pipes:…', condition: 'RetryAttemptsExhausted' },
  version: '1.0',
  timestamp: '2026-11-20T09:35:00Z',
  DDBStreamBatchInfo: INFO,
};
const POSITION = {
  streamArn: INFO.streamArn,
  shardId: INFO.shardId,
  startSequenceNumber: '999',
  endSequenceNumber: '1001',
  arrival: INFO.approximateArrivalOfFirstRecord,
};

describe('a dead letter of a pipe', () => {
  test('says where its records are', () => {
    expect(readStreamPosition(JSON.stringify(MESSAGE))).toEqual(POSITION);
  });

  test.each([
    'not JSON',
    '[]',
    JSON.stringify({ ...MESSAGE, DDBStreamBatchInfo: undefined }),
    ...['startSequenceNumber', 'endSequenceNumber'].map((name) =>
      JSON.stringify({ ...MESSAGE, DDBStreamBatchInfo: { ...INFO, [name]: '1e3' } }),
    ),
  ])('is none without a position: %s', (body) => {
    expect(readStreamPosition(body)).toBeUndefined();
  });
});

/** A stream that answers with pages of sequence numbers. */
function streamOf(pages: readonly (readonly string[])[]) {
  const asked: unknown[] = [];
  const send = async (command: { input: unknown }) => {
    asked.push(command.input);
    if (command instanceof GetShardIteratorCommand) return { ShardIterator: '0' };
    const index = Number(Object(command.input).ShardIterator);
    const Records = (pages[index] ?? []).map((SequenceNumber) => ({
      dynamodb: { SequenceNumber, NewImage: { bytes: { B: Uint8Array.of(1, 2) } } },
    }));
    return { Records, NextShardIterator: String(index + 1) };
  };
  return { asked, client: { send } as unknown as DynamoDBStreamsClient };
}

const numbersAt = async (pages: readonly (readonly string[])[]) =>
  (await recordsAt(streamOf(pages).client, POSITION))?.map(
    ({ dynamodb }) => dynamodb?.SequenceNumber,
  );

describe('the records at a position', () => {
  test('are read from the first sequence number on', async () => {
    const { asked, client } = streamOf([['999', '1000', '1001', '1002']]);
    await recordsAt(client, POSITION);
    expect(asked[0]).toEqual({
      StreamArn: POSITION.streamArn,
      ShardId: 'shardId-1',
      ShardIteratorType: 'AT_SEQUENCE_NUMBER',
      SequenceNumber: '999',
    });
  });

  test.each([
    ['up to the last one', [['999', '1000', '1001', '1002']]],
    ['on several pages, some of them empty', [['999'], [], ['1000'], [], ['1001']]],
    // A shard can answer with that many although there are more records.
    ['after nineteen empty pages', [...Array(19).fill([]), ['999', '1000', '1001']]],
  ])('end at the last sequence number, as a number: %s', async (_, pages) => {
    expect(await numbersAt(pages)).toEqual(['999', '1000', '1001']);
  });

  test('are read however many pages they are on', async () => {
    const pages = Array.from({ length: 30 }, (_, page) => [String(972 + page)]);
    expect(await numbersAt(pages)).toEqual(pages.flat());
  });

  test('end before a later one', async () => {
    expect(await numbersAt([['999', '1002']])).toEqual(['999']);
  });

  test('are unknown if the stream ends before them', async () => {
    const { asked, client } = streamOf([['999']]);
    expect(await recordsAt(client, POSITION)).toBeUndefined();
    // The iterator, the record, and twenty empty answers.
    expect(asked).toHaveLength(22);
  });

  test('are unknown if their shard is closed and ends before them', async () => {
    const { asked, client } = streamOf([['999']]);
    const send = async (command: GetShardIteratorCommand) => {
      const { NextShardIterator: _, ...answer } = Object(await client.send(command));
      return answer;
    };
    const closed = { send } as unknown as DynamoDBStreamsClient;
    expect(await recordsAt(closed, POSITION)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  test('have their binary values in Base64, as in a pipe', async () => {
    const [record] = (await recordsAt(streamOf([['1001']]).client, POSITION)) ?? [];
    expect(record?.dynamodb).toMatchObject({ NewImage: { bytes: { B: 'AQI=' } } });
  });

  const failing = (error: Error) =>
    recordsAt({ send: () => Promise.reject(error) } as unknown as DynamoDBStreamsClient, POSITION);

  test.each([
    ['does not keep them any more', TrimmedDataAccessException],
    ['or its shard is gone', ResourceNotFoundException],
  ])('are unknown if the stream %s', async (_, Gone) => {
    expect(await failing(new Gone({ message: 'gone', $metadata: {} }))).toBeUndefined();
  });

  test('are not taken for gone if a call fails', async () => {
    const error = new InternalServerError({ message: 'later', $metadata: {} });
    await expect(failing(error)).rejects.toBe(error);
  });
});
