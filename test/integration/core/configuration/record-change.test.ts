import { type AttributeValue, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ItemChange,
  type RawItem,
  recordChange,
} from '../../../../core/configuration/record-change.ts';
import type { ConfigVersion } from '../../../../core/configuration/version.ts';
import type { VersionsTable } from '../../../../core/configuration/versions-table.ts';
import { UnavailableError } from '../../../../core/platform/unavailable-error.ts';
import { historyOf } from '../../../support/history.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

let tables: Tables;
let dynamodb: DynamoDBClient;
let table: VersionsTable;

beforeAll(async () => {
  tables = await startTables();
  ({ dynamodb, configurations: table } = tables);
});
afterAll(() => tables.stop());

const STREAM = 'arn:aws:dynamodb:us-east-1:000000000000:table/Configs/stream/1';
const ANN = { id: 'change-1', by: 'ann', at: '2026-11-21T09:00:00.000Z', message: 'More pizza' };
/** An item without a problem. */
const ITEM = { appIds: new Set(['key']), fields: [], lastFieldId: 0 };

let clients = 0;
const newClient = () => `client-${++clients}`;

/** A record of the stream. */
function change(
  clientId: string,
  sequenceNumber: number,
  before: object | undefined,
  after: object | undefined,
): ItemChange {
  const raw = (item: object | undefined): RawItem | undefined =>
    item && marshall({ clientId, ...item }, { removeUndefinedValues: true });
  return {
    clientId,
    eventId: `event-${sequenceNumber}`,
    position: { stream: STREAM, sequenceNumber: String(sequenceNumber) },
    at: new Date(Date.parse(ANN.at) + sequenceNumber * 1000).toISOString(),
    before: raw(before),
    after: raw(after),
  };
}

const record = (one: ItemChange, to: VersionsTable = table) =>
  recordChange(to, one, { requiresUserPoolClientIds: false });

