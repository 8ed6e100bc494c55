import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { effectText } from 'customer-data-api/effects';
import { contentDigest, recordChange } from 'customer-data-api/history';
import { RULES } from 'customer-data-api/testing/access-rules';
import { startTables } from 'customer-data-api/testing/tables';
import { deploymentOf } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readExistingClient } from '../../../clients/configs-table.ts';
import { planDraft } from '../../../configurations/plan-draft.ts';
import { publication } from '../../../configurations/publication.ts';
import type { ConflictReason, OperatorError } from '../../../errors.ts';

/*
 * What happens to a client between the steps of a publication: its base, its plan, and the write.
 */

const BY = 'jane';
/** The version is not awaited: nothing records it. */
const signal = AbortSignal.abort();

const database = await startTables();
const { configurations: tables, clients } = database;
const deployment = deploymentOf({
  stackName: 'test',
  outputs: { UserPoolClientId: 'app' } as Outputs,
});
const context = { tables, deployment: deployment, signal };
afterAll(() => database.stop());

/** Stores what an item was, or removes it, one after the other, and records each as a version. */
async function edit(clientId: string, ...images: (object | undefined)[]): Promise<void> {
  for (const [index, image] of images.entries()) {
    await (image ? clients.put(clientId, image) : clients.remove(clientId));
    const [before, after] = [images[index - 1], image].map(
      (one) => one && marshall({ clientId, ...one }),
    );
    const change = { clientId, eventId: `event ${index}`, at: '2026-11-21T09:00:00.000Z' };
    const position = { stream: 'stream', sequenceNumber: String(index + 1) };
    await recordChange(tables, { ...change, position, before, after }, { rules: RULES });
  }
}

/** A draft with the base of what is stored now. */
const drafted = async (clientId: string, ...fields: object[]) => ({
  clientId,
  fields,
  base: contentDigest((await readExistingClient(tables, clientId)).live.content),
});
const planned = async (clientId: string, ...fields: object[]) =>
  planDraft(tables, await drafted(clientId, ...fields));

/** Publishes fields. Something may happen while an operator is asked. */
const published = async (
  draft: Awaited<ReturnType<typeof drafted>>,
  meanwhile?: () => Promise<unknown>,
) => {
  const { show, apply } = publication(
    () => draft,
    () => ({ hasEffect: true, effects: [] }),
    {},
  );
  const shown = await show(context);
  await meanwhile?.();
  return apply(context, shown, BY);
};

/** The conflict that keeps something from being published. */
const conflictOf = (change: Promise<unknown>): Promise<ConflictReason> =>
  change.then(
    () => expect.unreachable(),
    (error: OperatorError<'configurationConflict'>) => {
      expect(error).toMatchObject({ code: 'configurationConflict' });
      return error.facts.reason;
    },
  );

/** A text field without an id. */
const named = (fieldName: string) => ({ fieldType: 'text', fieldName });
const hobby = { id: '1', ...named('Hobby') };
const car = { id: '2', ...named('Car') };

test('a client that was removed meanwhile does not come back', async () => {
  await clients.put('removed', { appIds: ['key'] });
  const draft = await drafted('removed', named('Hobby'));
  const publishing = published(draft, () => clients.remove('removed'));
  await expect(publishing).rejects.toMatchObject({
    progress: 'nothing',
    cause: { code: 'noSuchClient' },
  });
  expect(await clients.read('removed')).toBeUndefined();
});

test.each([
  ['fields', []],
  ['lastFieldId', 9],
  ['language', 'de'],
])(
  'what somebody adds to an empty client meanwhile is not overwritten: %s',
  async (name, value) => {
    const clientId = `without ${name}`;
    await clients.put(clientId, { appIds: ['key'] });
    const theirs = { clientId, appIds: ['key'], [name]: value };
    const draft = await drafted(clientId, named('Hobby'));
    // The version of the change is looked for until three seconds are over. Nothing records it.
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 2000));
    await expect(published(draft, () => clients.put(clientId, theirs))).rejects.toMatchObject({
      progress: 'nothing',
      cause: { code: 'configurationConflict' },
    });
    clock.mockRestore();
    expect(await clients.read(clientId)).toEqual(theirs);
  },
);

