import { readFile } from 'node:fs/promises';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { contentDigest } from '../../../../core/clients/content-digest.ts';
import { effectText } from '../../../../core/effects/effect.ts';
import type { ItemChange } from '../../../../core/history/item-change.ts';
import { recordChange } from '../../../../core/history/record-change.ts';
import type { VersionWithContent } from '../../../../core/history/version.ts';
import type { VersionsTable } from '../../../../core/history/versions-table.ts';
import { RULES } from '../../../support/access-rules.ts';
import { PIZZA } from '../../../support/configurations.ts';
import { historyOf } from '../../../support/history.ts';
import { runs } from '../../../support/runs.ts';
import { startTables } from '../../../support/tables.ts';

const tables = await startTables();
const { dynamodb, configurations: table } = tables;
afterAll(() => tables.stop());

/** The content of a client's item. */
type Image = Readonly<Record<string, unknown>>;

const TEN = Date.parse('2026-11-21T10:00:00.000Z');
const after = (milliseconds: number) => new Date(TEN + milliseconds).toISOString();
const ANN = { id: 'change-1', by: 'ann', at: after(0), message: 'More pizza' };
/** An item without a problem. */
const ITEM = { appIds: ['key'], fields: [], lastFieldId: 5 };
const [ONE, TWO] = [6, 7].map((lastFieldId) => ({ ...ITEM, lastFieldId }));

let clients = 0;
const newClient = () => `client-${++clients}`;

/** Makes a number as long as AWS's: neighbours are equal in JavaScript. 100 has a digit more. */
const sequenceNumber = (number: number) => String(10n ** 21n - 100n + BigInt(number));

/** A record of the stream, a second after ten for each number. */
function change(clientId: string, number: number, old?: Image, fresh?: Image): ItemChange {
  const raw = (image?: Image) =>
    image && marshall({ clientId, ...image }, { removeUndefinedValues: true });
  return {
    clientId,
    eventId: `event-${number}`,
    before: raw(old),
    after: raw(fresh),
    position: { stream: 'stream', sequenceNumber: sequenceNumber(number) },
    at: after(number * 1000),
  };
}

const record = (one: ItemChange, to: VersionsTable = table) =>
  recordChange(to, one, { rules: RULES });

/** Records what an item was, one after the other. Returns what the last change became. */
async function recordAll(clientId: string, ...images: (Image | undefined)[]) {
  let recorded: Awaited<ReturnType<typeof record>>;
  for (const [index, image] of images.entries()) {
    recorded = await record(change(clientId, index, images[index - 1], image));
  }
  return recorded;
}

/** The table, with an SDK client whose calls pass through a function. */
function through(
  call: (send: () => Promise<unknown>, isWrite: boolean) => Promise<unknown>,
): VersionsTable {
  const send = (...args: Parameters<DynamoDBClient['send']>) =>
    call(async () => dynamodb.send(...args), args[0] instanceof PutItemCommand);
  return { ...table, dynamodb: { send } as unknown as DynamoDBClient };
}

/** The `lastFieldId` of each version, or a dash for a deletion. */
const historyIn = async (clientId: string) =>
  (await historyOf(table, clientId)).map(({ content }) => content.lastFieldId?.N ?? '-').join(' ');

const casesIn = async (file: string) =>
  parse(await readFile(new URL(`../../../fixtures/history/${file}`, import.meta.url), 'utf8'));

/** Attributes with others beside or instead of them, or without those that are null. */
const changed = (attributes: object, others: object): Image =>
  Object.fromEntries(
    Object.entries({ ...attributes, ...others }).filter(([, one]) => one !== null),
  );

type Author = { who: string; images: (Image | null)[]; author: string };

test.each<Author>(await casesIn('authors.yaml'))('who made a change: $who', async (one) => {
  const clientId = newClient();
  const images = one.images.map((image) => {
    if (!image?.lastChange) return image ? changed(ITEM, image) : undefined;
    const { at, creates, ...others } = changed(ANN, image.lastChange);
    const lastChange = {
      ...others,
      at: typeof at === 'number' ? after(at) : at,
      ...(creates !== undefined && { creates: creates === 'itself' ? clientId : creates }),
    };
    return { ...changed(ITEM, image), lastChange };
  });
  const { version } = (await recordAll(clientId, ...images)) ?? {};
  expect(version?.by ?? version?.source ?? 'no version').toBe(one.author);
  expect(version?.source === 'published').toBe(one.author === 'ann');
});

