import { setImmediate } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseClient } from '../../../local/aws-clients.ts';
import { embeddedDynamoDb, startDatabase } from '../../../local/dynamodb/database.ts';
import { createStreamingDatabase } from '../../../local/dynamodb/streaming-database.ts';
import { TableStream } from '../../../local/dynamodb/table-stream.ts';
import { close, listen } from '../../../local/listen.ts';

/* What writes become in a stream with new and old images. */

const TableName = 'Streamed';
const TABLE = {
  tableName: TableName,
  keySchema: [{ AttributeName: 'clientId', KeyType: 'HASH' as const }],
  attributeDefinitions: [{ AttributeName: 'clientId', AttributeType: 'S' as const }],
};

let client: DynamoDBClient;
let records: DynamoDBRecord[];
let stop: () => Promise<unknown>;
beforeEach(async () => {
  records = [];
  const engine = await startDatabase(await embeddedDynamoDb(), [TABLE], '', []);
  const stream = new TableStream('arn', 'NEW_AND_OLD_IMAGES', async (record) => {
    records.push(record);
  });
  const server = createStreamingDatabase(engine.server, [{ ...TABLE, stream }]);
  client = databaseClient(await listen(server));
  stop = () => Promise.all([close(server), close(engine.server)]);
});
afterEach(async () => {
  client.destroy();
  await stop();
});

/** What each record says, besides where it is in the stream. */
const changes = () =>
  records.map(({ eventName, dynamodb }) => ({
    ...{ eventName, keys: dynamodb?.Keys },
    ...{ before: dynamodb?.OldImage, after: dynamodb?.NewImage },
  }));

type Item = Record<string, AttributeValue>;
const keyOf = (clientId: string) => ({ clientId: { S: clientId } });
const itemOf = (clientId: string, n: number) => ({ ...keyOf(clientId), n: { N: String(n) } });
const put = (Item: Item) => client.send(new PutItemCommand({ TableName, Item }));

test('each write that changes an item is a record with the item before and after, and no other write is one', async () => {
  const keys = keyOf('pizza');
  const digits: AttributeValue = { N: '12345678901234567890123456789012345678' };
  const first = { ...keys, lastFieldId: digits, note: { NULL: true as const } };
  const second = { ...first, appIds: { SS: ['a', 'b'] }, fields: { L: [{ M: {} }, digits] } };
  for (const item of [first, first, second]) await put(item);
  for (const UpdateExpression of ['SET lastFieldId = :id REMOVE note', 'SET lastFieldId = :id']) {
    const ExpressionAttributeValues: Item = { ':id': { N: '8' } };
    await client.send(
      new UpdateItemCommand({ TableName, Key: keys, UpdateExpression, ExpressionAttributeValues }),
    );
  }
  for (const _ of ['once', 'again']) {
    await client.send(new DeleteItemCommand({ TableName, Key: keys }));
  }
  const { note: _, ...third } = { ...second, lastFieldId: { N: '8' } };
  expect(changes()).toEqual([
    { eventName: 'INSERT', keys, before: undefined, after: first },
    { eventName: 'MODIFY', keys, before: first, after: second },
    { eventName: 'MODIFY', keys, before: second, after: third },
    { eventName: 'REMOVE', keys, before: third, after: undefined },
  ]);
});

test('each item of a batch has its own record, with the item before and after', async () => {
  await put(itemOf('one', 1));
  await put(itemOf('other', 2));
  await client.send(
    new BatchWriteItemCommand({
      RequestItems: {
        [TableName]: [
          { PutRequest: { Item: itemOf('one', 3) } },
          { DeleteRequest: { Key: keyOf('other') } },
        ],
      },
    }),
  );
  expect(changes().slice(2)).toMatchObject([
    { keys: keyOf('one'), before: itemOf('one', 1), after: itemOf('one', 3) },
    { keys: keyOf('other'), before: itemOf('other', 2), after: undefined },
  ]);
});

test('writes of one item at the same time take turns: each record begins where the one before it ended', async () => {
  // Later writes arrive while earlier ones wait, and after some of them are done.
  const all: Promise<unknown>[] = [];
  for (let n = 0; n < 30; n++) {
    all.push(put(itemOf('pizza', n)));
    await Promise.race([all[n - 3], setImmediate()]);
  }
  await Promise.all(all);
  expect(records).toHaveLength(30);
  expect(changes().map(({ before }) => before)).toEqual([
    ...[undefined, ...changes().map(({ after }) => after)].slice(0, -1),
  ]);
});
