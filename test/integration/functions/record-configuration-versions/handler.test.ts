import { marshall } from '@aws-sdk/util-dynamodb';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
} from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { contentDigest } from '../../../../core/clients/content-digest.ts';
import { newestVersion } from '../../../../core/history/versions-table.ts';
import { logger } from '../../../../core/runtime/logger.ts';
import { eventDeviations } from '../../../../openapi/validation.ts';
import { clientAttributes } from '../../../support/attribute-values.ts';
import {
  type Answer,
  type Answers,
  type Input,
  NO_RESPONSE,
  startAws,
} from '../../../support/aws.ts';
import { busEvent } from '../../../support/bus-event.ts';
import { PIZZA } from '../../../support/configurations.ts';
import { historyOf } from '../../../support/history.ts';
import { runs } from '../../../support/runs.ts';
import { stubEnvironment, testIssuer } from '../../../support/started-function.ts';
import { startTables } from '../../../support/tables.ts';

/* What the function makes of the records that a stream delivers to it, and what it logs of them. */

type Handler = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>;

const tables = await startTables();
const aws = await startAws({ DynamoDB: tables.server });
const PUBLISHED = { Entries: [{ EventId: '1' }], FailedEntryCount: 0 };
/** Answers calls of the bus, unless a test says how, and some others. Forgets the calls. */
const answer = (answers: Answers = {}) => aws.answer({ PutEvents: PUBLISHED, ...answers });
answer();
stubEnvironment(testIssuer(), '', aws.endpoint);
vi.stubEnv('CONFIG_VERSIONS_TABLE_NAME', tables.configurations.versionsTableName);
vi.spyOn(console, 'log').mockReturnValue();
const { handler }: { handler: Handler } = await import(
  '../../../../functions/record-configuration-versions/handler.ts'
);
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
  await tables.stop();
});

const log = vi.spyOn(logger, 'error').mockReturnValue();
vi.spyOn(logger, 'warn').mockReturnValue();
afterEach(() => {
  log.mockClear();
  answer();
});

/** Shortly before the first record. */
const AT = Date.parse('2026-11-21T09:00:00.000Z');

const [, GOOD] = parse(PIZZA).fields;

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
      Keys,
      SequenceNumber,
      ...Object.fromEntries(inEvent),
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

/** An entry of the bus, as a rule passes it to its target. */
const eventOf = ({ Source, DetailType, Detail, Time }: Input) =>
  busEvent({
    source: String(Source),
    detailType: String(DetailType),
    time: new Date(Number(Time) * 1000).toISOString(),
    detail: JSON.parse(String(Detail)),
  });

/** The events that were sent to the bus. */
const news = () =>
  aws.inputsOf('PutEvents').flatMap(({ Entries }) => (Entries as Input[]).map(eventOf));

/** The dead letters that the queue was sent. */
const letters = () =>
  aws.inputsOf('SendMessage').map(({ MessageBody }) => JSON.parse(String(MessageBody)));

test('a broken configuration is logged once per version, however often its record is delivered', async () => {
  const first = recordOf('pizza', { fields: [{ ...GOOD, fieldType: 'date' }] });
  const second = recordOf('pizza', { fields: [GOOD, 7], lastFieldId: 'x' });
  const good = recordOf('whole', { fields: [GOOD], lastFieldId: 0 });
  for (const batch of [
    [good, first],
    [first, second],
    [first, second],
  ])
    await deliver(...batch);
  const lineOf = (version: number, ...findings: RegExp[]) => ({
    clientId: 'pizza',
    version,
    errors: findings.length,
    findings: findings.map((finding) => expect.stringMatching(finding)),
  });
  expect(log.mock.calls.map(([, line]) => line)).toEqual([
    lineOf(1, /^fields\[0\]\.fieldType\b/),
    lineOf(2, /^fields\[1\]/, /^lastFieldId: /),
  ]);
});

