import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { offlineDynamoDb } from 'customer-data-api/testing/offline-dynamodb';
import { expect, test } from 'vitest';
import { copyEvents } from '../../../promo-events/copy.ts';

/* What the local engines never do, or not at this moment. */

const EVENT = { clientId: { S: 'pizza' }, eventId: { S: 'event' } };
const OTHER = { clientId: { S: 'pizza' }, eventId: { S: 'other' } };

const TABLES = { from: 'From', to: 'To', erasures: 'Erasures' };
const none = () => ({ copied: 0, erased: 0, expired: 0, late: 0 });

async function copy(dynamodb: DynamoDBClient, writes: boolean) {
  const { signal } = new AbortController();
  const documentClient = DynamoDBDocumentClient.from(dynamodb);
  const counts = none();
  await copyEvents({ documentClient, ...TABLES, writes, onRead: () => {}, signal }, counts);
  return counts;
}

test('a copy that is interrupted has counted what it copied', async () => {
  const { dynamodb } = offlineDynamoDb(({ TableName }) =>
    TableName === 'From' ? { Items: [EVENT], LastEvaluatedKey: EVENT } : {},
  );
  const documentClient = DynamoDBDocumentClient.from(dynamodb);
  const interrupted = new AbortController();
  const counts = none();
  const onRead = (read: number) => {
    if (read > 0) interrupted.abort(new Error('Interrupted'));
  };
  const { signal } = interrupted;
  const copying = copyEvents({ documentClient, ...TABLES, writes: true, onRead, signal }, counts);
  await expect(copying).rejects.toThrow('Interrupted');
  expect(counts).toMatchObject({ copied: 1, late: 0 });
});

test('a copy finds what was stored last, also what DynamoDB returns only when asked again', async () => {
  const batches: object[] = [];
  const { inputs, dynamodb } = offlineDynamoDb(({ RequestItems }) => {
    if (!RequestItems) return { Items: [EVENT, OTHER] };
    batches.push(RequestItems);
    const answers = [
      { UnprocessedKeys: RequestItems },
      { Responses: { To: [EVENT] }, UnprocessedKeys: { To: { Keys: [OTHER] } } },
    ];
    return answers[batches.length - 1] ?? { Responses: { To: [OTHER] } };
  });
  expect(await copy(dynamodb, false)).toMatchObject({ copied: 0 });
  // The first one only asks for the time.
  const reads = inputs.slice(1).flatMap((input) => Object.values(input.RequestItems ?? { input }));
  for (const read of reads) expect(read).toMatchObject({ ConsistentRead: true });
});

test('a copy does not overwrite what is stored while it runs', async () => {
  const refusal = { __type: 'ConditionalCheckFailedException' };
  const { dynamodb } = offlineDynamoDb(({ TableName, ConditionExpression }) =>
    ConditionExpression ? refusal : TableName === 'From' ? { Items: [EVENT] } : {},
  );
  expect(await copy(dynamodb, true)).toMatchObject({ copied: 0, late: 0 });
});

test('what has expired depends on the clock of AWS, not on that of the machine', async () => {
  const hours = (count: number) => Date.now() + count * 3_600_000;
  for (const [aws, copied] of [
    [2, 0],
    [-2, 1],
  ] as const) {
    const expiresAt = { N: String(Math.floor(hours(aws / 2) / 1000)) };
    const { dynamodb } = offlineDynamoDb(
      ({ TableName }) => (TableName === 'From' ? { Items: [{ ...EVENT, expiresAt }] } : {}),
      () => new Date(hours(aws)),
    );
    expect(await copy(dynamodb, false)).toMatchObject({ copied });
  }
});