test.each([1_732_500_000, 20_241_125, 1_732_500_000_000, Number.MAX_SAFE_INTEGER])(
  'after lastFieldId was %d by mistake, the next id continues below, and a file can lower it',
  async (lastFieldId) => {
    const clientId = `mistake ${lastFieldId}`;
    const mistake = { fields: [hobby], lastFieldId };
    const good = { fields: [hobby], lastFieldId: 1 };
    await edit(clientId, good, mistake);
    const next = { fields: [hobby, { ...named('Pet'), id: '2' }], lastFieldId: 2 };
    expect(unmarshall((await planned(clientId, hobby, named('Pet'))).after.content)).toEqual(next);
    const draft = { ...(await drafted(clientId, hobby)), lastFieldId: 1 };
    expect(unmarshall((await planDraft(tables, draft)).after.content)).toMatchObject({
      lastFieldId: 1,
    });
    expect(
      unmarshall((await planDraft(tables, { clientId, restores: 1 })).after.content),
    ).toMatchObject({
      lastFieldId: 1,
    });
    await edit(`lowered ${clientId}`, good, mistake, good);
    expect(
      unmarshall((await planned(`lowered ${clientId}`, hobby, named('Pet'))).after.content),
    ).toEqual(next);
  },
);

test('an id that a field had is never forgotten, however high it is', async () => {
  const high = { ...named('Pet'), id: '5000000' };
  const image = { fields: [hobby], lastFieldId: 1 };
  await edit('high', image, { fields: [hobby, high], lastFieldId: 5_000_000 }, image);
  const { after } = await planned('high', hobby, named('Car'));
  expect(unmarshall(after.content)).toMatchObject({ fields: [{}, { id: '5000001' }] });
});

describe('a new field with the id of a field that was removed', () => {
  const passport = { id: '2', ...named('Passport number') };
  const nickname = named('Nickname');
  const images = [
    { fields: [], lastFieldId: 0 },
    { fields: [hobby, passport], lastFieldId: 2 },
    { fields: [hobby], lastFieldId: 2 },
  ];

  test.each(['2', '02'])('is refused: %j', async (id) => {
    const clientId = `used ${id}`;
    await edit(clientId, ...images);
    const had = id === '2' && { had: { version: 2, fieldName: 'Passport number' } };
    await expect(planned(clientId, hobby, { ...nickname, id })).rejects.toMatchObject({
      code: 'usedIds',
      facts: { ids: [{ id, reason: 'used', fieldName: 'Nickname', ...had }] },
    });
  });

  test('is refused after the version that had it is gone, and if the id is far too high', async () => {
    const clientId = 'unrecorded';
    await edit(clientId, { fields: [hobby], lastFieldId: 9 });
    for (const [id, reason] of [
      ['7', 'used'],
      ['1732500000', 'tooHigh'],
    ]) {
      const rejected = expect(planned(clientId, hobby, { ...nickname, id })).rejects;
      await rejected.toMatchObject({ facts: { ids: [{ id, reason }] } });
    }
    expect(await planned(clientId, hobby, { ...nickname, id: '12' })).toBeDefined();
  });

  test('may bring that field back, but not as another kind', async () => {
    await edit('back', ...images);
    const back = { ...passport, mandatory: true };
    expect((await planned('back', hobby, back)).after.content.fields.L).toHaveLength(2);
    const other = { ...back, fieldType: 'drop' };
    await expect(planned('back', hobby, other)).rejects.toMatchObject({ code: 'usedIds' });
    expect(
      (await planDraft(tables, { clientId: 'back', restores: 2 })).after.content.fields.L,
    ).toHaveLength(2);
  });

  test('may be in the first publication of a client', async () => {
    await edit('first', { fields: [], lastFieldId: 9 });
    expect((await planned('first', hobby, passport)).after.content.fields.L).toHaveLength(2);
  });
});