test('of thousands of errors and of long values, the line has the beginning, and no key', async () => {
  const fields = [{ ...GOOD, fieldType: 'x'.repeat(100_000) }, ...Array(3000).fill('not a field')];
  const [[, line] = []] = await deliver(
    recordOf('hopeless', { fields, appIds: 'one-key,other-key' }),
  );
  const { findings, ...others } = line as { findings: string[] };
  // A thousand of 3,001 wrong fields are listed, and the others counted in one more.
  expect(others).toEqual({ clientId: 'hopeless', version: 1, errors: 1002 });
  expect(findings).toHaveLength(20);
  for (const finding of findings) expect(finding.length).toBeLessThanOrEqual(301);
  expect(JSON.stringify(line)).not.toMatch(/one-key|other-key/);
});

test('a version without its content is logged once', async () => {
  const large = recordOf('large', { fields: ['x'.repeat(400 * 1024 - 100)] });
  for (const _ of ['once', 'again']) await deliver(large);
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
  expect(version).toMatchObject({ at, source: 'manualEdit' });
});

test('a change that nobody can read is skipped and logged, and the others of its batch are recorded', async () => {
  const ids = ['before', 'skipped', 'after'];
  const batch = ids.map((clientId) => recordOf(clientId, { fields: [GOOD] }));
  // An attribute has no value, so it is no record of a stream.
  Object.assign(batch[1]?.dynamodb?.NewImage ?? {}, { fields: null });
  const eventId = batch[1]?.eventID;
  const details = { clientId: 'skipped', eventId, error: expect.any(TypeError) };
  expect(await deliver(...batch)).toEqual([[expect.any(String), details]]);
  const histories = await Promise.all(ids.map(historyOfClient));
  expect(histories.map(({ length }) => length)).toEqual([1, 0, 1]);
});

/** An error of DynamoDB, which refuses a call. */
const refusal = (__type: string) => ({ __type, message: 'No.' });