const [, TEXT_FIELD] = parse(PIZZA).fields;
const field = (id: number, others: object = {}): Image => ({
  ...TEXT_FIELD,
  id: String(id),
  ...others,
});

type Slip = {
  slip: string;
  before: Image | null;
  after: Image | null;
  /** Its codes, or the begin of its sentences. */
  harm: string[];
};

test.each<Slip>(await casesIn('harm.yaml'))('what harms a client: $slip', async (one) => {
  const withFields = ({ fields, ...others }: Image): Image => {
    const list = (fields as (number | { id: number })[] | undefined)?.map((of) =>
      typeof of === 'number' ? field(of) : field(of.id, { ...of, id: String(of.id) }),
    );
    return { ...others, ...(list && { fields: list }) };
  };
  const [before, fresh] = [one.before, one.after].map((image) => {
    if (!image) return undefined;
    const rollout = image.rollout && withFields({ id: 'rollout', ...Object(image.rollout) });
    return withFields({ ...changed(ITEM, image), ...(rollout ? { rollout } : {}) });
  });
  const recorded = await record(change(newClient(), 1, before, fresh));
  const told = recorded?.harm.map((harm) => `${harm.code}\n${effectText(harm, true)}`);
  expect(told).toEqual(one.harm.map((harm) => expect.stringMatching(new RegExp(`^${harm}`, 'm'))));
});

test.each<[what: string, forged: Image, change: Image | undefined, harm: string]>([
  ['the App-Ids', {}, { appIds: ['other'] }, 'appIdsReplaced'],
  ['a candidate', {}, { rollout: { id: 'one', percent: 5, fields: [] } }, 'fieldsLost'],
  ['nothing', { creates: 'client', removes: true }, undefined, 'deleted'],
])('a lastChange that somebody wrote by hand hides no harm: %s is left', async (...row) => {
  const [, forged, change, harm] = row;
  const lastChange = { ...ANN, ...forged };
  const [item, next] = [ITEM, ONE].map((one) => ({ ...one, fields: [field(1)] }));
  const left = { ...item, ...change, lastChange };
  const recorded = await recordAll(newClient(), item, next, left, ...(change ? [] : [undefined]));
  expect(recorded?.harm).toMatchObject([{ code: harm }]);
  expect(recorded?.version.source).toBe('published');
});

describe('the rules that a tool last set', () => {
  const made = { promoCodesIgnoreCase: true, userPoolClientIds: ['app'] };
  const edited = { userPoolClientIds: ['app', 'another'] };
  const by = (seconds: number, others: object = {}) => ({
    lastChange: { ...ANN, id: `change-${seconds}`, at: after(seconds * 1000), ...others },
  });
  const opened = { userPoolClientIds: ['app', 'another', 'third'] };
  const created = { ...made, ...by(0, { creates: 'itself' }) };
  const published = { ...edited, ...by(2), lastFieldId: 6 };
  const setting = by(3, { setsAppClients: true });
  const ofCase = { promoCodesIgnoreCase: true };

  test.each<[what: string, images: (Image | undefined)[], rules: object | undefined]>([
    ['survive an edit and a publication', [created, edited, published], made],
    [
      'survive an edit whose record is lost',
      [created, { ...edited, isLost: true }, published],
      made,
    ],
    [
      'survive an edit after a decision, if the records of both are lost',
      [
        created,
        { ...edited, ...by(1, { setsAppClients: true }), isLost: true },
        { ...created, ...by(1, { setsAppClients: true }), ...opened, isLost: true },
        { ...published, ...opened },
      ],
      made,
    ],
    ['survive a deletion', [created, edited, undefined, { ...edited, lastFieldId: 6 }], made],
    [
      'are those of an edit that sets all back',
      [created, edited, { ...made, lastFieldId: 6 }],
      undefined,
    ],
    [
      'are those of a change that sets what an edit left',
      [created, edited, published, { ...published, ...setting }],
      { ...ofCase, userPoolClientIds: ['another', 'app'] },
    ],
    [
      'are those of a change that sets others',
      [created, edited, { ...made, ...setting, userPoolClientIds: ['third'] }],
      undefined,
    ],
    [
      'are those of a creation by a tool',
      [created, undefined, { ...edited, ...by(2, { creates: 'itself' }) }],
      undefined,
    ],
    [
      'are those that were recorded first',
      [edited, { ...made, lastFieldId: 6 }],
      { userPoolClientIds: ['another', 'app'] },
    ],
  ])('%s', async (_, images, rules) => {
    const clientId = newClient();
    const items = images.map((image) => {
      if (!image) return undefined;
      const { lastChange, isLost: __, ...others } = image;
      const { creates } = Object(lastChange);
      const own = lastChange && { ...Object(lastChange), ...(creates && { creates: clientId }) };
      return { ...ITEM, ...others, ...(own && { lastChange: own }) };
    });
    for (const [index, item] of items.entries()) {
      if (images[index]?.isLost) continue;
      await record(change(clientId, index, items[index - 1], item));
    }
    expect((await historyOf(table, clientId)).at(-1)?.rulesBeforeManualEdits).toEqual(rules);
  });
});

