import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readClient } from '../../../../core/clients/configs-table.ts';
import { planPublication } from '../../../../core/configuration/plan-change.ts';
import { publish } from '../../../../core/configuration/publish.ts';
import { recordChange } from '../../../../core/configuration/record-change.ts';
import {
  baseOf,
  type ConfigurationTables,
  readStored,
} from '../../../../core/configuration/stored-configuration.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

/* What happens to a client between the steps of a publication: its base, its plan, and the write. */

const BY = { by: 'jane', message: 'Because' };

let database: Tables;
let tables: ConfigurationTables;

beforeAll(async () => {
  database = await startTables();
  tables = database.configurations;
});
afterAll(() => database.stop());

const put = (clientId: string, item: object) =>
  tables.dynamodb.send(
    new PutItemCommand({
      TableName: tables.configsTableName,
      Item: marshall({ clientId, ...item }, { removeUndefinedValues: true }),
    }),
  );
const remove = (clientId: string) =>
  tables.dynamodb.send(
    new DeleteItemCommand({ TableName: tables.configsTableName, Key: marshall({ clientId }) }),
  );
const read = (clientId: string) =>
  readClient({ dynamodb: tables.dynamodb, tableName: tables.configsTableName }, clientId);
const pulled = async (clientId: string) => baseOf(await readStored(tables, clientId));

/** A text field without an id. */
const named = (fieldName: string) => ({ fieldType: 'text', fieldName });

test('a client that was removed meanwhile does not come back', async () => {
  await put('removed', { appIds: ['key'] });
  const draft = { clientId: 'removed', fields: [named('Hobby')] };
  const plan = await planPublication(tables, draft, false);
  await remove('removed');
  await expect(publish(tables, plan, BY)).rejects.toThrow('There is no client removed.');
  expect(await read('removed')).toBeUndefined();
});

test('lastFieldId is not lowered by a file that says less', async () => {
  await put('lower', { fields: [{ id: '1', ...named('Hobby') }], lastFieldId: 9 });
  const draft = { clientId: 'lower', base: await pulled('lower'), lastFieldId: 3, fields: [] };
  const { after } = await planPublication(tables, draft, false);
  expect(after.lastFieldId).toEqual({ N: '9' });
});

describe('an attribute that looks misspelled', () => {
  test('is removed if the file that was pulled has it, and corrects it', async () => {
    await put('seen', { feilds: [named('Hobby')] });
    const draft = { clientId: 'seen', base: await pulled('seen'), fields: [named('Hobby')] };
    await publish(tables, await planPublication(tables, draft, false), BY);
    expect(await read('seen')).not.toHaveProperty('feilds');
  });

  test('stays if somebody added or changed it after the file was pulled', async () => {
    await put('unseen', { feilds: [named('Hobby')] });
    const draft = { clientId: 'unseen', base: await pulled('unseen'), fields: [named('Hobby')] };
    await put('unseen', { feilds: [named('Car')] });
    await publish(tables, await planPublication(tables, draft, false), BY);
    expect(await read('unseen')).toMatchObject({
      fields: [named('Hobby')],
      feilds: [named('Car')],
    });
  });

  test('stays, and nothing is published, if somebody changed it after the plan was made', async () => {
    await put('planned', { feilds: [named('Hobby')] });
    const draft = { clientId: 'planned', base: await pulled('planned'), fields: [named('Hobby')] };
    const plan = await planPublication(tables, draft, false);
    await put('planned', { feilds: [named('Car')] });
    await expect(publish(tables, plan, BY)).rejects.toThrow('so nothing was published');
    expect(await read('planned')).toEqual({ clientId: 'planned', feilds: [named('Car')] });
  });
});

test('a merge keeps the new field of the draft and the manual edit', async () => {
  const hobby = { id: '1', ...named('Hobby') };
  const before = { fields: [hobby], lastFieldId: 1 };
  const edited = { fields: [{ ...hobby, fieldName: 'Sport' }], lastFieldId: 1 };
  const record = async (sequenceNumber: number, old: object | undefined, item: object) => {
    await put('merged', item);
    await recordChange(
      tables,
      {
        ...{ clientId: 'merged', eventId: `event-${sequenceNumber}` },
        position: { stream: 'stream', sequenceNumber: String(sequenceNumber) },
        at: '2026-11-21T09:00:00.000Z',
        before: old && marshall({ clientId: 'merged', ...old }),
        after: marshall({ clientId: 'merged', ...item }),
      },
      { requiresUserPoolClientIds: false },
    );
  };
  await record(1, undefined, before);
  const draft = {
    ...{ clientId: 'merged', base: await pulled('merged') },
    fields: [hobby, named('Car')],
  };
  await record(2, before, edited);
  await publish(tables, await planPublication(tables, draft, true), BY);
  expect(await read('merged')).toMatchObject({
    fields: [
      { id: '1', fieldName: 'Sport' },
      { id: '2', fieldName: 'Car' },
    ],
    lastFieldId: 2,
  });
});
