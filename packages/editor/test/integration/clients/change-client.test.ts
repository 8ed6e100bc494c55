import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { fingerprintOf } from 'customer-data-api/clients';
import { type Input, type PassOn, startAws } from 'customer-data-api/testing/aws';
import { startTables } from 'customer-data-api/testing/tables';
import { deploymentOf } from 'customer-data-api-deployment';
import type { Change, Done, Shown } from 'customer-data-api-deployment/change';
import { databaseClient } from 'customer-data-api-deployment/local';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { appIdAddition, appIdRevocation } from '../../../clients/app-ids.ts';
import {
  appClientsChange,
  clientCreation,
  clientRemoval,
} from '../../../clients/client-changes.ts';
import type { Draft } from '../../../configurations/plan-draft.ts';
import { publication } from '../../../configurations/publication.ts';

/* Changes of clients, and what somebody else does between the calls of a change. */

const CHANGE = { by: 'jane', message: 'Because' };
/** The labels of an App-Id `key` that was just added. */
const LABELLED = { [fingerprintOf('key')]: { at: expect.any(String), by: 'jane' } };

const database = await startTables();
const { clients, configurations: tables } = database;
const aws = await startAws({ DynamoDB: database.server });
const dynamodb = databaseClient(aws.endpoint);
const table = { ...tables, dynamodb };
const deployment = deploymentOf({
  stackName: 'test',
  outputs: {
    UserPoolClientId: 'app',
    PromoEventsTableName: database.promoEventsTableName,
  } as Outputs,
});
const context = { deployment, tables: table };
/** Shows a change, and makes it. */
const make = async <TShown extends Shown, TDone extends Done>(change: Change<TShown, TDone>) =>
  change.apply(context, await change.show(context), CHANGE.by);
afterEach(() => aws.answer({}));
afterAll(async () => {
  dynamodb.destroy();
  await aws.stop();
  await database.stop();
});

/** Publishes a draft without a review, and does not wait for its version. */
const publish = async (draft: Draft) => {
  const published = publication(
    () => draft,
    () => ({ hasEffect: true, effects: [] }),
    {},
  );
  const signal = AbortSignal.abort();
  return published.apply({ ...context, signal }, await published.show(context), CHANGE.by);
};

/** Answers a call after it was made before: to the SDK, the first response was lost. */
const lost = async (_: Input, passOn: PassOn) => {
  await passOn();
  return passOn();
};
/** Answers calls after something has happened. */
const after = (happens: () => Promise<unknown>) => async (_: Input, passOn: PassOn) => {
  await happens();
  return passOn();
};

test('a change whose response is lost is no conflict: a new client keeps its App-Id, a removed one is gone', async () => {
  const creation = clientCreation('lost', {});
  const shown = await creation.show(context);
  aws.answer({ UpdateItem: lost, DeleteItem: lost });
  const { appId } = await creation.apply(context, shown, CHANGE.by);
  expect(await clients.read('lost')).toMatchObject({ appIds: new Set([appId]) });
  const again = creation.apply(context, shown, CHANGE.by);
  await expect(again).rejects.toMatchObject({ code: 'clientExists' });
  await make(clientRemoval('lost'));
  expect(await clients.read('lost')).toBeUndefined();
});

test('a client that somebody changed after it was to be removed stays', async () => {
  await clients.put('edited', { appIds: ['key'] });
  const edited = { clientId: 'edited', appIds: ['key', 'second'] };
  aws.answer({ DeleteItem: after(() => clients.put('edited', edited)) });
  await expect(make(clientRemoval('edited'))).rejects.toMatchObject({ code: 'conflict' });
  expect(await clients.read('edited')).toEqual(edited);
});

test('a client without keys that was removed meanwhile does not come back with a key', async () => {
  await clients.put('removed', {});
  aws.answer({ UpdateItem: after(() => clients.remove('removed')) });
  const added = make(appIdAddition('removed', { existing: 'key' }));
  await expect(added).rejects.toMatchObject({ code: 'noSuchClient' });
  expect(await clients.read('removed')).toBeUndefined();
});

test('a change of the keys is tried three times while others change them, and then given up', async () => {
  await clients.put('busy', { appIds: ['0'] });
  const add = () => make(appIdAddition('busy', { existing: 'mine' }));
  const busyUntil = (last: number) => {
    let calls = 0;
    const change = after(async () => {
      if (++calls <= last) await clients.put('busy', { appIds: [String(calls)] });
    });
    aws.answer({ UpdateItem: change });
  };
  busyUntil(3);
  await expect(add()).rejects.toMatchObject({ code: 'conflict' });
  expect(await clients.read('busy')).toEqual({ clientId: 'busy', appIds: ['3'] });
  busyUntil(2);
  await add();
  expect(await clients.read('busy')).toMatchObject({ appIds: new Set(['2', 'mine']) });
});