describe('a version', () => {
  test('has the author, the time and the place of its change, digests of keys, and the content as it is stored', async () => {
    const clientId = newClient();
    const fields = { L: [{ N: '12345678901234567890123456789' }, { B: new Uint8Array([0, 255]) }] };
    const item = { lastChange: { ...ANN, restores: 7 }, appIds: ['key', 'second-secret'] };
    const one = change(clientId, 5, ITEM, { ...ONE, ...item, userPoolClientIds: ['b', 'a'] });
    await record(change(clientId, 4, undefined, ITEM));
    await record({ ...one, after: { ...one.after, fields } });
    const content = { fields, lastFieldId: { N: '6' } };
    const [, version] = await historyOf(table, clientId);
    expect(version).toMatchObject({
      version: 2,
      source: 'published',
      by: 'ann',
      message: 'More pizza',
      restores: 7,
      changeId: 'change-1',
      at: after(5000),
      eventId: 'event-5',
      position: one.position,
      content,
      digest: contentDigest(content),
      access: { fingerprints: ['0ae70fa0', '2c70e12b'], userPoolClientIds: ['a', 'b'] },
    });
    expect(JSON.stringify(version)).not.toContain('second-secret');
  });

  test('has no App-Id that stands among the app clients, also after the next changes', async () => {
    const clientId = newClient();
    const [issued, own, id] = [
      'f3b1c1c6-5b0f-46e9-ab99-bf10d7edcb1c',
      'a1b2c3d4e5f6',
      '2f4k5l6m7n8o',
    ];
    const right = { ...ITEM, appIds: [issued, own], userPoolClientIds: [id] };
    const swapped = { ...right, appIds: right.userPoolClientIds, userPoolClientIds: right.appIds };
    const edited = { ...swapped, lastFieldId: 6 };
    await recordAll(clientId, right, swapped, edited, { ...edited, lastFieldId: 7 }, right);
    const versions = await historyOf(table, clientId);
    expect(versions.map(({ access }) => access.userPoolClientIds)).toEqual([
      [id],
      ...Array(3).fill(['digest bde81e93', 'digest b4c6285e']),
      ['digest b8a94159'],
    ]);
  });

  test('of a deletion has no content, and the highest id that was ever used is not forgotten', async () => {
    const clientId = newClient();
    const seven = { ...ITEM, fields: [{ id: '7' }], lastFieldId: 7 };
    // The first change is that of a client which is older than its history.
    await record(change(clientId, 1, seven, ITEM));
    const { findings } = (await record(change(clientId, 2, ITEM, undefined))) ?? {};
    expect(findings).toEqual([]);
    await record(change(clientId, 3, undefined, ITEM));
    await record(change(clientId, 4, ITEM, { ...ITEM, lastFieldId: 9 }));
    const history = await historyOf(table, clientId);
    expect(history.map(({ highestId }) => highestId)).toEqual([7, 7, 7, 7, 9]);
    expect(history[2]).toMatchObject({
      isDeleted: true,
      access: { fingerprints: [] },
      content: {},
      findings: 0,
    });
  });

  test.each([
    ['of a stream with other numbers, because the table was restored', '99', '1', 'another stream'],
    ['after one with a lower number, however many zeros that begins with', '0009', '010', 'stream'],
  ])('is recorded if it is %s', async (_, first, second, stream) => {
    const clientId = newClient();
    const position = { stream: 'stream', sequenceNumber: first };
    await record({ ...change(clientId, 1, undefined, ITEM), position });
    const later = { stream, sequenceNumber: second };
    await record({ ...change(clientId, 2, ITEM, ONE), position: later });
    expect(await historyIn(clientId)).toBe('5 6');
  });

  test('that is larger than DynamoDB accepts has no content, and prevents no later one', async () => {
    const clientId = newClient();
    const large = { ...ITEM, fields: [{ text: 'x'.repeat(400 * 1024 - 100) }] };
    const images = [large, ITEM, large, { ...large, lastFieldId: 6 }, ITEM];
    for (const number of [1, 2, 3, 4]) {
      await record(change(clientId, number, images[number - 1], images[number]));
    }
    const history = await historyOf(table, clientId);
    const sizes = history.map(({ isTooLarge }) => (isTooLarge ? 'large' : 'small')).join(' ');
    expect(sizes).toBe('large small large large small');
    const { fields, lastFieldId } = marshall(large);
    const digest = contentDigest({ fields, lastFieldId });
    expect(history[2]).toMatchObject({ content: {}, digest });
    // If a live configuration and a candidate are too large together, what is live is kept.
    const both = newClient();
    const live = { ...ITEM, fields: [{ text: 'x'.repeat(200 * 1024) }] };
    const rollout = { id: 'one', percent: 5, fields: [{ text: 'y'.repeat(200 * 1024 - 200) }] };
    await record(change(both, 1, live, { ...live, rollout }));
    const [, version] = await historyOf(table, both);
    expect(version).toMatchObject({
      content: marshall({ fields: live.fields }),
      rollout: { percent: 5 },
    });
    expect(version).not.toHaveProperty('candidate');
    expect(version).not.toHaveProperty('isTooLarge');
    // Some are too large without their content.
    const refused = newClient();
    const lastChange = { ...ANN, message: 'x'.repeat(400 * 1024 - 200) };
    await record(change(refused, 1, { ...ITEM, lastChange }, ONE));
    expect(await historyIn(refused)).toBe('6');
  });
});