describe('a change', () => {
  test('that a tool published has its author, message and time', async () => {
    const clientId = newClient();
    const published = { ...ITEM, lastFieldId: 3, lastChange: { ...ANN, restores: 7 } };
    await record(change(clientId, 4, undefined, ITEM));
    const recorded = await record(change(clientId, 5, ITEM, published));
    expect(recorded).toMatchObject({
      harm: [],
      version: {
        ...{ version: 2, source: 'published', by: 'ann', message: 'More pizza', restores: 7 },
        ...{ changeId: 'change-1', at: '2026-11-21T09:00:05.000Z', problems: 0 },
        ...{ eventId: 'event-5', position: { stream: STREAM, sequenceNumber: '5' } },
        // The digest of `key`.
        keys: { appIds: ['2c70e12b'] },
      },
    });
    expect((await historyOf(table, clientId))[1]?.content).toEqual({
      fields: { L: [] },
      lastFieldId: { N: '3' },
    });
  });

  test('that lowers the highest id does not make it forgotten, nor does a deletion', async () => {
    const clientId = newClient();
    const one = { ...ITEM, fields: [{ id: '7' }], lastFieldId: 7 };
    const lower = { ...ITEM, lastFieldId: 3 };
    await record(change(clientId, 1, one, lower));
    await record(change(clientId, 2, lower, undefined));
    await record(change(clientId, 3, undefined, ITEM));
    await record(change(clientId, 4, ITEM, { ...ITEM, lastFieldId: 9 }));
    const history = await historyOf(table, clientId);
    expect(history.map(({ highestId }) => highestId)).toEqual([7, 7, 7, 7, 9]);
  });

  test.each([
    ['15 minutes earlier', '2026-11-21T08:45:02.000Z', 'published'],
    ['a millisecond more', '2026-11-21T08:45:01.999Z', 'outside'],
    ['15 minutes later', '2026-11-21T09:15:02.000Z', 'published'],
    ['a millisecond more', '2026-11-21T09:15:02.001Z', 'outside'],
  ])('by a tool whose clock says %s: %s is %s', async (_, at, source) => {
    const lastChange = { ...ANN, at };
    const clientId = newClient();
    await record(change(clientId, 1, undefined, ITEM));
    const recorded = await record(
      change(clientId, 2, ITEM, { ...ITEM, lastFieldId: 1, lastChange }),
    );
    expect(recorded?.version.source).toBe(source);
  });

  test('by a tool that creates the item has an author', async () => {
    const clientId = newClient();
    const created = { ...ITEM, lastChange: { ...ANN, creates: clientId } };
    const recorded = await record(change(clientId, 1, undefined, created));
    expect(recorded?.version).toMatchObject({ source: 'published', by: 'ann' });
  });

  describe('that carries the lastChange of another change is from outside', () => {
    const EARLIER = { ...ANN, id: 'change-0', by: 'bob', at: '2026-11-21T08:59:00.000Z' };

    test.each<[string, before: object | undefined, lastChange: object]>([
      ['a copy of a new item of another client', undefined, { ...ANN, creates: 'another' }],
      ['a copy of an item that was published', undefined, ANN],
      ['an older image of the item', { ...ITEM, lastChange: ANN }, EARLIER],
      ['an image of hours ago', ITEM, { ...ANN, at: '2026-11-21T08:44:59.000Z' }],
      ['an image with an unreadable time', ITEM, { ...ANN, at: 'yesterday' }],
    ])('%s', async (_, before, lastChange) => {
      const clientId = newClient();
      if (before) await record(change(clientId, 1, undefined, before));
      const edited = { ...ITEM, appIds: 'one,two', lastChange };
      const recorded = await record(change(clientId, 2, before, edited));
      expect(recorded?.version.source).toBe('outside');
      expect(recorded?.harm).not.toEqual([]);
    });

    test.each<[string, between: object]>([
      ['that made no version', { ...ITEM, lastChange: ANN }],
      ['that was taken out meanwhile, and put back', ITEM],
    ])('an edit with the lastChange of a change %s', async (_, between) => {
      const clientId = newClient();
      const first = between === ITEM ? { ...ITEM, lastChange: ANN } : ITEM;
      await record(change(clientId, 1, undefined, first));
      expect(await record(change(clientId, 2, first, between))).toBeUndefined();
      const edited = { ...ITEM, lastFieldId: 1, lastChange: ANN };
      const recorded = await record(change(clientId, 3, between, edited));
      expect(recorded?.version).toMatchObject({ version: 2, source: 'outside' });
    });

    test('a deletion right after a publication', async () => {
      const clientId = newClient();
      const published = { ...ITEM, lastFieldId: 1, lastChange: ANN };
      await record(change(clientId, 1, ITEM, published));
      const recorded = await record(change(clientId, 2, published, undefined));
      expect(recorded?.version.source).toBe('outside');
    });

    test('a deletion long after one by a tool failed', async () => {
      const clientId = newClient();
      const removes = { ...ANN, at: '2026-11-21T08:00:00.000Z', removes: true };
      const recorded = await record(
        change(clientId, 2, { ...ITEM, lastChange: removes }, undefined),
      );
      expect(recorded?.version.source).toBe('outside');
    });
  });

  test('by hand, which leaves lastChange as it was, is from outside', async () => {
    const clientId = newClient();
    const published = { ...ITEM, lastChange: ANN };
    await record(change(clientId, 1, undefined, published));
    const edited = { ...published, lastFieldId: 4 };
    const recorded = await record(change(clientId, 2, published, edited));
    expect(recorded?.version).toMatchObject({
      version: 2,
      source: 'outside',
      changeId: 'change-1',
    });
    expect(recorded?.version).not.toHaveProperty('by', 'ann');
    await record(change(clientId, 3, edited, undefined));
    // An export that is put back by hand has a lastChange, and nobody published it now.
    const again = await record(change(clientId, 4, undefined, edited));
    expect(again?.version.source).toBe('outside');
  });

  test('of keys shows digests, and no key', async () => {
    const clientId = newClient();
    const keys = { appIds: new Set(['key', 'second-secret']), userPoolClientIds: ['b', 'a'] };
    await record(change(clientId, 1, undefined, ITEM));
    const recorded = await record(change(clientId, 2, ITEM, { ...ITEM, ...keys }));
    expect(recorded?.version).toMatchObject({
      version: 2,
      keys: { appIds: ['0ae70fa0', '2c70e12b'], userPoolClientIds: ['a', 'b'] },
    });
    expect(JSON.stringify(await historyOf(table, clientId))).not.toContain('second-secret');
  });

  test.each<[string, object, object]>([
    ['only lastChange', { ...ITEM, lastChange: ANN }, { ...ITEM, lastChange: { ...ANN, id: '2' } }],
    ['the form of the keys', ITEM, { ...ITEM, appIds: ['key'] }],
    ['an attribute that means nothing', ITEM, { ...ITEM, lastChange: undefined }],
  ])('of %s makes no version', async (_, before, after) => {
    const clientId = newClient();
    await record(change(clientId, 1, undefined, before));
    expect(await record(change(clientId, 2, before, after))).toBeUndefined();
    expect(await historyOf(table, clientId)).toHaveLength(1);
  });

  test('that deletes the item is a version without content', async () => {
    const clientId = newClient();
    await record(change(clientId, 1, undefined, ITEM));
    const recorded = await record(change(clientId, 2, ITEM, undefined));
    expect(recorded).toMatchObject({
      version: { version: 2, isDeleted: true, source: 'outside', keys: { appIds: [] } },
      ...{ harm: ['the client is deleted'], findings: [] },
    });
    expect((await historyOf(table, clientId))[1]?.content).toEqual({});
  });

  test('by a tool that deletes the item has an author', async () => {
    const clientId = newClient();
    const announced = { ...ITEM, lastChange: { ...ANN, removes: true } };
    await record(change(clientId, 1, undefined, ITEM));
    await record(change(clientId, 2, ITEM, announced));
    const recorded = await record(change(clientId, 3, announced, undefined));
    expect(recorded?.version).toMatchObject({ version: 2, source: 'published', by: 'ann' });
  });

  test('of a client that is older than its history records both what it was and what it is', async () => {
    const clientId = newClient();
    const old = { ...ITEM, lastFieldId: 8, lastChange: ANN };
    const later = { ...ANN, id: '2', by: 'bob', at: '2026-11-21T09:00:01.000Z' };
    const after = { ...ITEM, lastFieldId: 9, lastChange: later };
    await record(change(clientId, 1, old, after));
    const position = { stream: STREAM, sequenceNumber: '0' };
    expect(await historyOf(table, clientId)).toMatchObject([
      {
        ...{ version: 1, by: 'ann', at: ANN.at, content: { lastFieldId: { N: '8' } } },
        ...{ eventId: 'event-1 before', position },
      },
      { version: 2, by: 'bob', content: { lastFieldId: { N: '9' } } },
    ]);
  });

  test('of a table that was restored, whose stream starts with other numbers, is recorded', async () => {
    const clientId = newClient();
    await record(change(clientId, 99, undefined, ITEM));
    const later = change(clientId, 1, ITEM, { ...ITEM, lastFieldId: 1 });
    const position = { stream: `${STREAM}2`, sequenceNumber: '1' };
    expect((await record({ ...later, position }))?.version.version).toBe(2);
  });

  test('comes after one with a lower sequence number, however many zeros that begins with', async () => {
    const clientId = newClient();
    const numbered = (one: ItemChange, sequenceNumber: string) =>
      record({ ...one, position: { stream: STREAM, sequenceNumber } });
    const changed = { ...ITEM, lastFieldId: 1 };
    await numbered(change(clientId, 9, undefined, ITEM), '0009');
    const next = await numbered(change(clientId, 10, ITEM, changed), '010');
    expect(next?.version.version).toBe(2);
  });

  test('keeps numbers and binary values as they are stored', async () => {
    const clientId = newClient();
    const fields: AttributeValue = {
      L: [{ N: '12345678901234567890123456789' }, { B: new Uint8Array([0, 255]) }],
    };
    const one = change(clientId, 1, undefined, ITEM);
    await record({ ...one, after: { ...one.after, fields } });
    expect((await historyOf(table, clientId))[0]?.content.fields).toEqual(fields);
  });
});

