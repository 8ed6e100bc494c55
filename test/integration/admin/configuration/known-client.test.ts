import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectKnownClient } from '../../../../admin/configuration/known-client.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
  const Item = { clientId: 'removed', version: 1, isDeleted: true };
  const TableName = tables.configurations.tableName;
  await DynamoDBDocumentClient.from(tables.dynamodb).send(new PutCommand({ TableName, Item }));
});
afterAll(() => tables.stop());

test.each(['demo', 'removed'])('the client %s is known', async (clientId) => {
  await expect(expectKnownClient(tables.configurations, clientId)).resolves.toBeUndefined();
});

test('a client is unknown if there never was one with its id', async () => {
  await expect(expectKnownClient(tables.configurations, 'Demo')).rejects.toMatchObject({
    code: 'noSuchClient',
  });
});
