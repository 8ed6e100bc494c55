import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planPublication, planRollback } from '../../../../admin/configuration/plan-change.ts';
import { publish } from '../../../../admin/configuration/publish.ts';
import {
  type ConfigurationTables,
  readStored,
} from '../../../../admin/configuration/stored-configuration.ts';
import type { ConfigurationConflict, ConflictReason } from '../../../../admin/errors.ts';
import { contentDigest } from '../../../../core/history/content-digest.ts';
import { recordChange } from '../../../../core/history/record-change.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

/*
 * What happens to a client between the steps of a publication: its base, its plan, and the write.
 */

const BY = { by: 'jane', message: 'Because' };

let database: Tables;
let tables: ConfigurationTables;
let clients: Tables['clients'];

beforeAll(async () => {
  database = await startTables();
  ({ configurations: tables, clients } = database);
});
afterAll(() => database.stop());

/** Stores what an item was, one after the other, and records each as a version. */
async function edit(clientId: string, ...images: object[]): Promise<void> {
  for (const [index, image] of images.entries()) {
    await clients.put(clientId, image);
    const [before, after] = [images[index - 1], image].map(
      (one) => one && marshall({ clientId, ...one }),
    );
    const change = { clientId, eventId: `event ${index}`, at: '2026-11-21T09:00:00.000Z' };
    const position = { stream: 'stream', sequenceNumber: String(index + 1) };
    const options = { requiresUserPoolClientIds: false };
    await recordChange(tables, { ...change, position, before, after }, options);
  }
}

/** A draft with the base of what is stored now. */
const drafted = async (clientId: string, ...fields: object[]) => ({
  ...{ clientId, fields },
  base: contentDigest((await readStored(tables, clientId)).content),
});
const planned = async (clientId: string, ...fields: object[]) =>
  planPublication(tables, await drafted(clientId, ...fields));

/** The conflict that keeps something from being published. */
const conflictOf = (change: Promise<unknown>): Promise<ConflictReason> =>
  change.then(
    () => expect.unreachable(),
    (error: ConfigurationConflict) => {
      expect(error).toMatchObject({ code: 'configurationConflict' });
      return error.reason;
    },
  );

/** A text field without an id. */
const named = (fieldName: string) => ({ fieldType: 'text', fieldName });
const hobby = { id: '1', ...named('Hobby') };
const car = { id: '2', ...named('Car') };

test('a client that was removed meanwhile does not come back', async () => {
  await clients.put('removed', { appIds: ['key'] });
  const plan = await planned('removed', named('Hobby'));
  await clients.remove('removed');
  await expect(publish(tables, plan, BY)).rejects.toMatchObject({
    code: 'noSuchClient',
    // It tells that nothing was written.
    cause: expect.any(ConditionalCheckFailedException),
  });
  expect(await clients.read('removed')).toBeUndefined();
});

