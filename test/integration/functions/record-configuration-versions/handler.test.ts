import { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
} from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { contentDigest } from '../../../../core/history/content-digest.ts';
import { newestVersion } from '../../../../core/history/versions-table.ts';
import { logger } from '../../../../core/runtime/logger.ts';
import { clientAttributes } from '../../../support/attribute-values.ts';
import { historyOf } from '../../../support/history.ts';
import { stubEnvironment, testIssuer } from '../../../support/started-function.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

/* What the function makes of the records that a stream delivers to it, and what it logs of them. */

type Handler = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>;

let tables: Tables;
let handler: Handler;

beforeAll(async () => {
  tables = await startTables();
  stubEnvironment(testIssuer(), '', tables.endpoint);
  vi.stubEnv('CONFIG_VERSIONS_TABLE_NAME', tables.configurations.tableName);
  vi.spyOn(console, 'log').mockReturnValue();
  ({ handler } = await import('../../../../functions/record-configuration-versions/handler.ts'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await tables.stop();
});

const log = vi.spyOn(logger, 'error').mockReturnValue();
vi.spyOn(logger, 'warn').mockReturnValue();
afterEach(() => log.mockClear());

/** Shortly before the first record. */
const AT = Date.parse('2026-11-21T09:00:00.000Z');

const GOOD = {
  ...{ id: '1', fieldType: 'text', mandatory: true, fieldName: 'Car', appUIs: ['register'] },
  allowMultiple: false,
  subFieldA: {
    ...{ subType: 'text', allowCopies: true, alpha: true, numbers: true, symbols: true },
    maxChars: 20,
  },
};

let records = 0;

/** The record of a change after which a client's item has these attributes. */
function recordOf(clientId: string, item: object): DynamoDBRecord {
  return recordOfImages(clientId, {
    NewImage: marshall({ appIds: ['a-key'], lastFieldId: 1, ...item }),
  });
}

/** The record of a change of a client's item. In an event, binary values are in base64. */
function recordOfImages(
  clientId: string,
  images: Partial<Record<'OldImage' | 'NewImage', object>>,
): DynamoDBRecord {
  const SequenceNumber = String(++records);
  const Keys = { clientId: { S: clientId } };
  const inEvent = Object.entries(images).map(([name, image]) => [
    name,
    JSON.parse(JSON.stringify({ ...image, ...Keys }, base64)),
  ]);
  return {
    eventID: `event-${SequenceNumber}`,
    eventSourceARN: 'arn:aws:dynamodb:us-east-1:000000000000:table/Configs/stream/1',
    dynamodb: {
      ...{ Keys, SequenceNumber, ...Object.fromEntries(inEvent) },
      ApproximateCreationDateTime: AT / 1000 + records,
    },
  };
}

function base64(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

const contextOf = (remainingMs: number) =>
  ({ getRemainingTimeInMillis: () => remainingMs }) as Context;

/** Delivers records, none of which fails. Returns what is logged. */
async function deliver(...delivered: DynamoDBRecord[]): Promise<unknown[][]> {
  expect(await handler({ Records: delivered }, contextOf(20_000))).toEqual({
    batchItemFailures: [],
  });
  return log.mock.calls;
}

const historyOfClient = (clientId: string) => historyOf(tables.configurations, clientId);

test('a broken configuration is logged once per version, however often its record is delivered', async () => {
  const first = recordOf('pizza', { fields: [{ ...GOOD, fieldType: 'date' }] });
  const second = recordOf('pizza', { fields: [GOOD, 7], lastFieldId: 'x' });
  for (const batch of [[first], [first, second], [first, second]]) await deliver(...batch);
  const lineOf = (version: number, ...findings: RegExp[]) => ({
    ...{ clientId: 'pizza', version, errors: findings.length },
    findings: findings.map((finding) => expect.stringMatching(finding)),
  });
  expect(log.mock.calls.map(([, line]) => line)).toEqual([
    lineOf(1, /^fields\[0\]\.fieldType\b/),
    lineOf(2, /^fields\[1\]/, /^lastFieldId: /),
  ]);
});

test('a configuration without errors is not logged, with or without warnings', async () => {
  expect(await deliver(recordOf('whole', { fields: [GOOD] }))).toEqual([]);
  expect(await deliver(recordOf('advised', { fields: [GOOD], lastFieldId: 0 }))).toEqual([]);
});

test('of thousands of errors and of long values, the line has the beginning, and no key', async () => {
  const fields = [{ ...GOOD, fieldType: 'x'.repeat(100_000) }, ...Array(3000).fill('not a field')];
  const [[, line] = []] = await deliver(
    recordOf('hopeless', { fields, appIds: 'one-key,other-key' }),
  );
  const { findings, ...others } = line as { findings: string[] };
  expect(others).toEqual({ clientId: 'hopeless', version: 1, errors: 3002 });
  expect(findings).toHaveLength(20);
  for (const finding of findings) expect(finding.length).toBeLessThanOrEqual(301);
  expect(JSON.stringify(line)).not.toMatch(/one-key|other-key/);
});

test('a version without its content is logged once', async () => {
  const large = recordOf('large', { fields: ['x'.repeat(400 * 1024 - 100)] });
  await deliver(large);
  await deliver(large);
  const lines = log.mock.calls.filter(([, line]) => !('findings' in line));
  expect(lines).toEqual([[expect.any(String), { clientId: 'large', version: 1 }]]);
});

test('binary values, which records have in base64, are bytes in the history, at any depth', async () => {
  const deep = {
    one: { B: Uint8Array.of(0, 255) },
    more: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
  };
  const fields = { L: [{ M: deep }, { M: { empty: { B: Uint8Array.of() } } }] };
  const record = recordOfImages('binary', { NewImage: { fields } });
  await deliver(record);
  const [version] = await historyOfClient('binary');
  expect(version?.content.fields).toEqual(fields);
  const at = new Date((record.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
  expect(version).toMatchObject({ at, source: 'outside' });
});

/** A record that is none of a stream: an attribute has no value. */
function unreadable(clientId: string): DynamoDBRecord {
  const record = recordOf(clientId, { fields: [GOOD] });
  Object.assign(record.dynamodb?.NewImage ?? {}, { fields: null });
  return record;
}

test('a change that nobody can read is skipped and logged, and the others of its batch are recorded', async () => {
  const [one, other] = ['before', 'after'].map((clientId) =>
    recordOf(clientId, { fields: [GOOD] }),
  );
  const skipped = unreadable('skipped');
  const batch = [one, skipped, other].flatMap((record) => record ?? []);
  const details = { clientId: 'skipped', eventId: skipped.eventID, error: expect.any(TypeError) };
  expect(await deliver(...batch)).toEqual([[expect.any(String), details]]);
  const histories = await Promise.all(['before', 'skipped', 'after'].map(historyOfClient));
  expect(histories.map(({ length }) => length)).toEqual([1, 0, 1]);
});

/** An error of DynamoDB, which refuses a call. */
const refusal = (name: string) =>
  new DynamoDBServiceException({ name, $fault: 'client', $metadata: { httpStatusCode: 400 } });

test.each<[why: string, error: Error | undefined, remainingMs: number, recorded: number[][]]>([
  ['the table is down', new Error('down'), 20_000, [[1], [], []]],
  ['the function lacks a permission', refusal('AccessDeniedException'), 20_000, [[1], [], []]],
  ['there is no table', refusal('ResourceNotFoundException'), 20_000, [[1], [], []]],
  ['DynamoDB refuses it', refusal('ValidationException'), 20_000, [[1], [], [1]]],
  ['DynamoDB cannot parse it', refusal('SerializationException'), 20_000, [[1], [], [1]]],
  // A second is left for the response.
  ['there is no time', undefined, 1000, [[], [], []]],
])(
  'of a batch with a change that is not recorded because %s, none is lost or recorded twice',
  async (...row) => {
    const [why, error, remainingMs, recorded] = row;
    const ids = ['one', 'two', 'three'].map((id) => `${why} ${id}`);
    const batch = ids.map((id) => recordOf(id, { fields: [GOOD] }));
    const { send } = DynamoDBClient.prototype;
    const failing = vi.spyOn(DynamoDBClient.prototype, 'send').mockImplementation(function (
      this: DynamoDBClient,
      ...call: unknown[]
    ) {
      if (error && JSON.stringify(call[0]).includes(`${why} two`)) return Promise.reject(error);
      return Reflect.apply(send, this, call);
    });
    const failed = await handler({ Records: batch }, contextOf(remainingMs));
    failing.mockRestore();
    const versions = async () => {
      const histories = await Promise.all(ids.map(historyOfClient));
      return histories.map((history) => history.map(({ version }) => version));
    };
    expect(await versions()).toEqual(recorded);
    const first = recorded.findIndex(({ length }) => length === 0);
    const details = { clientId: ids[first], eventId: batch[first]?.eventID };
    expect(log.mock.calls).toEqual([
      [expect.any(String), { ...details, error: expect.any(Error) }],
    ]);
    // It is delivered again with those after it, unless it would fail each time and the others wait
    // behind it for ever.
    const itemIdentifier = batch[first]?.dynamodb?.SequenceNumber;
    const isSkipped = recorded[2]?.length === 1;
    expect(failed).toEqual({ batchItemFailures: isSkipped ? [] : [{ itemIdentifier }] });
    for (const again of [batch.slice(first), batch]) await deliver(...again);
    expect(await versions()).toEqual([[1], [1], [1]]);
  },
);

test('a client whose change was skipped is in the history once it is changed again', async () => {
  await deliver(unreadable('mended'));
  const image = (lastFieldId: number) =>
    marshall({ appIds: ['a-key'], fields: [GOOD], lastFieldId });
  await deliver(recordOfImages('mended', { OldImage: image(1), NewImage: image(2) }));
  const history = await historyOfClient('mended');
  expect(history.map(({ content }) => content.lastFieldId)).toEqual([{ N: '1' }, { N: '2' }]);
});

test.each([
  ...['1E+20', '1E+125', '99999999999999999999999999999999999999', '9007199254740992'],
  ...['0.5', '-1', '0'],
])('restores: %s is no version, so the change has no author', async (N) => {
  const clientId = `restores ${N}`;
  const at = new Date(AT).toISOString();
  const lastChange = { id: '1', by: 'ann', at, message: 'Undo', creates: clientId };
  const image = marshall({ appIds: ['a-key'], fields: [], lastFieldId: 0, lastChange });
  const damaged = { M: { ...image.lastChange?.M, restores: { N } } };
  await deliver(recordOfImages(clientId, { NewImage: { ...image, lastChange: damaged } }));
  const [version] = await historyOf(tables.configurations, clientId);
  expect([version?.source, version?.restores]).toEqual(['outside', undefined]);
});

test('whatever an item has, its change is recorded unless DynamoDB refuses it, and those of others are recorded', async () => {
  let runs = 0;
  const image = fc.option(clientAttributes, { nil: undefined });
  await fc.assert(
    fc.asyncProperty(image, clientAttributes, async (OldImage, NewImage) => {
      log.mockClear();
      const run = ++runs;
      const [one, any, other] = ['one', 'any', 'other'].map((name) => `${name} ${run}`) as [
        ...[string, string, string],
      ];
      const record = recordOfImages(any, { ...(OldImage && { OldImage }), NewImage });
      const lines = await deliver(
        recordOf(one, { fields: [GOOD] }),
        record,
        recordOf(other, { fields: [GOOD] }),
      );
      const newest = async (clientId: string) =>
        (await newestVersion(tables.configurations, clientId))?.digest;
      const good = contentDigest(marshall({ fields: [GOOD], lastFieldId: 1 }));
      expect([await newest(one), await newest(other)]).toEqual([good, good]);
      const [skipped] = lines.filter(([, values]) => Object(values).eventId === record.eventID);
      if (skipped) expect(skipped[1]).toMatchObject({ error: { name: 'ValidationException' } });
      else expect(await newest(any)).toBe(contentDigest(NewImage));
    }),
    { numRuns: 100 },
  );
});