test('no id is given while the history lacks what is live', async () => {
  const image = { fields: [hobby], lastFieldId: 1 };
  await edit('behind', image);
  await published(await drafted('behind', hobby, named('Pet')));
  const mandatory = { ...hobby, mandatory: true };
  await clients.put('behind', { ...image, fields: [mandatory] });
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 11_000));
  await expect(planned('behind', mandatory, named('Car'))).rejects.toMatchObject({
    code: 'historyBehind',
  });
  expect(await planned('behind', { ...mandatory, fieldName: 'Sport' })).toBeDefined();
  vi.restoreAllMocks();
});

describe('a conflict tells what happened to customers since the base', () => {
  const ignored = { promoCodesIgnoreCase: true, fields: [hobby], lastFieldId: 1 };
  const theirs = { ...ignored, fields: [{ ...hobby, mandatory: true }] };
  /** The effects of each change since, newest first. */
  const told = async (clientId: string, draft: Awaited<ReturnType<typeof drafted>>) => {
    const reason = await conflictOf(planDraft(tables, { ...draft, clientId }));
    const { described } = 'since' in reason ? reason.since : expect.unreachable();
    return described.map(({ effects }) => effects?.map((one) => effectText(one)));
  };
  const mandatory = ['"Hobby" becomes mandatory.'];

  test('by a change that is not recorded yet, without a rule that stays', async () => {
    await edit('unwritten', ignored);
    const draft = await drafted('unwritten', { ...hobby, fieldName: 'Sport' });
    await clients.put('unwritten', theirs);
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 11_000));
    expect(await told('unwritten', draft)).toEqual([mandatory]);
    vi.restoreAllMocks();
  });

  test('by a removal', async () => {
    await edit('recreated', ignored);
    const draft = await drafted('recreated', { ...hobby, fieldName: 'Sport' });
    await edit('recreated', ignored, undefined, theirs);
    const [, removal] = await told('recreated', draft);
    expect(removal).toEqual(['The client is deleted.']);
  });
});

// The mutant BackToTheNewest of lab/proof: nothing but the history knows an id that the item lost.
test('an id is given again if somebody lowers lastFieldId before its version is recorded', async () => {
  const image = { fields: [hobby], lastFieldId: 1 };
  await edit('early', image);
  await published(await drafted('early', hobby, named('Car')));
  await clients.put('early', image);
  const { fields } = (await planned('early', hobby, named('Pet'))).after.content;
  expect(fields.L?.[1]?.M?.id).toEqual({ S: car.id });
});

// The mutant LoweredEarly of lab/proof.
test('an id is given again if somebody lowers lastFieldId while a plan waits', async () => {
  const image = { fields: [hobby], lastFieldId: 1 };
  await edit('waiting', image);
  await published(await drafted('waiting', hobby, named('Pet')), () =>
    edit('waiting', image, { fields: [hobby, car], lastFieldId: 2 }, image),
  );
  expect((await clients.read('waiting'))?.fields).toMatchObject([{}, { ...named('Pet'), id: '2' }]);
});

test('a draft without a base replaces what is no list of fields, and nothing else', async () => {
  const draft = { clientId: 'unknown', fields: [named('Car')] };
  await clients.put('unknown', { fields: [hobby] });
  await conflictOf(planDraft(tables, { ...draft, merges: true }));
  await clients.put('unknown', { fields: 'none' });
  expect((await planDraft(tables, draft)).after.content.fields.L).toHaveLength(1);
});

