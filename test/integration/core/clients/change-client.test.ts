import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeKeys,
  createClient,
  misspelledKeys,
  removeClient,
  setAppClients,
} from '../../../../core/clients/change-client.ts';
import {
  type ConfigsTable,
  listClients,
  readClient,
  readExistingClient,
} from '../../../../core/clients/configs-table.ts';
import { CommandError, ConflictError } from '../../../../core/platform/command-error.ts';
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

test('a new client does not replace an item with its id, whatever that has', async () => {
  const client = { clientId: 'taken', fields: [{ id: '1' }] };
  await put(client);
  const created = { clientId: 'taken', appId: 'key', userPoolClientIds: ['app'] };
  await expect(createClient(table, created, CHANGE)).rejects.toThrow(
    'There is a client taken already. It was not changed.',
  );
  expect(await readClient(table, 'taken')).toEqual(client);
});

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
  await expect(removeClient(interrupted, 'edited', CHANGE)).rejects.toThrow(
    new ConflictError('Somebody changed the client edited meanwhile. It was not removed.'),
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
  await expect(added).rejects.toThrow(
    new CommandError('There is no client removed.', 'noSuchClient'),
  );
  expect(await readClient(table, 'removed')).toBeUndefined();
});

/** The table, with an SDK client of which each call of one kind fails, and not because of its condition. */
function failingAt(Command: abstract new (...input: never[]) => object): ConfigsTable {
  const send = async (...args: Parameters<ConfigsTable['dynamodb']['send']>) => {
    if (args[0] instanceof Command) throw new Error('The table is down.');
    return table.dynamodb.send(...args);
  };
  return { ...table, dynamodb: { send } as unknown as ConfigsTable['dynamodb'] };
}

describe('a removal', () => {
  test('says before it who makes it, so that its version has an author', async () => {
    await put({ clientId: 'leaving', appIds: ['key'] });
    let marked: object | undefined;
    const interrupted = interruptedBefore(DeleteItemCommand, async () => {
      marked = await readClient(table, 'leaving');
    });
    await removeClient(interrupted, 'leaving', CHANGE);
    expect(marked).toMatchObject({ appIds: ['key'], lastChange: { ...CHANGE, removes: true } });
    expect(await readClient(table, 'leaving')).toBeUndefined();
  });

  test('of a client that does not exist is an error, and creates nothing', async () => {
    const removed = removeClient(table, 'nobody', CHANGE);
    await expect(removed).rejects.toMatchObject({ message: 'There is no client nobody.' });
    expect(await readClient(table, 'nobody')).toBeUndefined();
  });

  test.each([
    ['mark', UpdateItemCommand],
    ['deletion', DeleteItemCommand],
  ])('whose %s fails says why', async (_, Command) => {
    await put({ clientId: 'staying', appIds: ['key'] });
    const removed = removeClient(failingAt(Command), 'staying', CHANGE);
    await expect(removed).rejects.toThrow('The table is down.');
  });
});

describe('a change of the keys', () => {
  test('that leaves none removes the attribute, because DynamoDB has no empty sets', async () => {
    await put({ clientId: 'emptied', appIds: ['key'], lastFieldId: 1 });
    await changeKeys(table, 'emptied', () => [], CHANGE);
    expect(await readClient(table, 'emptied')).toEqual({
      ...{ clientId: 'emptied', lastFieldId: 1 },
      lastChange: expect.objectContaining(CHANGE),
    });
  });

  test.each([
    ['some', ['key'], { appIds: new Set(['key']) }],
    ['none', [], {}],
  ])('that leaves %s removes the attributes that it corrects', async (name, left, keys) => {
    const clientId = `corrected-${name}`;
    await put({ clientId, appId: 'key', appIdz: 'other', appIds: ['old'] });
    await changeKeys(table, clientId, () => left, CHANGE, ['appId', 'appIdz']);
    const lastChange = expect.objectContaining(CHANGE);
    expect(await readClient(table, clientId)).toEqual({ clientId, ...keys, lastChange });
  });

  test('is tried three times while others change them, and then given up', async () => {
    await put({ clientId: 'busy', appIds: ['0'] });
    let calls = 0;
    const next = (appIds: readonly string[]) => [...appIds, 'mine'];
    const send = async (...args: Parameters<ConfigsTable['dynamodb']['send']>) => {
      if (args[0] instanceof UpdateItemCommand) {
        await put({ clientId: 'busy', appIds: [String(++calls)] });
      }
      return table.dynamodb.send(...args);
    };
    const busy = { ...table, dynamodb: { send } as unknown as ConfigsTable['dynamodb'] };
    await expect(changeKeys(busy, 'busy', next, CHANGE)).rejects.toThrow(
      new ConflictError(
        'Others are changing the keys of the client busy. Nothing was changed: try again.',
      ),
    );
    expect(calls).toBe(3);
    expect(await readClient(table, 'busy')).toEqual({ clientId: 'busy', appIds: ['3'] });
  });
});

