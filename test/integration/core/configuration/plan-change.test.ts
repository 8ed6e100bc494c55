import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readClient } from '../../../../core/clients/configs-table.ts';
import { planPublication, planRollback } from '../../../../core/configuration/plan-change.ts';
import { publish } from '../../../../core/configuration/publish.ts';
import { recordChange } from '../../../../core/configuration/record-change.ts';
import {
  baseOf,
  type ConfigurationTables,
  readStored,
} from '../../../../core/configuration/stored-configuration.ts';
import { writeVersion } from '../../../../core/configuration/versions-table.ts';
import { CommandError } from '../../../../core/platform/command-error.ts';
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
  await expect(publish(tables, plan, BY)).rejects.toMatchObject({
    ...{ exitCode: 1, message: 'There is no client removed.' },
    // It tells that nothing was written.
    cause: expect.any(ConditionalCheckFailedException),
  });
  expect(await read('removed')).toBeUndefined();
});

test('a write that fails for another reason than its condition is no conflict', async () => {
  await put('failing', { appIds: ['key'] });
  const draft = { clientId: 'failing', fields: [named('Hobby')] };
  const plan = await planPublication(tables, draft, false);
  const { middlewareStack } = tables.dynamodb;
  middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'UpdateItemCommand') throw new Error('The table is down.');
        return next(args);
      },
    { name: 'failing' },
  );
  const published = publish(tables, plan, BY).finally(() => middlewareStack.remove('failing'));
  await expect(published).rejects.toThrow('The table is down.');
});

test('lastFieldId is not lowered by a file that says less', async () => {
  await put('lower', { fields: [{ id: '1', ...named('Hobby') }], lastFieldId: 9 });
  const draft = { clientId: 'lower', base: await pulled('lower'), lastFieldId: 3, fields: [] };
  const { after } = await planPublication(tables, draft, false);
  expect(after.lastFieldId).toEqual({ N: '9' });
});

test('an id that only the history knows, because lastFieldId was lowered by hand, is not given again', async () => {
  const before = { fields: [{ id: '7', ...named('Car') }], lastFieldId: 7 };
  const lowered = { fields: [], lastFieldId: 1 };
  await change('lowered', 1, undefined, before);
  await change('lowered', 2, before, lowered);
  const base = await pulled('lowered');
  const draft = { clientId: 'lowered', base, fields: [named('Hobby')] };
  const { after } = await planPublication(tables, draft, false);
  expect(after.fields.L).toMatchObject([{ M: { id: { S: '8' } } }]);
  expect(after.lastFieldId).toEqual({ N: '8' });
});

test.each([
  ['fields', { fields: [named('Car')], lastFieldId: 1 }],
  ['lastFieldId', { fields: [], lastFieldId: 2 }],
])(
  'nothing is published if somebody changed only %s after the plan was made',
  async (name, edited) => {
    const clientId = `edited-${name}`;
    await put(clientId, { fields: [], lastFieldId: 1 });
    const draft = { clientId, base: await pulled(clientId), fields: [named('Hobby')] };
    const plan = await planPublication(tables, draft, false);
    await put(clientId, edited);
    await expect(publish(tables, plan, BY)).rejects.toThrow('so nothing was published');
    expect(await read(clientId)).toEqual({ clientId, ...edited });
  },
);