describe('a change harms a client if', () => {
  const separate = { ...ITEM, userPoolClientIds: new Set(['app']) };

  test.each<[slip: string, before: object | undefined, after: object, harm: string[]]>([
    ['feilds', ITEM, { ...ITEM, fields: undefined, feilds: [] }, ['problems: 2 instead of 0']],
    [
      'userPoolClientId',
      separate,
      { ...ITEM, userPoolClientId: new Set(['app']) },
      ['problems: 2 instead of 0', 'the client admits nobody'],
    ],
    [
      'the loss of userPoolClientIds',
      separate,
      ITEM,
      ['the client accepts the tokens of all app clients'],
    ],
    [
      'several keys in one string',
      ITEM,
      { ...ITEM, appIds: 'key,other' },
      ['problems: 1 instead of 0', 'the client admits nobody'],
    ],
    ['a phantom client', undefined, { appIds: new Set(['key']) }, ['problems: 2 instead of 0']],
    [
      'put-item over a client',
      separate,
      { fields: [], lastFieldId: 0 },
      [
        'problems: 1 instead of 0',
        'the client admits nobody',
        'the client accepts the tokens of all app clients',
      ],
    ],
    [
      'a lastFieldId below the highest id',
      { ...ITEM, fields: [text()], lastFieldId: 5 },
      { ...ITEM, fields: [text()], lastFieldId: 3 },
      ['problems: 1 instead of 0'],
    ],
    [
      'fields that are cleared',
      { ...ITEM, fields: [text()], lastFieldId: 5 },
      { ...ITEM, lastFieldId: 5 },
      ['served fields: 0 instead of 1'],
    ],
    [
      'the loss of most fields',
      { ...ITEM, fields: ['1', '2', '3'].map(named), lastFieldId: 5 },
      { ...ITEM, fields: [named('1')], lastFieldId: 5 },
      ['served fields: 1 instead of 3'],
    ],
    [
      'fields of a type that apps do not have',
      { ...ITEM, fields: ['1', '2', '3'].map(named), lastFieldId: 5 },
      {
        ...{ ...ITEM, lastFieldId: 5 },
        fields: [
          named('1'),
          { ...named('2'), fieldType: 'note' },
          { ...named('3'), fieldType: '' },
        ],
      },
      ['problems: 2 instead of 0', 'served fields: 1 instead of 3'],
    ],
    [
      'other App-Ids',
      { ...ITEM, appIds: ['key', 'second'] },
      { ...ITEM, appIds: ['other'] },
      ['the client has none of its App-Ids any more'],
    ],
    [
      'one app client more',
      separate,
      { ...separate, userPoolClientIds: ['app', 'foreign'] },
      ['the client accepts the tokens of another app client'],
    ],
    [
      'another app client',
      separate,
      { ...separate, userPoolClientIds: ['foreign'] },
      ['the client accepts the tokens of another app client'],
    ],
    ...(
      [
        ['an empty fieldName', { fieldName: '' }],
        ['appUIs without an entry', { appUIs: [] }],
        ['a UI that apps do not have', { appUIs: ['registration'] }],
        ['placeholderText', { subFieldA: { ...text().subFieldA, placeholderText: 'x' } }],
      ] as const
    ).map(([slip, attributes]): [string, object, object, string[]] => [
      slip,
      { ...ITEM, fields: [text()], lastFieldId: 5 },
      { ...ITEM, fields: [{ ...text(), ...attributes }], lastFieldId: 5 },
      [expect.stringMatching(/^problems: [12] instead of 0$/)],
    ]),
  ])('%s', async (_, before, after, harm) => {
    const recorded = await record(change(newClient(), 1, before, after));
    expect(recorded).toMatchObject({ harm, version: { source: 'outside' } });
  });

  test('and not if it is as good or as bad as before', async () => {
    const broken = { ...ITEM, feilds: [] };
    expect(await record(change(newClient(), 1, broken, ITEM))).toMatchObject({ harm: [] });
    const otherwise = await record(change(newClient(), 1, broken, { ...broken, lastFieldId: 1 }));
    expect(otherwise).toMatchObject({ harm: [], version: { problems: 1 } });
  });

  test('and not if it gets its first App-Id', async () => {
    const locked = { ...ITEM, appIds: undefined };
    expect(await record(change(newClient(), 1, locked, ITEM))).toMatchObject({ harm: [] });
  });

  test('and not if half of what it had is left', async () => {
    const whole = {
      ...{ ...ITEM, fields: ['1', '2'].map(named), lastFieldId: 5 },
      ...{ appIds: ['key', 'second'], userPoolClientIds: ['app', 'web'] },
    };
    const half = {
      ...whole,
      ...{ fields: [named('2')], appIds: ['second', 'third'], userPoolClientIds: ['web'] },
    };
    expect(await record(change(newClient(), 1, whole, half))).toMatchObject({ harm: [] });
  });
});