/*
 * Any edits, and a stream that delivers records twice, late, and again after calls that failed or
 * whose answers were lost.
 */
test('for any edits of a client, the history has one version per change', async () => {
  /**
   * An item that somebody stores, or `undefined` for a deletion. Few values, so that the same ones
   * come back.
   */
  const image = fc.option(
    fc.record({
      appIds: fc.constantFrom(new Set(['key']), new Set(['key', 'other'])),
      lastFieldId: fc.integer({ min: 0, max: 2 }),
      lastChange: fc.constantFrom(undefined, ANN, { ...ANN, id: '2' }),
      fields: fc.constant([]),
    }),
    { nil: undefined, freq: 8 },
  );
  const delivery = fc.record({
    /** The number of records that the stream delivers again first. */
    again: fc.array(fc.nat(5), { maxLength: 2 }),
    /** The DynamoDB call that fails, and whether it was executed. */
    failure: fc.option(fc.record({ call: fc.nat(2), isDone: fc.boolean() })),
  });
  const ofVersion = ({ content, access, isDeleted }: VersionWithContent) =>
    isDeleted ? 'deleted' : [content.lastFieldId?.N, access.fingerprints.length].join();
  const ofItem = (item: ItemChange['after']) =>
    item ? [item.lastFieldId?.N, item.appIds?.SS?.length].join() : 'deleted';
  const edits = fc.array(fc.tuple(image, delivery), { minLength: 1, maxLength: 7 });

  await fc.assert(
    fc.asyncProperty(edits, fc.boolean(), async (list, isOlderThanHistory) => {
      const clientId = newClient();
      const images = list.map(([item]) => item);
      const changes = images.flatMap((fresh, index) => {
        const old = images[index - 1];
        // The numbers become longer on the way.
        return old === fresh ? [] : [change(clientId, 97 + index, old, fresh)];
      });
      // Records of the time before the function existed are never delivered.
      const delivered = isOlderThanHistory ? changes.slice(1) : changes;
      for (const [index, one] of delivered.entries()) {
        const { again = [], failure } = list[index]?.[1] ?? {};
        for (const back of again) {
          const earlier = delivered[index - 1 - back];
          if (earlier) await record(earlier);
        }
        let calls = 0;
        const failing = through(async (send) => {
          const isFailing = calls++ === failure?.call;
          if (isFailing && !failure.isDone) throw new Error('The call failed.');
          const answer = await send();
          if (isFailing) throw new Error('The answer was lost.');
          return answer;
        });
        if (failure) await record(one, failing).catch(() => {});
        await record(one);
      }
      const first = delivered[0]?.before;
      const expected = delivered
        .filter((one) => ofItem(one.before) !== ofItem(one.after))
        .map((one) => ofItem(one.after));
      const history = await historyOf(table, clientId);
      expect(history.map(ofVersion)).toEqual([...(first ? [ofItem(first)] : []), ...expected]);
      expect(history.map(({ version }) => version)).toEqual(
        [...history.keys()].map((at) => at + 1),
      );
    }),
    { numRuns: runs(15) },
  );
});

