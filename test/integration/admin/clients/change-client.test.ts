import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, expect, test } from 'vitest';
import {
  changeAppIds,
  createClient,
  removeClient,
  setAppClients,
} from '../../../../admin/clients/change-client.ts';
import {
  type ConfigsTable,
  readClient,
  readExistingClient,
} from '../../../../admin/clients/configs-table.ts';
import { planPublication } from '../../../../admin/configuration/plan-change.ts';
import { publish } from '../../../../admin/configuration/publish.ts';
import { ClientConflict } from '../../../../admin/errors.ts';
import { fingerprintOf } from '../../../../core/clients/app-id-fingerprint.ts';
import { startTables } from '../../../support/tables.ts';

/* Changes of clients, and what somebody else does between the calls of a change. */

const CHANGE = { by: 'jane', message: 'Because' };
const CHANGED = { lastChange: expect.objectContaining(CHANGE) };
/** The labels of an App-Id `key` that was just added. */
const LABELLED = { [fingerprintOf('key')]: { at: expect.any(String), by: 'jane' } };

const database = await startTables();
const { dynamodb, configsTableName } = database.configurations;
const table: ConfigsTable = { dynamodb, tableName: configsTableName };
afterAll(() => database.stop());

const put = (item: object) =>
  table.dynamodb.send(new PutItemCommand({ TableName: table.tableName, Item: marshall(item) }));

/**
 * The table, with an SDK client that lets something happen before each of its calls of one kind.
 */
function interruptedBefore(
  Command: abstract new (...input: never[]) => object,
  happens: (call: number, sent: () => Promise<unknown>) => Promise<unknown>,
): ConfigsTable {
  let calls = 0;
  const send = async (...args: Parameters<ConfigsTable['dynamodb']['send']>) => {
    const sent = async () => table.dynamodb.send(...args);
    if (args[0] instanceof Command) await happens(++calls, sent);
    return sent();
  };
  return { ...table, dynamodb: { send } as unknown as ConfigsTable['dynamodb'] };
}

/**
 * The table, with an SDK client that makes each call twice, as the SDK does after a lost response:
 * the condition is no longer met.
 */
const repeating = (Command: typeof UpdateItemCommand | typeof DeleteItemCommand) =>
  interruptedBefore(Command, (_, sent) => sent());

test('a change whose response is lost is no conflict: a new client keeps its App-Id, a removed one is gone', async () => {
  const client = { clientId: 'lost', appId: 'first', userPoolClientIds: ['app'] };
  await createClient(repeating(UpdateItemCommand), client, CHANGE);
  expect(await readClient(table, 'lost')).toMatchObject({ appIds: new Set(['first']) });
  await expect(createClient(table, client, CHANGE)).rejects.toMatchObject({ code: 'clientExists' });
  const tables = database.configurations;
  const { dynamodb } = repeating(UpdateItemCommand);
  const plan = await planPublication(tables, { clientId: 'lost', fields: [{ fieldName: 'Car' }] });
  const lastChange = await publish({ ...tables, dynamodb }, plan, CHANGE);
  const fields = [{ id: '1', fieldName: 'Car' }];
  expect(await readClient(table, 'lost')).toMatchObject({ lastChange, lastFieldId: 1, fields });
  await removeClient(repeating(DeleteItemCommand), 'lost', CHANGE);
  expect(await readClient(table, 'lost')).toBeUndefined();
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

test.each<[what: string, value: AttributeValue]>([
  ['numbers with more digits than JavaScript has', { NS: ['12345678901234567890', '-1'] }],
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
