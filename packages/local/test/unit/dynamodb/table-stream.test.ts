import type { DynamoDBRecord } from 'aws-lambda';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answerStreamCall } from '../../../dynamodb/stream-api.ts';
import { TableStream } from '../../../dynamodb/table-stream.ts';

const item = (n: number) => ({ clientId: { S: 'pizza' }, n: { N: String(n) } });

/** A stream after some writes, and its records. */
async function streamOf(writes: number) {
  const records: DynamoDBRecord[] = [];
  const stream = new TableStream('arn', 'NEW_IMAGE', async (record) => {
    records.push(record);
  });
  for (let n = 1; n <= writes; n++) {
    await stream.add({ key: {}, before: n > 1 ? item(n - 1) : undefined, after: item(n) });
  }
  return { stream, records };
}

const numberOf = (record: DynamoDBRecord | undefined) => record?.dynamodb?.SequenceNumber ?? '';

test('records of a later run have higher numbers', async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ now: Date.parse('2026-11-22T12:00:00Z') });
  const { records } = await streamOf(100);
  vi.advanceTimersByTime(1);
  const later = await streamOf(1);
  expect(numberOf(later.records[0]) > numberOf(records.at(-1))).toBe(true);
});

test('the last 10,000 records can be read again, in order, from each of them on; older ones are refused', async () => {
  const { stream, records } = await streamOf(10_002);
  const readFrom = (index: number) => {
    const { body } = answerStreamCall([stream], 'GetShardIterator', {
      StreamArn: 'arn',
      ShardIteratorType: 'AT_SEQUENCE_NUMBER',
      SequenceNumber: numberOf(records[index]),
    });
    return 'ShardIterator' in body ? answerStreamCall([stream], 'GetRecords', body).body : body;
  };
  for (const index of [2, 3, 10_001]) {
    expect(readFrom(index)).toEqual({ Records: records.slice(index) });
  }
  expect(readFrom(1)).toMatchObject({ __type: expect.stringMatching(/#TrimmedDataAccess/) });
});