test('an App-Id that somebody adds while another one is revoked stays', async () => {
  await clients.put('revoked', { appIds: ['kept', 'old'] });
  const add = async () => {
    const isFirst = aws.inputsOf('UpdateItem').length === 1;
    if (isFirst) await clients.put('revoked', { appIds: ['kept', 'old', 'added'] });
  };
  aws.answer({ UpdateItem: after(add) });
  await make(appIdRevocation('revoked', 'old'));
  expect(await clients.read('revoked')).toMatchObject({ appIds: new Set(['kept', 'added']) });
});

test('the last App-Id that apps can send is not revoked, although the attribute has another value', async () => {
  await clients.put('last', { appIds: ['key', 'no\nApp-Id'] });
  await expect(make(appIdRevocation('last', 'key'))).rejects.toMatchObject({ code: 'lastAppId' });
  await make(appIdRevocation('last', fingerprintOf('no\nApp-Id')));
  expect(await clients.read('last')).toMatchObject({ appIds: new Set(['key']) });
});

test('a change that comes between the read and the write of another one is kept, and dated before', async () => {
  await clients.put('between', { appIds: ['0'], fields: [], lastFieldId: 1 });
  const dates: number[] = [];
  const keepDate = async () => {
    const { lastChange } = (await clients.read('between')) ?? {};
    dates.push(Date.parse(Object(lastChange).at));
  };
  aws.answer({
    UpdateItem: async (_, passOn) => {
      if (aws.inputsOf('UpdateItem').length > 1) return passOn();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });
      const theirs = appIdAddition('between', { existing: 'theirs' });
      const others = { deployment, tables };
      await theirs.apply(others, await theirs.show(others), CHANGE.by);
      vi.useRealTimers();
      await keepDate();
      return passOn();
    },
  });
  await publish({ clientId: 'between', fields: [], lastFieldId: 2 });
  await keepDate();
  expect(await clients.read('between')).toMatchObject({
    appIds: new Set(['0', 'theirs']),
    lastFieldId: 2,
  });
  expect(dates).toEqual(dates.toSorted());
});

test('a rollout that somebody writes by hand during a publication stays, and nothing is published', async () => {
  const before = { clientId: 'rolled', appIds: ['0'], fields: [], lastFieldId: 1 };
  const theirs = { ...before, rollout: { id: 'theirs', fields: [], percent: 5 } };
  await clients.put('rolled', before);
  aws.answer({ UpdateItem: after(() => clients.put('rolled', theirs)) });
  const published = publish({ clientId: 'rolled', fields: [], lastFieldId: 2 });
  await expect(published).rejects.toMatchObject({ progress: 'nothing' });
  expect(await clients.read('rolled')).toEqual(theirs);
});

test('app clients that somebody else has set since are not overwritten', async () => {
  const before = { clientId: 'shared', userPoolClientIds: ['first'] };
  const theirs = { ...before, userPoolClientIds: ['theirs'] };
  await clients.put('shared', before);
  const change = appClientsChange('shared', ['app']);
  const shown = await change.show(context);
  // Before the item is read once more, and before it is written.
  for (const call of ['GetItem', 'UpdateItem']) {
    await clients.put('shared', before);
    aws.answer({ [call]: after(() => clients.put('shared', theirs)) });
    await expect(change.apply(context, shown, 'jane')).rejects.toMatchObject({ code: 'conflict' });
    expect(await clients.read('shared')).toEqual(theirs);
  }
});

test.each<[what: string, value: AttributeValue]>([
  ['numbers with more digits than JavaScript has', { NS: ['12345678901234567890', '-1'] }],
  ['a map with a name that objects inherit', { M: { constructor: { S: 'app' } } }],
])('an App-Id is added to what nobody can read, which stays: %s', async (clientId, value) => {
  const Item = { clientId: { S: clientId }, appIds: value, userPoolClientIds: value };
  await dynamodb.send(new PutItemCommand({ TableName: table.configsTableName, Item }));
  await make(appIdAddition(clientId, { existing: 'key' }));
  await make(appClientsChange(clientId, ['app']));
  const { Item: stored } = await dynamodb.send(
    new GetItemCommand({ TableName: table.configsTableName, Key: { clientId: { S: clientId } } }),
  );
  const values = value.NS?.map((N) => ({ N })) ?? [value];
  expect(stored?.appIds).toEqual({ L: [...values, { S: 'key' }] });
  expect(await clients.read(clientId)).toEqual({
    clientId,
    appIds: expect.anything(),
    appIdLabels: LABELLED,
    lastChange: expect.objectContaining({ by: 'jane' }),
    userPoolClientIds: new Set(['app']),
  });
});