describe('a copy of the file of another deployment', () => {
  const passport = { id: '3', ...named('Passport number') };
  /** The target removed its passport, and gave 2 to another question than the file. */
  const images = [
    { fields: [], lastFieldId: 0 },
    { fields: [hobby, car, passport], lastFieldId: 3 },
    { fields: [hobby, car], lastFieldId: 3 },
  ];
  const copied = (clientId: string, lastFieldId: number, ...fields: object[]) =>
    planDraft(tables, { clientId, base: 'another one', fields, lastFieldId, copies: true });
  const idsOf = ({ after }: Awaited<ReturnType<typeof copied>>) =>
    (unmarshall(after.content).fields as { id: string }[]).map(({ id }) => id);

  test('has no id of a question that the history does not know any more', async () => {
    await edit('copy of unknown', { fields: [hobby], lastFieldId: 9 });
    const plan = await copied('copy of unknown', 1, hobby, { id: '7', ...named('Pet') });
    expect(idsOf(plan)).toEqual(['1', '10']);
    expect(plan.changedIds).toMatchObject([{ from: '7', to: '10' }]);
  });

  test('has all its ids in a client without a history, whose changes it cannot know', async () => {
    await edit('copy into nothing', { fields: [], lastFieldId: 0 });
    const plan = await copied('copy into nothing', 40, car, passport, {
      id: '40',
      ...named('Pet'),
    });
    expect(idsOf(plan)).toEqual(['2', '3', '40']);
    expect(plan).not.toHaveProperty('changedIds');
  });

  test('gives no id that the file or the target has in any order of copies', async () => {
    await edit('copy of many', ...images);
    const names = ['Pet', 'Colour', 'Size', 'Team'];
    const fields = names.map((name, at) => ({ id: String(at + 1), ...named(name) }));
    const plan = await copied('copy of many', 4, ...fields);
    expect(idsOf(plan)).toEqual(['5', '6', '7', '4']);
  });

  test('has the ids of live questions where it has none, and changes nothing when repeated', async () => {
    await edit('copy without ids', ...images);
    const fields = [named('Pet'), named('Hobby'), named('Hobby')];
    const first = await copied('copy without ids', 0, ...fields);
    expect(idsOf(first)).toEqual(['4', '1', '5']);
    await edit('copy without ids', ...images, unmarshall(first.after.content));
    expect(idsOf(await copied('copy without ids', 0, ...fields))).toEqual(['4', '1', '5']);
  });

  test('is refused with an id that would use up those below it', async () => {
    await edit('copy of a date', ...images);
    const pet = { id: '1732500000', ...named('Pet') };
    await expect(copied('copy of a date', 3, hobby, pet)).rejects.toMatchObject({
      code: 'usedIds',
      facts: { ids: [{ reason: 'tooHigh' }] },
    });
  });
});

describe('a draft of what others have changed', () => {
  test('is refused because of a change that is not recorded yet, too', async () => {
    await edit('late', { fields: [hobby] });
    const draft = await drafted('late');
    await clients.put('late', { fields: [car] });
    // Nobody waits for its version.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 5000));
    expect(await conflictOf(planDraft(tables, draft))).toMatchObject({
      kind: 'changed',
      since: {
        base: { version: 1 },
        versions: [],
        described: [
          { version: undefined, effects: [{ facts: { field: { caption: 'Hobby' } } }, {}] },
        ],
      },
    });
    vi.restoreAllMocks();
  });

  test('is not merged with content that was too large to be recorded', async () => {
    const large = { fields: [{ ...hobby, note: 'x'.repeat(400 * 1024 - 200) }] };
    await edit('large', large);
    const draft = await drafted('large');
    await edit('large', large, { fields: [car] });
    for (const merges of [true, false]) {
      expect(await conflictOf(planDraft(tables, { ...draft, merges }))).toMatchObject({
        kind: 'baseNotRecorded',
        since: { base: { isTooLarge: true }, versions: [{}] },
      });
    }
    await expect(planDraft(tables, { clientId: 'large', restores: 1 })).rejects.toMatchObject({
      code: 'versionWithoutFields',
    });
  });
});