function named(id: string) {
  return { ...text(), id, fieldName: `Field ${id}` };
}

function text() {
  return {
    ...{ id: '5', fieldType: 'text', fieldName: 'Hobby', mandatory: false },
    ...{ appUIs: ['profile'], allowMultiple: false },
    subFieldA: {
      ...{ subType: 'text', allowCopies: true, alpha: true, numbers: true, symbols: true },
      maxChars: 9,
    },
  };
}

/* Any edits, and a stream that delivers records twice, late, and again after calls that failed or whose answers were lost. */
describe('for any edits of a client, the history has one version per change', () => {
  /** What somebody stores, or `undefined` for a deletion. Few values, so that the same ones come back. */
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
    /** How many records back the stream delivers again first. */
    again: fc.array(fc.nat(5), { maxLength: 2 }),
    /** The DynamoDB call that fails, and whether it was executed. */
    failure: fc.option(fc.record({ call: fc.nat(2), isDone: fc.boolean() })),
  });

  test('however often and late the stream delivers them', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(image, delivery), { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        async (edits, isOlderThanHistory) => {
          const clientId = newClient();
          const images = edits.map(([item]) => item);
          const changes = images.flatMap((after, index) => {
            const before = images[index - 1] ?? undefined;
            const isWrite = sameState(before, after) ? before !== after : true;
            return isWrite ? [change(clientId, 97 + index, before, after)] : [];
          });
          // Records of the time before the function existed are never delivered.
          const delivered = isOlderThanHistory ? changes.slice(1) : changes;
          for (const [index, one] of delivered.entries()) {
            const { again, failure } = edits[index]?.[1] ?? { again: [], failure: null };
            for (const back of again) {
              const earlier = delivered[index - 1 - back];
              if (earlier) await record(earlier);
            }
            if (failure) await record(one, failingAt(failure)).catch(() => {});
            await record(one);
          }
          const [first] = delivered;
          const expected = [
            ...(first?.before ? [first.before] : []),
            ...delivered.filter((one) => !sameRaw(one.before, one.after)).map(({ after }) => after),
          ];
          const history = await historyOf(table, clientId);
          expect(history.map(({ version }) => version)).toEqual(
            expected.map((_, index) => index + 1),
          );
          expect(history.map(summaryOf)).toEqual(expected.map(summaryOfRaw));
        },
      ),
      { numRuns: 25 },
    );
  });

  const summaryOf = ({ content, keys, isDeleted }: ConfigVersion) =>
    isDeleted ? 'deleted' : [content.lastFieldId?.N, keys.appIds.length].join();
  const summaryOfRaw = (item: RawItem | undefined) =>
    item ? [item.lastFieldId?.N, item.appIds?.SS?.length].join() : 'deleted';
  const sameRaw = (one: RawItem | undefined, other: RawItem | undefined) =>
    summaryOfRaw(one) === summaryOfRaw(other);
  const sameState = (one: object | undefined, other: object | undefined) =>
    JSON.stringify(one) === JSON.stringify(other);

  /** The table, with an SDK client of which one call fails, before or after it is executed. */
  function failingAt({
    call,
    isDone,
  }: {
    readonly call: number;
    readonly isDone: boolean;
  }): VersionsTable {
    let calls = 0;
    const send = async (...args: Parameters<DynamoDBClient['send']>) => {
      const isFailing = calls++ === call;
      if (isFailing && !isDone) throw new Error('The call failed.');
      const answer = await dynamodb.send(...args);
      if (isFailing) throw new Error('The answer was lost.');
      return answer;
    };
    return { ...table, dynamodb: { send } as unknown as DynamoDBClient };
  }
});