test.each<[why: string, failure: Answer, remainingMs: number, recorded: number[][]]>([
  ['the table is down', NO_RESPONSE, 20_000, [[1], [], []]],
  ['the function lacks a permission', refusal('AccessDeniedException'), 20_000, [[1], [], []]],
  ['there is no table', refusal('ResourceNotFoundException'), 20_000, [[1], [], []]],
  ['DynamoDB refuses it', refusal('ValidationException'), 20_000, [[1], [], [1]]],
  ['DynamoDB cannot parse it', refusal('SerializationException'), 20_000, [[1], [], [1]]],
  // A second is left for the response.
  ['there is no time', undefined, 1000, [[], [], []]],
])(
  'of a batch with a change that is not recorded because %s, none is lost or recorded twice',
  async (...row) => {
    const [why, failure, remainingMs, recorded] = row;
    const ids = ['one', 'two', 'three'].map((id) => `${why} ${id}`);
    const batch = ids.map((id) => recordOf(id, { fields: [GOOD] }));
    const isFailing = (input: Input) => failure && JSON.stringify(input).includes(`${why} two`);
    answer({ PutItem: (input, passOn) => (isFailing(input) ? failure : passOn()) });
    const failed = await handler({ Records: batch }, contextOf(remainingMs));
    answer();
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

test('whatever an item has, its change is recorded unless DynamoDB refuses it, and those of others are recorded', async () => {
  let run = 0;
  const image = fc.option(clientAttributes, { nil: undefined });
  const newest = async (clientId: string) =>
    (await newestVersion(tables.configurations, clientId))?.digest;
  const good = contentDigest(marshall({ fields: [GOOD], lastFieldId: 1 }));
  await fc.assert(
    fc.asyncProperty(image, clientAttributes, async (OldImage, NewImage) => {
      log.mockClear();
      answer();
      const [any, other] = [`any ${++run}`, `other ${run}`];
      const record = recordOfImages(any, { ...(OldImage && { OldImage }), NewImage });
      const lines = await deliver(record, recordOf(other, { fields: [GOOD] }));
      expect(await newest(other)).toBe(good);
      const [skipped] = lines.filter(([, values]) => Object(values).eventId === record.eventID);
      if (skipped) expect(skipped[1]).toMatchObject({ error: { name: 'ValidationException' } });
      else expect(await newest(any)).toBe(contentDigest(NewImage));
      expect(news().flatMap(eventDeviations)).toEqual([]);
    }),
    { numRuns: runs(60) },
  );
});

/** The records of the changes of as many clients. */
const changesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => recordOf(`${name} ${index}`, { fields: [GOOD] }));

test('news of a version is published once the version exists, and again if its record is delivered again', async () => {
  const recorded: unknown[] = [];
  answer({
    PutEvents: async ({ Entries }) => {
      const [entry] = Entries as Input[];
      const { clientId } = JSON.parse(String(entry?.Detail));
      recorded.push((await newestVersion(tables.configurations, clientId))?.version);
      return PUBLISHED;
    },
  });
  const changes = [recordOf('told', { fields: [GOOD] }), recordOf('told', { fields: [] })];
  await deliver(...changes);
  // The function may have died before it published the news of the last one.
  await deliver(...changes.slice(1));
  await deliver(...changes);
  expect(recorded).toEqual([1, 2, 2, 2]);
  expect(news().map(({ detail }) => detail.configurationVersion)).toEqual([1, 2, 2, 2]);
  expect(news().flatMap(eventDeviations)).toEqual([]);
});

test.each<[how: string, failure: Answer, mostCalls: number]>([
  // It takes all of the time that a bus gets which fails.
  ['does not answer', new Promise(() => {}) as never, 1],
  ['is not permitted', undefined, 25],
  ['refuses each event', { Entries: [{ ErrorCode: 'InvalidArgument' }] }, 25 * 3],
])(
  'a bus that %s makes dead letters of the news, and every change of a batch is recorded',
  async (...row) => {
    const [how, failure, mostCalls] = row;
    answer({ PutEvents: () => failure, SendMessage: { MessageId: '1' } });
    const batch = changesOf(how, 25);
    await deliver(...batch);
    const histories = await Promise.all(batch.map((_, at) => historyOfClient(`${how} ${at}`)));
    expect(histories.map(({ length }) => length)).toEqual(batch.map(() => 1));
    expect(letters()).toEqual(
      batch.map((_, at) => ({
        source: 'customer-data-api.configurations',
        detailType: 'configuration-changed',
        detail: expect.objectContaining({ clientId: `${how} ${at}`, configurationVersion: 1 }),
        time: histories[at]?.[0]?.at,
        reason: expect.any(String),
      })),
    );
    expect(aws.inputsOf('PutEvents').length).toBeLessThanOrEqual(mostCalls);
  },
);

test('a change whose news neither the bus nor the queue takes is delivered again, which writes no second version', async () => {
  const batch = changesOf('untold', 3);
  const isSecond = ({ Entries }: Input) => JSON.stringify(Entries).includes('untold 1');
  answer({ PutEvents: (input) => (isSecond(input) ? NO_RESPONSE : PUBLISHED) });
  const failed = await handler({ Records: batch }, contextOf(20_000));
  const itemIdentifier = batch[1]?.dynamodb?.SequenceNumber;
  expect(failed).toEqual({ batchItemFailures: [{ itemIdentifier }] });
  const versions = async () => {
    const all = await Promise.all(batch.map((_, at) => historyOfClient(`untold ${at}`)));
    return all.map((history) => history.map(({ version }) => version));
  };
  expect(await versions()).toEqual([[1], [1], []]);
  answer();
  await deliver(...batch.slice(1));
  expect(news().map(({ detail }) => detail.clientId)).toEqual(['untold 1', 'untold 2']);
  expect(await versions()).toEqual([[1], [1], [1]]);
});
