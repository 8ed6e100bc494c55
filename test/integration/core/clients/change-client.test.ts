import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeKeys, createClient, removeClient } from '../../../../core/clients/change-client.ts';
import { type ConfigsTable, readClient } from '../../../../core/clients/configs-table.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

/* What somebody else does to a client between the calls of a change. */

const CHANGE = { by: 'jane', message: 'Because' };

let database: Tables;
let table: ConfigsTable;

beforeAll(async () => {
  database = await startTables();
  const { dynamodb, configsTableName } = database.configurations;
  table = { dynamodb, tableName: configsTableName };
});
afterAll(() => database.stop());

const put = (item: object) =>
  table.dynamodb.send(new PutItemCommand({ TableName: table.tableName, Item: marshall(item) }));

/** The table, with an SDK client that lets something happen before its first call of one kind. */
function interruptedBefore(
  Command: abstract new (...input: never[]) => object,
  happens: () => Promise<unknown>,
): ConfigsTable {
  let isPending = true;
  const send = async (...args: Parameters<ConfigsTable['dynamodb']['send']>) => {
    if (isPending && args[0] instanceof Command) {
      isPending = false;
      await happens();
    }
    return table.dynamodb.send(...args);
  };
  return { ...table, dynamodb: { send } as unknown as ConfigsTable['dynamodb'] };
}

test('a new client says that it was created, so that its first version has an author', async () => {
  const client = { clientId: 'new', appId: 'key', userPoolClientIds: ['app'] };
  await createClient(table, client, CHANGE);
  expect(await readClient(table, 'new')).toMatchObject({
    lastChange: { ...CHANGE, creates: 'new' },
  });
});

test('a client that somebody changed after it was to be removed stays', async () => {
  await put({ clientId: 'edited', appIds: ['key'] });
  const edited = { clientId: 'edited', appIds: ['key', 'second'] };
  const interrupted = interruptedBefore(DeleteItemCommand, () => put(edited));
  await expect(removeClient(interrupted, 'edited', CHANGE)).rejects.toThrow(
    'Somebody changed the client edited meanwhile. It was not removed.',
  );
  expect(await readClient(table, 'edited')).toEqual(edited);
});

test('a client without keys that was removed meanwhile does not come back with a key', async () => {
  await put({ clientId: 'removed' });
  const Key = marshall({ clientId: 'removed' });
  const remove = () =>
    table.dynamodb.send(new DeleteItemCommand({ TableName: table.tableName, Key }));
  const interrupted = interruptedBefore(UpdateItemCommand, remove);
  const added = changeKeys(interrupted, 'removed', () => ['key'], CHANGE);
  await expect(added).rejects.toThrow('There is no client removed.');
  expect(await readClient(table, 'removed')).toBeUndefined();
});