describe('a change of the app clients', () => {
  test('replaces them, and removes what looks like a misspelling of them', async () => {
    const clientId = 'tenant';
    const item = { clientId, appIds: ['key'], userPoolClientId: 'app', userPoolClientIdz: 'app' };
    await put({ ...item, userPoolClientIds: ['old'] });
    await setAppClients(table, await readExistingClient(table, clientId), ['app', 'web'], CHANGE);
    expect(await readClient(table, clientId)).toEqual({
      ...{ clientId, appIds: ['key'], userPoolClientIds: new Set(['app', 'web']) },
      lastChange: expect.objectContaining(CHANGE),
    });
  });

  test('is refused if somebody changed them since they were read', async () => {
    await put({ clientId: 'contested', appIds: ['key'] });
    const item = await readExistingClient(table, 'contested');
    const other = { clientId: 'contested', appIds: ['key'], userPoolClientIds: ['theirs'] };
    await put(other);
    await expect(setAppClients(table, item, ['mine'], CHANGE)).rejects.toThrow(
      new ConflictError(
        'Somebody changed the app clients of the client contested meanwhile. Nothing was changed: try again.',
      ),
    );
    expect(await readClient(table, 'contested')).toEqual(other);
  });
});

describe('keys that nobody can read are replaced', () => {
  const unreadable: [string, AttributeValue][] = [
    ['numbers with more digits than JavaScript has', { NS: ['12345678901234567890', '-1'] }],
    ['a number as large as DynamoDB accepts', { N: '1E+125' }],
    ['a map with a name that objects inherit', { M: { constructor: { S: 'app' } } }],
  ];
  const putRaw = (clientId: string, attributes: Record<string, AttributeValue>) =>
    table.dynamodb.send(
      new PutItemCommand({
        TableName: table.tableName,
        Item: { clientId: { S: clientId }, ...attributes },
      }),
    );

  test.each(unreadable)('App-Ids: %s', async (name, value) => {
    const clientId = `App-Ids: ${name}`;
    await putRaw(clientId, { appIds: value, appId: value });
    await changeKeys(table, clientId, () => ['key'], CHANGE, ['appId']);
    expect(await readClient(table, clientId)).toEqual({
      ...{ clientId, appIds: new Set(['key']) },
      lastChange: expect.objectContaining(CHANGE),
    });
  });

  test.each(unreadable)('app clients: %s', async (name, value) => {
    const clientId = `app clients: ${name}`;
    await putRaw(clientId, { userPoolClientIds: value, userPoolClientId: value });
    await setAppClients(table, await readExistingClient(table, clientId), ['app'], CHANGE);
    expect(await readClient(table, clientId)).toEqual({
      ...{ clientId, userPoolClientIds: new Set(['app']) },
      lastChange: expect.objectContaining(CHANGE),
    });
  });
});

test('the misspellings of an attribute of the keys are those of the item, not of its fields', () => {
  const item = { appId: 'key', userPoolClientId: 'app', colour: 'red', fields: [{ appId: 'x' }] };
  expect(misspelledKeys(item, 'appIds')).toEqual(['appId']);
  expect(misspelledKeys(item, 'userPoolClientIds')).toEqual(['userPoolClientId']);
});