describe('a change of a client whose last change is missing in the history', () => {
  const [lost, edited] = [
    { ...ITEM, lastFieldId: 1 },
    { ...ITEM, lastFieldId: 2 },
  ];

  /** The table, with an SDK client whose writes fail from the one with this number on. */
  function withoutWrites(from: number): VersionsTable {
    let writes = 0;
    const send = async (...args: Parameters<DynamoDBClient['send']>) => {
      if (args[0] instanceof PutItemCommand && ++writes >= from) throw new Error('It is down.');
      return dynamodb.send(...args);
    };
    return { ...table, dynamodb: { send } as unknown as DynamoDBClient };
  }

  test('is recorded after what was edited outside since the last publication', async () => {
    const clientId = newClient();
    const published = { ...ITEM, lastChange: { ...ANN, creates: clientId } };
    const [missing, last] = [lost, edited].map((item) => ({ ...published, ...item }));
    await record(change(clientId, 1, undefined, published));
    const one = change(clientId, 3, missing, last);
    await record(one);
    expect(await historyOf(table, clientId)).toMatchObject([
      { version: 1, source: 'published' },
      { version: 2, source: 'outside', at: one.at, content: { lastFieldId: { N: '1' } } },
      { version: 3, source: 'outside', at: one.at, content: { lastFieldId: { N: '2' } } },
    ]);
  });

  test('is not recorded if what was before it cannot be', async () => {
    const clientId = newClient();
    await record(change(clientId, 1, undefined, ITEM));
    const late = change(clientId, 3, lost, edited);
    await expect(record(late, withoutWrites(1))).rejects.toThrow(UnavailableError);
    expect(await historyOf(table, clientId)).toHaveLength(1);
  });

  test('stays before it if the call fails in between and earlier records arrive again', async () => {
    const clientId = newClient();
    const first = change(clientId, 1, undefined, ITEM);
    await record(first);
    const late = change(clientId, 3, lost, edited);
    await expect(record(late, withoutWrites(2))).rejects.toThrow(UnavailableError);
    expect(await record(first)).toBeUndefined();
    await record(late);
    const history = await historyOf(table, clientId);
    expect(history.map(({ content }) => content.lastFieldId?.N)).toEqual(['0', '1', '2']);
  });
});

