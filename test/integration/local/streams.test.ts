import { createServer } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, expect, test } from 'vitest';
import { databaseClient, tableStreamsClient } from '../../../local/aws-clients.ts';
import { embeddedDynamoDb, startDatabase } from '../../../local/database.ts';
import { close, listen } from '../../../local/listen.ts';
import { createStreamingDatabase } from '../../../local/streaming-database.ts';
import { TableStream } from '../../../local/table-stream.ts';
import { engineOfTheRun } from '../../support/dynamodb-local/engine.ts';

/* What writes become in a stream with new and old images: derived by the local server, or by DynamoDB Local itself. */

const TABLE = {
  tableName: 'Streamed',
  keySchema: [{ AttributeName: 'clientId', KeyType: 'HASH' as const }],
  attributeDefinitions: [{ AttributeName: 'clientId', AttributeType: 'S' as const }],
};
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

/** What a record says, besides where it is in the stream. */
interface Change {
  readonly eventName: string | undefined;
  readonly keys: unknown;
  readonly before: unknown;
  readonly after: unknown;
}

const changeOf = ({ eventName, dynamodb }: StreamRecord | DynamoDBRecord): Change => ({
  eventName,
  keys: dynamodb?.Keys,
  before: dynamodb?.OldImage,
  after: dynamodb?.NewImage,
});

/** A table of the embedded DynamoDB, and its stream. */
async function embedded() {
  const records: DynamoDBRecord[] = [];
  const engine = await startDatabase(await embeddedDynamoDb(), [TABLE], '', []);
  cleanup.defer(() => close(engine.server));
  const stream = new TableStream('arn', 'NEW_AND_OLD_IMAGES', async (record) => {
    records.push(record);
  });
  const server = createStreamingDatabase(engine.server, [{ ...TABLE, stream }]);
  const client = databaseClient(await listen(server));
  cleanup.defer(() => close(server));
  return { client, read: async () => records };
}

/** A table of DynamoDB Local, and its stream. */
async function amazons(engine: NonNullable<ReturnType<typeof engineOfTheRun>>) {
  const endpoint = await listen(engine);
  cleanup.defer(() => close(engine));
  const [client, streams] = [databaseClient(endpoint), tableStreamsClient(endpoint)];
  cleanup.defer(async () => streams.destroy());
  await client.send(
    new CreateTableCommand({
      TableName: TABLE.tableName,
      KeySchema: TABLE.keySchema,
      AttributeDefinitions: TABLE.attributeDefinitions,
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE.tableName }));
  return { client, read: (count: number) => readStream(streams, Table?.LatestStreamArn, count) };
}

async function readStream(
  streams: DynamoDBStreamsClient,
  StreamArn: string | undefined,
  count: number,
): Promise<StreamRecord[]> {
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const [shard] = StreamDescription?.Shards ?? [];
  let { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({
      ...{ StreamArn, ShardId: shard?.ShardId },
      ShardIteratorType: 'TRIM_HORIZON',
    }),
  );
  const records: StreamRecord[] = [];
  while (records.length < count) {
    const answer = await streams.send(new GetRecordsCommand({ ShardIterator }));
    records.push(...(answer.Records ?? []));
    ShardIterator = answer.NextShardIterator;
    await setTimeout(50);
  }
  return records;
}

async function edit(client: DynamoDBClient, items: readonly Record<string, AttributeValue>[]) {
  const TableName = TABLE.tableName;
  const Key = marshall({ clientId: 'pizza' });
  for (const Item of items) await client.send(new PutItemCommand({ TableName, Item }));
  await client.send(
    new UpdateItemCommand({
      ...{ TableName, Key },
      UpdateExpression: 'SET lastFieldId = :id REMOVE note',
      ExpressionAttributeValues: { ':id': { N: '8' } },
    }),
  );
  // An update that changes nothing makes no record.
  await client.send(
    new UpdateItemCommand({
      ...{ TableName, Key },
      UpdateExpression: 'SET lastFieldId = :id',
      ExpressionAttributeValues: { ':id': { N: '8' } },
    }),
  );
  await client.send(new DeleteItemCommand({ TableName, Key }));
  await client.send(new DeleteItemCommand({ TableName, Key }));
}