test('a write that fails for another reason than its condition is no conflict', async () => {
  await clients.put('failing', {});
  const plan = await planned('failing', named('Hobby'));
  const elsewhere = { ...tables, configsTableName: 'Elsewhere' };
  await expect(publish(elsewhere, plan, BY)).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

test('neither a file nor an edit by hand that lowers lastFieldId makes an id be given again', async () => {
  await clients.put('lower', { fields: [hobby], lastFieldId: 9 });
  const draft = { ...(await drafted('lower')), lastFieldId: 3 };
  const { after } = await planPublication(tables, draft);
  expect(after).toEqual({ fields: { L: [] }, lastFieldId: { N: '9' } });

  const seven = { fields: [{ ...car, id: '7' }], lastFieldId: 7 };
  await edit('lowered', seven, { fields: [], lastFieldId: 1 });
  const { fields, lastFieldId } = (await planned('lowered', named('Hobby'))).after;
  expect([fields.L?.[0]?.M?.id, lastFieldId]).toEqual([{ S: '8' }, { N: '8' }]);
});

// proof/mutants/LoweredEarly.tla. Nothing but the history knows an id that the item has lost.
test('an id is given again if somebody lowers lastFieldId before its version is recorded', async () => {
  const image = { fields: [hobby], lastFieldId: 1 };
  await edit('early', image);
  await publish(tables, await planned('early', hobby, named('Car')), BY);
  await clients.put('early', image);
  const { fields } = (await planned('early', hobby, named('Pet'))).after;
  expect(fields.L?.[1]?.M?.id).toEqual({ S: car.id });
});

test('an id is given again if somebody lowers lastFieldId while a plan waits', async () => {
  const image = { fields: [hobby], lastFieldId: 1 };
  await edit('waiting', image);
  const plan = await planned('waiting', hobby, named('Pet'));
  await edit('waiting', image, { fields: [hobby, car], lastFieldId: 2 }, image);
  await publish(tables, plan, BY);
  expect((await clients.read('waiting'))?.fields).toMatchObject([{}, { ...named('Pet'), id: '2' }]);
});

const EMPTY = { fields: [], lastFieldId: 1 };

test.each([
  ['fields', { ...EMPTY, fields: [car] }],
  ['lastFieldId', { ...EMPTY, lastFieldId: 2 }],
])(
  'nothing is published if somebody changes only %s after the plan is made',
  async (name, edited) => {
    await edit(name, EMPTY);
    const plan = await planned(name, named('Hobby'));
    await edit(name, EMPTY, edited);
    await conflictOf(publish(tables, plan, BY));
    expect(await clients.read(name)).toEqual({ clientId: name, ...edited });
  },
);

test('a draft without a base replaces what is no list of fields, and nothing else', async () => {
  const draft = { clientId: 'unknown', fields: [named('Car')] };
  await clients.put('unknown', { fields: [hobby] });
  await conflictOf(planPublication(tables, draft, true));
  await clients.put('unknown', { fields: 'none' });
  expect((await planPublication(tables, draft)).after.fields.L).toHaveLength(1);
});

describe('a draft of what others have changed', () => {
  /**
   * Plans a draft of what a client was, after it has become something else, one after the other.
   */
  async function conflicting(
    clientId: string,
    before: object,
    after: object[],
    draft: object[],
    merges = false,
  ) {
    await edit(clientId, before);
    const own = await drafted(clientId, ...draft);
    await edit(clientId, before, ...after);
    return planPublication(tables, own, merges);
  }

  const sport = { ...hobby, mandatory: true };
  test.each<[string, before: object[], theirs: object[], mine: object[], merged: object[]]>([
    ['a new field and an edit', [hobby], [sport], [hobby, named('Car')], [sport, car]],
    ['two first fields', [], [hobby], [named('Car')], [car, hobby]],
  ])('is merged: %s', async (name, before, theirs, mine, merged) => {
    const item = (fields: object[]) => ({ fields, lastFieldId: fields.length });
    const plan = await conflicting(name, item(before), [item(theirs)], mine, true);
    expect(plan.mergedWith).toMatchObject([{ version: 2 }]);
    await publish(tables, plan, BY);
    expect(await clients.read(name)).toMatchObject({ fields: merged, lastFieldId: 2 });
  });

  test('is refused with the names of what both sides changed', async () => {
    const both = (name: string) =>
      [hobby, car].map((field) => ({ ...field, fieldName: field.fieldName + name }));
    const [before, theirs, mine] = ['', 'B', 'A'].map(both);
    const change = conflicting('both', { fields: before }, [{ fields: theirs }], mine ?? [], true);
    expect(await conflictOf(change)).toMatchObject({
      kind: 'sameFields',
      conflicts: [
        { name: expect.stringContaining('Hobby') },
        { name: expect.stringContaining('Car') },
      ],
    });
  });

  test('is merged if both sides changed different attributes of a field, but only on request', async () => {
    const [before, theirs, mine] = [
      hobby,
      { ...hobby, mandatory: true },
      { ...hobby, fieldName: 'Sport' },
    ];
    const plan = (name: string, draft: object, merges: boolean) =>
      conflicting(name, { fields: [before] }, [{ fields: [theirs] }], [draft], merges);
    const { after } = await plan('attributes', mine, true);
    expect(unmarshall(after)).toMatchObject({ fields: [{ ...mine, mandatory: true }] });
    expect(await conflictOf(plan('possible', mine, false))).toMatchObject({ merge: 'possible' });
    expect(await conflictOf(plan('needless', before, false))).toMatchObject({ merge: 'needless' });
  });

  test('is refused because of a change that is not recorded yet, too', async () => {
    await edit('late', { fields: [hobby] });
    const draft = await drafted('late');
    await clients.put('late', { fields: [car] });
    expect(await conflictOf(planPublication(tables, draft))).toMatchObject({
      kind: 'changed',
      since: {
        base: { version: 1 },
        versions: [],
        described: [{ version: undefined, sentences: [expect.stringContaining('Hobby'), {}] }],
      },
    });
  });

  test('is not merged with content that was too large to be recorded', async () => {
    const large = { fields: [{ ...hobby, note: 'x'.repeat(400 * 1024 - 200) }] };
    for (const merges of [true, false]) {
      const change = conflicting(`large-${merges}`, large, [{ fields: [car] }], [], merges);
      expect(await conflictOf(change)).toMatchObject({
        kind: 'baseNotRecorded',
        since: { base: { isTooLarge: true }, versions: [{}] },
      });
    }
    await expect(planRollback(tables, 'large-true', 1)).rejects.toMatchObject({
      code: 'versionWithoutFields',
    });
  });

  test('of another client is not merged, and hears what is live', async () => {
    await edit('known', { fields: [hobby] });
    const draft = { ...(await drafted('known')), base: 'of another client' };
    expect(await conflictOf(planPublication(tables, draft, true))).toMatchObject({
      kind: 'unknownBase',
      live: { clientId: 'known', version: 1 },
    });
  });
});

test('a rollback brings back the fields of a version, not its lastFieldId, and says which version', async () => {
  await edit('back', { fields: [hobby], lastFieldId: 1 }, { fields: [car], lastFieldId: 7 });
  const lastChange = await publish(tables, await planRollback(tables, 'back', 1), BY);
  expect(lastChange.restores).toBe(1);
  const restored = { clientId: 'back', fields: [hobby], lastFieldId: 7, lastChange };
  expect(await clients.read('back')).toEqual(restored);
});