test('each DynamoDB call ends when the signal says so', async () => {
  const clientId = newClient();
  const { signal: abortSignal } = new AbortController();
  const signals: unknown[] = [];
  const send = async (...args: Parameters<DynamoDBClient['send']>) => {
    signals.push((args as unknown[])[1]);
    return dynamodb.send(...args);
  };
  const watched = { ...table, dynamodb: { send } as unknown as DynamoDBClient };
  // What was before is too large to be recorded, so it is written twice.
  const large = { ...ITEM, notes: [], fields: [{ text: 'x'.repeat(400 * 1024) }] };
  const recorded = await recordChange(watched, change(clientId, 1, large, ITEM), {
    ...{ requiresUserPoolClientIds: false, abortSignal },
  });
  expect(recorded?.version.version).toBe(2);
  expect(signals).toEqual(Array.from({ length: 5 }, () => ({ abortSignal })));
});

test('a harm is reported again if the answer to the first report may be lost', async () => {
  const clientId = newClient();
  await record(change(clientId, 1, undefined, ITEM));
  const slip = change(clientId, 2, ITEM, { ...ITEM, appIds: 'key,other' });
  // DynamoDB stores the version, the SDK gets no answer, and its second call is refused.
  const send = async (...args: Parameters<DynamoDBClient['send']>) => {
    const answer = await dynamodb.send(...args);
    return args[0] instanceof PutItemCommand ? dynamodb.send(...args) : answer;
  };
  const losing = { ...table, dynamodb: { send } as unknown as DynamoDBClient };
  const harm = ['problems: 1 instead of 0', 'the client admits nobody'];
  expect(await record(slip, losing)).toMatchObject({ harm, version: { version: 2 }, isNew: true });
  expect(await record(slip)).toMatchObject({ harm, version: { version: 2 }, isNew: false });
  expect(await historyOf(table, clientId)).toHaveLength(2);
});

test('invocations that record the same changes at the same time make one version of each and report all', async () => {
  const clientId = newClient();
  const items = Array.from({ length: 6 }, (_, index) => ({ ...ITEM, lastFieldId: index }));
  const changes = items.map((item, index) => change(clientId, index + 1, items[index - 1], item));
  const reported = new Set<number>();
  const run = async () => {
    for (const one of changes) {
      const recorded = await record(one);
      if (recorded) reported.add(recorded.version.version);
    }
  };
  await Promise.all([run(), run(), run()]);
  expect([...reported].toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  const history = await historyOf(table, clientId);
  expect(history.map(({ content }) => content.lastFieldId?.N)).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
  ]);
});