describe('a draft that has the content of a version', () => {
  const image = (...fields: object[]) => ({ fields, lastFieldId: 9 });
  const [was, bad] = [image(hobby, car), image({ ...hobby, fieldName: 'Hobbies' }, car)];
  /** The number of the version that a draft is; undefined if it is what is live. */
  const versionOf = async (change: Parameters<typeof planDraft>[1]) => {
    const plan = await planDraft(tables, change).catch(
      ({ facts }: OperatorError<'configurationConflict'>) => facts.reason,
    );
    if (!('kind' in plan)) {
      expect(plan.after.content).toEqual(plan.before.live.content);
      return undefined;
    }
    return plan.kind === 'wasLive' ? [plan.version.version, plan.live?.version] : plan.kind;
  };
  const baseOf = (content: object) => contentDigest(marshall(content));

  test.each([true, false])(
    'that was live is refused, and one that is live is none: %s',
    async (merges) => {
      const clientId = `earlier ${merges}`;
      const first = image(hobby);
      await edit(clientId, first, was, bad);
      const draft = { clientId, base: baseOf(first), merges };
      const fields = [hobby, named('Car')];
      expect(await versionOf({ ...draft, fields })).toEqual([2, 3]);
      expect(await versionOf({ ...draft, ...first })).toEqual([1, 3]);
      expect(await versionOf({ ...draft, ...bad })).toBeUndefined();
      expect(
        await versionOf({ ...draft, fields: [bad.fields[0], named('Car')] as object[] }),
      ).toBeUndefined();
      // Its own version, as `config show` writes it.
      expect(await versionOf({ ...draft, ...was, base: baseOf(was) })).toEqual([2, 3]);
      await edit(`again ${clientId}`, first, was, bad, was);
      const again = { ...draft, clientId: `again ${clientId}` };
      expect(await versionOf({ ...again, fields })).toBeUndefined();
      expect(await versionOf({ ...again, ...bad })).toEqual([3, 4]);
    },
  );

  test('is another one in another language, in another order, or with another new field', async () => {
    const german = { ...was, language: 'de' };
    await edit('german', image(hobby), german, { ...bad, language: 'de' });
    const draft = { clientId: 'german', base: baseOf(image(hobby)) };
    expect(await versionOf({ ...draft, ...german })).toEqual([2, 3]);
    for (const one of [was, { ...german, language: 'en' }, { ...german, fields: [car, hobby] }]) {
      expect(await versionOf({ ...draft, ...one })).toMatch(/^changed|sameFields$/);
    }
    expect(await versionOf({ ...draft, language: 'de', fields: [hobby, named('Cars')] })).toBe(
      'changed',
    );
  });

  test('is only looked for since its base, also before the client was removed', async () => {
    const other = image(hobby);
    await edit('since', was, other, bad);
    const draft = { base: baseOf(other), ...was };
    expect(await versionOf({ clientId: 'since', ...draft })).toBe('changed');
    await edit('created again', other, was, bad, undefined, { fields: [], lastFieldId: 0 });
    expect(await versionOf({ clientId: 'created again', ...draft })).toEqual([2, 5]);
    // What a removal leaves is no version that could be had back.
    const none = { clientId: 'created again', base: baseOf(other), fields: [] };
    expect(await versionOf(none)).toBeUndefined();
  });

  test('is found by its digest if it was too large to be recorded', async () => {
    const large = image({ ...hobby, note: 'x'.repeat(400 * 1024 - 200) });
    await edit('large one', image(car), large, was);
    const draft = { clientId: 'large one', ...large };
    expect(await versionOf({ ...draft, base: baseOf(image(car)) })).toEqual([2, 3]);
    expect(await versionOf({ ...draft, base: baseOf(large) })).toEqual([2, 3]);
  });

  test('changes nothing while a rollout runs, whose candidate it is not', async () => {
    const rollout = { id: 'one', percent: 5, fields: bad.fields };
    await edit('rolled out', image(hobby), was, { ...was, rollout });
    const draft = { clientId: 'rolled out', base: baseOf(image(hobby)) };
    expect(await versionOf({ ...draft, ...was })).toBeUndefined();
    await expect(planDraft(tables, { ...draft, ...bad, merges: true })).rejects.toMatchObject({
      code: 'rolloutRunning',
    });
    const { step } = await planDraft(tables, { ...draft, ...was, ends: 'stop' });
    expect(step).toEqual({ kind: 'publish', ends: 'stop' });
  });
});

test('a publication that its review refuses is not written, whoever approves it', async () => {
  await edit('refused', { appIds: ['key'], lastFieldId: 1, fields: [{ id: '1' }] });
  const refusal = { code: 'moreErrors', errorsInDraft: 1 } as const;
  const review = () => ({ hasEffect: true, effects: [], refusal });
  const draft = await drafted('refused');
  const { show, apply } = publication(() => draft, review, {});
  const shown = await show(context);
  await expect(apply(context, shown, BY)).rejects.toMatchObject({ facts: { refusal } });
  const { live } = await readExistingClient(tables, 'refused');
  expect(live.attributes.fields).toEqual([{ id: '1' }]);
});