test('each write that changes an item is a record with the item before and after, and no other write is one', async () => {
  const engine = engineOfTheRun();
  const { client, read } = engine ? await amazons(engine) : await embedded();
  cleanup.defer(async () => client.destroy());
  const keys = marshall({ clientId: 'pizza' });
  const digits: AttributeValue = { N: '12345678901234567890123456789012345678' };
  const first = { ...keys, lastFieldId: digits, note: { NULL: true as const } };
  const second = { ...first, appIds: { SS: ['a', 'b'] }, fields: { L: [{ M: {} }, digits] } };
  await edit(client, [first, first, second]);
  const { note: _, ...third } = { ...second, lastFieldId: { N: '8' } };
  expect((await read(4)).map(changeOf)).toEqual([
    { eventName: 'INSERT', keys, before: undefined, after: first },
    { eventName: 'MODIFY', keys, before: first, after: second },
    { eventName: 'MODIFY', keys, before: second, after: third },
    { eventName: 'REMOVE', keys, before: third, after: undefined },
  ]);
});

test('each item of a batch has its own record, with the item before and after', async () => {
  const { client, read } = await embedded();
  cleanup.defer(async () => client.destroy());
  const item = (clientId: string, n: number) => marshall({ clientId, n });
  const batch = (...requests: WriteRequest[]) =>
    client.send(new BatchWriteItemCommand({ RequestItems: { [TABLE.tableName]: requests } }));
  const put = (Item: Record<string, AttributeValue>) => ({ PutRequest: { Item } });
  await batch(put(item('one', 1)), put(item('other', 2)));
  await batch(put(item('one', 3)), { DeleteRequest: { Key: marshall({ clientId: 'other' }) } });
  expect((await read()).slice(2).map(changeOf)).toEqual([
    {
      ...{ eventName: 'MODIFY', keys: marshall({ clientId: 'one' }) },
      ...{ before: item('one', 1), after: item('one', 3) },
    },
    {
      ...{ eventName: 'REMOVE', keys: marshall({ clientId: 'other' }) },
      ...{ before: item('other', 2), after: undefined },
    },
  ]);
});

test('writes of one item at the same time take turns: each record begins where the one before it ended', async () => {
  const { client, read } = await embedded();
  cleanup.defer(async () => client.destroy());
  const write = (n: number) =>
    client.send(
      new PutItemCommand({ TableName: TABLE.tableName, Item: marshall({ clientId: 'pizza', n }) }),
    );
  // Later writes arrive while earlier ones wait, and after some of them are done.
  const all: Promise<unknown>[] = [];
  for (let n = 0; n < 30; n++) {
    all.push(write(n));
    await Promise.race([all[n - 3], setImmediate()]);
  }
  await Promise.all(all);
  const changes = (await read()).map(changeOf);
  expect(changes).toHaveLength(30);
  expect(changes.map(({ before }) => before)).toEqual([
    undefined,
    ...changes.slice(0, -1).map(({ after }) => after),
  ]);
});

test('a call of the streams that cannot be read is refused: an empty response would look like a success', async () => {
  const server = createStreamingDatabase(createServer(), []);
  const endpoint = await listen(server);
  cleanup.defer(() => close(server));
  const call = (body: string) => {
    const headers = { 'X-Amz-Target': 'DynamoDBStreams_20120810.GetRecords' };
    return fetch(endpoint, { method: 'POST', headers, body });
  };
  for (const body of ['{}', '{']) {
    const refused = await call(body);
    expect(refused.status).toBe(400);
    expect(refused.headers.get('content-type')).toBe('application/x-amz-json-1.0');
  }
});
