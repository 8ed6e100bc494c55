import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  changeAppIds,
  removeClient,
  setAppClients,
} from '../../../../admin/clients/change-client.ts';
import {
  type ConfigsTable,
  listClients,
  readClient,
  readExistingClient,
} from '../../../../admin/clients/configs-table.ts';
import { ClientConflict } from '../../../../admin/errors.ts';
import { fingerprintOf } from '../../../../core/clients/app-id-fingerprint.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

/* Changes of clients, and what somebody else does between the calls of a change. */

const CHANGE = { by: 'jane', message: 'Because' };
const CHANGED = { lastChange: expect.objectContaining(CHANGE) };
/** The labels of an App-Id `key` that was just added. */
const LABELLED = { [fingerprintOf('key')]: { at: expect.any(String), by: 'jane' } };

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

/**
 * The table, with an SDK client that lets something happen before each of its calls of one kind.
 */
function interruptedBefore(
  Command: abstract new (...input: never[]) => object,
  happens: (call: number) => Promise<unknown>,
): ConfigsTable {
  let calls = 0;
  const send = async (...args: Parameters<ConfigsTable['dynamodb']['send']>) => {
    if (args[0] instanceof Command) await happens(++calls);
    return table.dynamodb.send(...args);
  };
  return { ...table, dynamodb: { send } as unknown as ConfigsTable['dynamodb'] };
}

test('a client is read and listed, even with a number of more digits than JavaScript has', async () => {
  const Item = { clientId: { S: 'precise' }, lastFieldId: { N: '12345678901234567890123' } };
  await table.dynamodb.send(new PutItemCommand({ TableName: table.tableName, Item }));
  const client = { clientId: 'precise', lastFieldId: Number(Item.lastFieldId.N) };
  expect(await readExistingClient(table, 'precise')).toEqual(client);
  const listed: object[] = [];
  for await (const item of listClients(table)) listed.push(item);
  expect(listed).toContainEqual(client);
});

test('a client that somebody changed after it was to be removed stays', async () => {
  await put({ clientId: 'edited', appIds: ['key'] });
  const edited = { clientId: 'edited', appIds: ['key', 'second'] };
  const interrupted = interruptedBefore(DeleteItemCommand, () => put(edited));
  await expect(removeClient(interrupted, 'edited', CHANGE)).rejects.toThrow(ClientConflict);
  expect(await readClient(table, 'edited')).toEqual(edited);
});

test('a client without keys that was removed meanwhile does not come back with a key', async () => {
  await put({ clientId: 'removed' });
  const Key = marshall({ clientId: 'removed' });
  const interrupted = interruptedBefore(UpdateItemCommand, () =>
    table.dynamodb.send(new DeleteItemCommand({ TableName: table.tableName, Key })),
  );
  const added = changeAppIds(interrupted, 'removed', () => ['key'], CHANGE);
  await expect(added).rejects.toMatchObject({ code: 'noSuchClient' });
  expect(await readClient(table, 'removed')).toBeUndefined();
});

test.each([
  ['some', ['key'], { appIds: new Set(['key']), appIdLabels: LABELLED }],
  // DynamoDB has no empty sets.
  ['none', [], {}],
])(
  'a change of the keys that leaves %s removes the attributes that it corrects',
  async (name, left, keys) => {
    const clientId = `corrected-${name}`;
    await put({ clientId, appId: 'key', appIdz: 'other', appIds: ['old'], lastFieldId: 1 });
    await changeAppIds(table, clientId, () => left, CHANGE, ['appId', 'appIdz']);
    expect(await readClient(table, clientId)).toEqual({
      clientId,
      lastFieldId: 1,
      ...keys,
      ...CHANGED,
    });
  },
);

test('a change of the keys is tried three times while others change them, and then given up', async () => {
  await put({ clientId: 'busy', appIds: ['0'] });
  const add = (appIds: readonly string[]) => [...appIds, 'mine'];
  const busyUntil = (last: number) =>
    interruptedBefore(UpdateItemCommand, async (call) => {
      if (call <= last) await put({ clientId: 'busy', appIds: [String(call)] });
    });
  await expect(changeAppIds(busyUntil(3), 'busy', add, CHANGE)).rejects.toThrow(ClientConflict);
  expect(await readClient(table, 'busy')).toEqual({ clientId: 'busy', appIds: ['3'] });
  await changeAppIds(busyUntil(2), 'busy', add, CHANGE);
  expect(await readClient(table, 'busy')).toMatchObject({ appIds: new Set(['2', 'mine']) });
});

test.each([
  ['the app clients', { userPoolClientIds: ['theirs'] }],
  ['a misspelling of them', { userPoolClientId: 'theirs' }],
])(
  'a change of the app clients is refused if somebody changed %s since they were read',
  async (_, theirs) => {
    const clientId = 'contested';
    await put({ clientId, appIds: ['key'], userPoolClientId: 'old' });
    const item = await readExistingClient(table, clientId);
    const other = { clientId, appIds: ['key'], ...theirs };
    await put(other);
    const set = setAppClients(table, item, ['mine'], CHANGE, ['userPoolClientId']);
    await expect(set).rejects.toThrow(ClientConflict);
    expect(await readClient(table, clientId)).toEqual(other);
  },
);

test.each<[what: string, value: AttributeValue]>([
  ['numbers with more digits than JavaScript has', { NS: ['12345678901234567890', '-1'] }],
  ['a number as large as DynamoDB accepts', { N: '1E+125' }],
  ['a map with a name that objects inherit', { M: { constructor: { S: 'app' } } }],
])('keys that nobody can read are replaced: %s', async (clientId, value) => {
  const names = ['appIds', 'appId', 'userPoolClientIds', 'userPoolClientId'];
  const keys = Object.fromEntries(names.map((name) => [name, value]));
  const Item = { clientId: { S: clientId }, ...keys };
  await table.dynamodb.send(new PutItemCommand({ TableName: table.tableName, Item }));
  await changeAppIds(table, clientId, () => ['key'], CHANGE, ['appId']);
  const item = await readExistingClient(table, clientId);
  await setAppClients(table, item, ['app'], CHANGE, ['userPoolClientId']);
  expect(await readClient(table, clientId)).toEqual({
    ...{ clientId, appIds: new Set(['key']), appIdLabels: LABELLED, ...CHANGED },
    userPoolClientIds: new Set(['app']),
  });
});