describe('an attribute that looks misspelled', () => {
  test('is a list for fields, or a number for lastFieldId', async () => {
    await put('typing', {
      feilds: [],
      fieldz: 'none',
      lastFeildId: 7,
      lastFieldI: '7',
      fieldId: 1,
    });
    const { misspelled } = await readStored(tables, 'typing');
    expect(misspelled).toEqual({ feilds: { L: [] }, lastFeildId: { N: '7' } });
  });

  // DynamoDB takes no hyphen in an expression.
  test.each(['feilds', 'fields-'])(
    'is removed if the file that was pulled has it, as %s, and corrects it',
    async (name) => {
      await put('seen', { [name]: [named('Hobby')] });
      const draft = { clientId: 'seen', base: await pulled('seen'), fields: [named('Hobby')] };
      await publish(tables, await planPublication(tables, draft, false), BY);
      expect(await read('seen')).not.toHaveProperty([name]);
    },
  );

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

/** Stores an item, and records the change as the version with this number. */
async function change(
  clientId: string,
  number: number,
  before: object | undefined,
  after: object,
): Promise<void> {
  await put(clientId, after);
  await recordChange(
    tables,
    {
      ...{ clientId, eventId: `event-${number}` },
      position: { stream: 'stream', sequenceNumber: String(number) },
      at: '2026-11-21T09:00:00.000Z',
      before: before && marshall({ clientId, ...before }),
      after: marshall({ clientId, ...after }),
    },
    { requiresUserPoolClientIds: false },
  );
}

describe('a merge', () => {
  const hobby = { id: '1', ...named('Hobby') };
  const car = { id: '2', ...named('Car') };

  test('keeps the new field of the draft and the manual edit', async () => {
    const before = { fields: [hobby], lastFieldId: 1 };
    const edited = { fields: [{ ...hobby, fieldName: 'Sport' }], lastFieldId: 1 };
    await change('merged', 1, undefined, before);
    const draft = {
      ...{ clientId: 'merged', base: await pulled('merged') },
      fields: [hobby, named('Car')],
    };
    await change('merged', 2, before, edited);
    const plan = await planPublication(tables, draft, true);
    expect(plan.mergedWith).toMatchObject([{ version: 2 }]);
    await publish(tables, plan, BY);
    expect(await read('merged')).toMatchObject({
      fields: [
        { id: '1', fieldName: 'Sport' },
        { id: '2', fieldName: 'Car' },
      ],
      lastFieldId: 2,
    });
  });

  test('keeps what both sides added to a client without fields', async () => {
    await change('first', 1, undefined, { appIds: ['key'] });
    const draft = {
      ...{ clientId: 'first', base: await pulled('first') },
      fields: [named('Car')],
    };
    await change('first', 2, { appIds: ['key'] }, { appIds: ['key'], fields: [hobby] });
    await publish(tables, await planPublication(tables, draft, true), BY);
    expect((await read('first'))?.fields).toEqual([car, hobby]);
  });

  test('is refused with the names of what both sides changed', async () => {
    const before = { fields: [hobby, car], lastFieldId: 2 };
    await change('both', 1, undefined, before);
    const changed = (names: string) => ({
      ...before,
      fields: before.fields.map((field) => ({ ...field, fieldName: field.fieldName + names })),
    });
    const draft = {
      ...{ clientId: 'both', base: await pulled('both') },
      fields: changed('A').fields,
    };
    await change('both', 2, before, changed('B'));
    await expect(planPublication(tables, draft, true)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^both has changed meanwhile, so nothing was published:.*\nIt cannot be merged: both sides changed Hobby, Car\.$/s,
      ),
    });
  });
});

test('a draft without a base is refused if the client has fields', async () => {
  await put('unknown', { fields: [{ id: '1', ...named('Hobby') }] });
  const draft = { clientId: 'unknown', fields: [named('Car')] };
  await expect(planPublication(tables, draft, true)).rejects.toThrow(
    'unknown has fields already, and the draft has no base to tell whether it knows them, so nothing was published.',
  );
});

test('a draft without a base replaces what is no list of fields', async () => {
  await put('broken', { fields: 'none' });
  const draft = { clientId: 'broken', fields: [named('Car')] };
  const { after } = await planPublication(tables, draft, false);
  expect(after.fields.L).toHaveLength(1);
});

describe('a rollback', () => {
  const old = { fields: [{ id: '1', ...named('Hobby') }], lastFieldId: 1 };
  const live = { fields: [{ id: '7', ...named('Car') }], lastFieldId: 7 };

  test('brings back the fields of a version, not its lastFieldId, and says which version', async () => {
    await change('back', 1, undefined, old);
    await change('back', 2, old, live);
    const lastChange = await publish(tables, await planRollback(tables, 'back', 1), BY);
    expect(lastChange.restores).toBe(1);
    expect(await read('back')).toEqual({
      ...{ clientId: 'back', fields: old.fields, lastFieldId: 7 },
      lastChange,
    });
  });

  test('of a client that was removed says how to create it', async () => {
    await change('gone', 1, undefined, old);
    await remove('gone');
    await expect(planRollback(tables, 'gone', 1)).rejects.toThrow(
      new CommandError(
        'There is no client gone any more. customer-data clients create gone makes it again. Then roll back, and give it back its App-Id: customer-data keys add gone --from FILE.',
        'noSuchClient',
      ),
    );
  });

  test('to a version that does not exist, has no fields, or was too large, is refused', async () => {
    await change('bare', 1, undefined, { appIds: ['key'] });
    await writeVersion(tables, {
      ...{ clientId: 'bare', version: 2, digest: '', at: '', source: 'outside', highestId: 0 },
      ...{ problems: 0, keys: { appIds: [] }, eventId: '', content: {}, isTooLarge: true },
      position: { stream: 'stream', sequenceNumber: '2' },
    });
    await expect(planRollback(tables, 'bare', 1)).rejects.toThrow(
      new CommandError('bare@1 has no fields that could be brought back.', 'versionWithoutFields'),
    );
    await expect(planRollback(tables, 'bare', 2)).rejects.toThrow(
      new CommandError(
        'The content of bare@2 was too large to be recorded.',
        'versionWithoutFields',
      ),
    );
    await expect(planRollback(tables, 'bare', 3)).rejects.toThrow(
      new CommandError(
        'There is no bare@3. customer-data config history bare lists the versions.',
        'noSuchVersion',
      ),
    );
  });
});