test('if a change is missing in the history, the next one records what was before it, and who made that', async () => {
  const clientId = newClient();
  const created = { ...ITEM, lastChange: { ...ANN, creates: clientId } };
  await record(change(clientId, 1, undefined, created));
  await record(change(clientId, 3, { ...created, ...ONE }, { ...created, ...TWO }));
  // Bob's change is missing, too, and it only changed who may call.
  const lastChange = { ...ANN, id: '2', by: 'bob', at: after(4000) };
  const bob = { ...created, ...TWO, appIds: new Set(['another']), lastChange };
  await record(change(clientId, 5, bob, { ...bob, lastFieldId: 8 }));
  expect(await historyOf(table, clientId)).toMatchObject([
    { source: 'published', by: 'ann', eventId: 'event-1' },
    { source: 'manualEdit', at: after(3000), eventId: 'event-3 before' },
    { source: 'manualEdit', at: after(3000), eventId: 'event-3' },
    { source: 'published', by: 'bob', at: after(4000), eventId: 'event-5 before' },
    { source: 'manualEdit', at: after(5000), eventId: 'event-5' },
  ]);
  expect(await historyIn(clientId)).toBe('5 6 7 7 8');
});

// The mutant GapIsInvisible of lab/proof. Before and after these changes, the content is the same.
test('changes that are lost and taken back leave no trace', async () => {
  const clientId = newClient();
  await record(change(clientId, 1, undefined, ITEM));
  // Records 2 and 3, from ITEM to ONE and back, do not arrive.
  await record(change(clientId, 4, ITEM, TWO));
  expect(await historyOf(table, clientId)).toMatchObject([
    { version: 1, eventId: 'event-1' },
    { version: 2, eventId: 'event-4' },
  ]);
});

test('a record that was given up, and is still being recorded, adds no version after the gap is closed', async () => {
  const clientId = newClient();
  await record(change(clientId, 1, undefined, ITEM));
  let writes = 0;
  const interrupted = through(async (send, isWrite) => {
    if (isWrite && ++writes === 2) await record(change(clientId, 2, ITEM, ONE));
    return send();
  });
  await record(change(clientId, 3, ONE, TWO), interrupted);
  expect(await historyIn(clientId)).toBe('5 6 7');
});

test('a harm is reported again if the answer to the first report may be lost', async () => {
  const clientId = newClient();
  await record(change(clientId, 1, undefined, ITEM));
  const slip = change(clientId, 2, ITEM, { ...ITEM, appIds: 'key,other' });
  // DynamoDB stores the version, the SDK gets no answer, and its second call is refused.
  const losing = through(async (send, isWrite) => {
    const answer = await send();
    return isWrite ? send() : answer;
  });
  const harm = [{ code: 'findingsRose' }, { code: 'lockedOut' }];
  expect(await record(slip, losing)).toMatchObject({ harm, version: { version: 2 }, isNew: true });
  expect(await record(slip)).toMatchObject({ harm, version: { version: 2 }, isNew: false });
  expect(await historyIn(clientId)).toBe('5 5');
});

test('the harm of a creation in which another rule of case is written is reported again', async () => {
  const clientId = newClient();
  await recordAll(clientId, undefined, { ...ITEM, promoCodesIgnoreCase: true }, undefined);
  const creation = change(clientId, 3, undefined, ITEM);
  const first = await record(creation);
  expect(first?.harm).toMatchObject([{ code: 'caseSwitched' }]);
  expect((await record(creation))?.harm).toEqual(first?.harm);
});
