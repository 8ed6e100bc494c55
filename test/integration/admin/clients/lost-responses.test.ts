import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClient, removeClient } from '../../../../admin/clients/change-client.ts';
import { type ConfigsTable, readClient } from '../../../../admin/clients/configs-table.ts';
import { planPublication } from '../../../../admin/configuration/plan-change.ts';
import { publish } from '../../../../admin/configuration/publish.ts';
import type { ConfigurationTables } from '../../../../admin/configuration/stored-configuration.ts';
import { databaseClient } from '../../../../local/aws-clients.ts';
import { close } from '../../../../local/listen.ts';
import { FaultProxy } from '../../../support/fault-proxy.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

/*
 * The database makes a change, but its response is lost. The SDK repeats the call, whose condition
 * is no longer met.
 */

const CHANGE = { by: 'jane', message: 'Because' };

let database: Tables;
let proxy: FaultProxy;
let dynamodb: DynamoDBClient;
let table: ConfigsTable;
let tables: ConfigurationTables;

beforeAll(async () => {
  database = await startTables();
  proxy = await FaultProxy.start();
  proxy.target = database.endpoint;
  dynamodb = databaseClient(proxy.url);
  tables = { ...database.configurations, dynamodb };
  table = { dynamodb, tableName: tables.configsTableName };
});
afterAll(async () => {
  dynamodb.destroy();
  await close(proxy.server);
  await database.stop();
});
beforeEach(() => {
  proxy.faultCounts.clear();
  proxy.faultOf = () => undefined;
});

/** Loses the response to the next call of an operation, and nothing else. */
function loseResponse(lost: 'UpdateItem' | 'DeleteItem'): void {
  proxy.faultOf = ({ operation }) => {
    if (operation !== lost || proxy.faultCounts.size > 0) return undefined;
    return 'connection reset, executed';
  };
}

const create = (clientId: string) =>
  createClient(table, { clientId, appId: 'first', userPoolClientIds: ['app'] }, CHANGE);

test('a client that was created is no conflict, so its App-Id is not lost', async () => {
  loseResponse('UpdateItem');
  await create('created');
  expect(proxy.faultCounts.size).toBe(1);
  expect(await readClient(table, 'created')).toMatchObject({ appIds: new Set(['first']) });
  await expect(create('created')).rejects.toMatchObject({ code: 'clientExists' });
});

test('a client that was removed is reported as removed', async () => {
  await create('removed');
  loseResponse('DeleteItem');
  await removeClient(table, 'removed', CHANGE);
  expect(proxy.faultCounts.size).toBe(1);
  expect(await readClient(table, 'removed')).toBeUndefined();
});

test('a configuration that was published is no conflict', async () => {
  await create('published');
  const draft = { clientId: 'published', fields: [{ fieldName: 'Pizza' }] };
  const plan = await planPublication(tables, draft);
  loseResponse('UpdateItem');
  const lastChange = await publish(tables, plan, CHANGE);
  expect(proxy.faultCounts.size).toBe(1);
  expect(await readClient(table, 'published')).toMatchObject({
    ...{ lastChange, lastFieldId: 1 },
    fields: [{ id: '1', fieldName: 'Pizza' }],
  });
});
