import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import { answerStreamCall } from '../../../local/stream-api.ts';
import { TableStream } from '../../../local/table-stream.ts';
import type { StreamViewType } from '../../../local/template.ts';

const KEY = { clientId: { S: 'pizza' } };
const item = (n: number) => ({ ...KEY, n: { N: String(n) } });

/** A stream after some writes of one item, and its records. */
async function streamOf(writes: number, viewType: StreamViewType = 'NEW_AND_OLD_IMAGES') {
  const records: DynamoDBRecord[] = [];
  const stream = new TableStream('arn', viewType, async (record) => {
    records.push(record);
  });
  for (let n = 1; n <= writes; n++) {
    await stream.add({ key: KEY, before: n > 1 ? item(n - 1) : undefined, after: item(n) });
  }
  return { stream, records };
}

const numberOf = (record: DynamoDBRecord | undefined) => record?.dynamodb?.SequenceNumber ?? '';

afterEach(() => vi.useRealTimers());

test('records of a later run have higher numbers', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-22T12:00:00Z') });
  const { records } = await streamOf(100);
  vi.advanceTimersByTime(1);
  const later = await streamOf(1);
  expect(numberOf(later.records[0]) > numberOf(records.at(-1))).toBe(true);
});

test.each<[StreamViewType, boolean]>([
  ['NEW_AND_OLD_IMAGES', true],
  ['NEW_IMAGE', false],
])(
  'a record of a stream with %s has the item after; whether it has the item before: %s',
  async (viewType, hasOld) => {
    const { records } = await streamOf(2, viewType);
    const { NewImage, OldImage, StreamViewType } = records[1]?.dynamodb ?? {};
    expect({ NewImage, OldImage, StreamViewType }).toEqual({
      NewImage: item(2),
      OldImage: hasOld ? item(1) : undefined,
      StreamViewType: viewType,
    });
  },
);

test('the records can be read again from one of them on, in order, with that one', async () => {
  const { stream, records } = await streamOf(4);
  const read = (request: object) => {
    const { body } = answerStreamCall([stream], 'GetShardIterator', {
      StreamArn: 'arn',
      ...request,
    });
    return answerStreamCall([stream], 'GetRecords', body).body;
  };
  expect(read({ ShardIteratorType: 'TRIM_HORIZON' })).toEqual({ Records: records });
  for (const [index, record] of records.entries()) {
    const position = { ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: numberOf(record) };
    expect(read(position)).toEqual({ Records: records.slice(index) });
  }
});

test('of more than 10,000 records, the oldest are gone, and their positions are refused', async () => {
  const { stream, records } = await streamOf(10_002);
  expect(stream.from('')).toEqual(records.slice(2));
  const at = (record: DynamoDBRecord | undefined) =>
    answerStreamCall([stream], 'GetShardIterator', {
      StreamArn: 'arn',
      ShardIteratorType: 'AT_SEQUENCE_NUMBER',
      SequenceNumber: numberOf(record),
    });
  expect(at(records[1])).toMatchObject({
    status: 400,
    body: { __type: expect.stringContaining('#TrimmedDataAccessException') },
  });
  expect(at(records[2]).status).toBe(200);
});

test.each([
  ['GetRecords', { ShardIterator: 'other|1' }, 'ResourceNotFoundException', 'no stream other.'],
  ['GetShardIterator', { StreamArn: 'other' }, 'ResourceNotFoundException', 'no stream other.'],
  ['GetShardIterator', {}, 'ResourceNotFoundException', 'no stream .'],
  ['DescribeStream', { StreamArn: 'arn' }, 'UnknownOperationException', 'DescribeStream is not'],
  [
    'GetShardIterator',
    { StreamArn: 'arn', ShardIteratorType: 'LATEST' },
    'TrimmedDataAccessException',
    'is no longer in the stream.',
  ],
])(
  'a call that it cannot answer is an error of the API: %s %j',
  async (operation, request, name, message) => {
    const { stream } = await streamOf(1);
    expect(answerStreamCall([stream], operation, request)).toEqual({
      status: 400,
      body: {
        __type: `com.amazonaws.dynamodb.v20120810#${name}`,
        message: expect.stringContaining(message),
      },
    });
  },
);
