import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { createTable } from 'customer-data-api-local';
import { afterAll, expect, test, vi } from 'vitest';
import { ROLLOUTS_BY_ALARM } from '../../../functions/definitions.ts';
import { itemsIn } from '../../support/items-in.ts';
import { newTable } from '../../support/new-table.ts';
import { stubEnvironment, testIssuer } from '../../support/started-function.ts';
import { startTables } from '../../support/tables.ts';

const database = await startTables();
afterAll(async () => {
  vi.unstubAllEnvs();
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
stubEnvironment(testIssuer(), database.endpoint, database.endpoint);
const { handler } = await import('../../../functions/stop-rollouts/handler.ts');

const documentClient = DynamoDBDocumentClient.from(database.dynamodb, {
  marshallOptions: { removeUndefinedValues: true },
});
const put = (clientId: string, rolloutAlarm: string | undefined, more: object = {}) => {
  const rollout = { id: `rollout of ${clientId}`, fields: [], percent: 5, alarm: rolloutAlarm };
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
  // One without an alarm, and one that a manual edit gave another alarm.
  await Promise.all([put('four', undefined), put('five', 'crashes', { rollout: 'edited' })]);
  expect(await afterAlarm('crashes')).toEqual(['five', 'four', 'three']);
  const { lastChange } = await itemOf('one');
  expect(lastChange).toMatchObject({ by: 'alarm crashes', message: expect.any(String) });
  // The event is delivered again.
  await put('one', 'refusals');
  expect(await afterAlarm('crashes')).toEqual(['five', 'four', 'one', 'three']);
});
