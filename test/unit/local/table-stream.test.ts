import type { DynamoDBRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
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
