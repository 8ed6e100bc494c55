import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { createTable } from 'customer-data-api-local';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { ROLLOUTS_BY_ALARM } from '../../../functions/definitions.ts';
import { startAws } from '../../support/aws.ts';
import { itemsIn } from '../../support/items-in.ts';
import { newTable } from '../../support/new-table.ts';
import { stubEnvironment, testIssuer } from '../../support/started-function.ts';
import { startTables } from '../../support/tables.ts';

const database = await startTables();
/** Stands between the function and the tables, which here are never behind. */
const aws = await startAws({ DynamoDB: database.server });
beforeEach(() => aws.answer({}));
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
  await database.stop();
});
// A query by alarm needs its index.
const TableName = 'Configs';
const { attributeDefinitions } = newTable(TableName, 'clientId', 'rolloutAlarm');
await createTable(database.dynamodb, {
  ...newTable(TableName, 'clientId'),
  attributeDefinitions,
  indexes: [
    {
      IndexName: ROLLOUTS_BY_ALARM,
      KeySchema: [{ AttributeName: 'rolloutAlarm', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
});
stubEnvironment(testIssuer(), database.endpoint, aws.endpoint);
const { handler } = await import('../../../functions/stop-rollouts/handler.ts');

const documentClient = DynamoDBDocumentClient.from(database.dynamodb, {
  marshallOptions: { removeUndefinedValues: true },
});
const put = (clientId: string, rolloutAlarm: string | undefined, more: object = {}) => {
  const rollout = { id: `rollout of ${clientId}`, fields: [], percent: 5 };
  const Item = { clientId, rolloutAlarm, rollout, ...more };
  return documentClient.send(new PutCommand({ TableName, Item }));
};
/** Calls the function as EventBridge does. Returns the clients with a rollout. */
async function afterAlarm(alarmName: string): Promise<string[]> {
  const event = { detail: { alarmName, state: { value: 'ALARM' } } };
  const context = { getRemainingTimeInMillis: () => 20_000 };
  await handler(event as Parameters<typeof handler>[0], context as Context);
  const items = await itemsIn(TableName, documentClient);
  return items.flatMap(({ clientId, rollout }) => (rollout ? clientId : [])).toSorted();
}

async function itemOf(clientId: string) {
  const { Item = {} } = await documentClient.send(new GetCommand({ TableName, Key: { clientId } }));
  return Item;
}

test('an alarm that goes on stops its rollouts, and no others', async () => {
  await Promise.all([put('one', 'crashes'), put('two', 'crashes'), put('three', 'refusals')]);
  // One without an alarm, and one that a manual edit has damaged.
  await Promise.all([put('four', undefined), put('five', 'crashes', { rollout: 'edited' })]);
  // Only the alarm beside it stops a rollout.
  const rollout = { id: 'six', fields: [], percent: 5, alarm: 'crashes' };
  await put('six', 'refusals', { rollout });
  expect(await afterAlarm('crashes')).toEqual(['five', 'four', 'six', 'three']);
  const { lastChange } = await itemOf('one');
  expect(lastChange).toMatchObject({ by: 'alarm crashes', message: expect.any(String) });
  // The event is delivered again.
  await put('one', 'refusals');
  expect(await afterAlarm('crashes')).toEqual(['five', 'four', 'one', 'six', 'three']);
});

test('while the index is behind, a rollout that has another alarm by now, or none, goes on', async () => {
  await Promise.all([put('replaced', 'late'), put('freed', 'late'), put('own', 'late')]);
  aws.answer({
    Query: async (_, passOn) => {
      const page = await passOn();
      await Promise.all([put('replaced', 'refusals'), put('freed', undefined)]);
      return page;
    },
  });
  const running = await afterAlarm('late');
  expect(running).toEqual(expect.arrayContaining(['freed', 'replaced']));
  expect(running).not.toContain('own');
});

test('a rollout that has just started is stopped, although eventual reads are behind', async () => {
  await put('started', 'sudden');
  const before = { Item: { clientId: { S: 'started' } } };
  aws.answer({
    GetItem: (input, passOn) => (input.ConsistentRead ? passOn() : before),
  });
  expect(await afterAlarm('sudden')).not.toContain('started');
});
