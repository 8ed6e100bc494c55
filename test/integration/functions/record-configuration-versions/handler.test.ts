import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
} from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { contentDigest } from '../../../../core/configuration/content-digest.ts';
import { newestVersion } from '../../../../core/configuration/versions-table.ts';
import { logger } from '../../../../core/platform/logger.ts';
import { clientAttributes } from '../../../support/attribute-values.ts';
import { historyOf } from '../../../support/history.ts';
import { stubEnvironment, testIssuer } from '../../../support/started-function.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

/* What the function logs of the records that a stream delivers to it. */

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
  id: '1',
  fieldType: 'text',
  mandatory: true,
  fieldName: 'Car',
  appUIs: ['register'],
  allowMultiple: false,
  subFieldA: {
    subType: 'text',
    allowCopies: true,
    alpha: true,
    numbers: true,
    symbols: true,
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

/** Delivers records, none of which fails. Returns what is logged. */
async function deliver(...delivered: DynamoDBRecord[]): Promise<unknown[][]> {
  const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
  expect(await handler({ Records: delivered }, context)).toEqual({ batchItemFailures: [] });
  return log.mock.calls;
}

test('a broken configuration is logged once per version, however often its record is delivered', async () => {
  const first = recordOf('pizza', { fields: [{ ...GOOD, fieldType: 'date' }] });
  const second = recordOf('pizza', { fields: [GOOD, 7], lastFieldId: 'x' });
  await deliver(first);
  await deliver(first, second);
  await deliver(first, second);
  expect(log.mock.calls).toEqual([
    [
      'Configuration to correct',
      {
        clientId: 'pizza',
        version: 1,
        errors: 1,
        findings: ['fields[0].fieldType: must be "text" or "drop" or "combo", not "date".'],
      },
    ],
    [
      'Configuration to correct',
      {
        clientId: 'pizza',
        version: 2,
        errors: 2,
        findings: [
          'fields[1]: must be a map.',
          'lastFieldId: is not an integer; it is the highest id that a field ever had.',
        ],
      },
    ],
  ]);
});

test('a client that admits nobody is logged without its keys', async () => {
  const [line] = await deliver(recordOf('locked', { fields: [], appIds: 'one-key,another-key' }));
  expect(line).toEqual([
    'Configuration to correct',
    expect.objectContaining({ clientId: 'locked', errors: 1 }),
  ]);
  expect(JSON.stringify(line)).not.toMatch(/one-key|another-key/);
});

test('a configuration without errors is not logged, with or without warnings', async () => {
  expect(await deliver(recordOf('whole', { fields: [GOOD] }))).toEqual([]);
  expect(await deliver(recordOf('advised', { fields: [GOOD], lastFieldId: 0 }))).toEqual([]);
});

test('of thousands of errors and of long values, the line has the beginning', async () => {
  const fields = [{ ...GOOD, fieldType: 'x'.repeat(100_000) }, ...Array(3000).fill('not a field')];
  const [[, line] = []] = await deliver(recordOf('hopeless', { fields }));
  const { errors, findings } = line as { errors: number; findings: string[] };
  expect(errors).toBe(3001);
  expect(findings).toHaveLength(20);
  expect(findings[0]).toMatch(/^fields\[0\]\.fieldType: must be .*x…$/);
  expect(findings[0]).toHaveLength(301);
  expect(JSON.stringify(line).length).toBeLessThan(10_000);
});

test('a version without its content is logged once', async () => {
  const large = recordOf('large', { fields: ['x'.repeat(400 * 1024 - 100)] });
  await deliver(large);
  await deliver(large);
  const lines = log.mock.calls.filter(([message]) => message !== 'Configuration to correct');
  expect(lines).toEqual([
    ['A change of a client is recorded without its content', { clientId: 'large', version: 1 }],
  ]);
});

test('of a batch that fails halfway, the rest is delivered again, and each change has one version', async () => {
  const batch = ['one', 'two', 'three'].map((clientId) =>
    recordOf(`halfway-${clientId}`, { fields: [GOOD] }),
  );
  const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
  const { send } = DynamoDBClient.prototype;
  const failing = vi.spyOn(DynamoDBClient.prototype, 'send').mockImplementation(function (
    this: DynamoDBClient,
    ...call: unknown[]
  ) {
    if (JSON.stringify(call[0]).includes('halfway-two')) throw new Error('The table is down.');
    return Reflect.apply(send, this, call);
  });
  const [, second, third] = batch;
  const reported = await handler({ Records: batch }, context);
  failing.mockRestore();
  expect(reported).toEqual({
    batchItemFailures: [{ itemIdentifier: second?.dynamodb?.SequenceNumber }],
  });
  const versions = async () =>
    Promise.all(
      batch.map(async ({ dynamodb }) => {
        const history = await historyOf(tables.configurations, dynamodb?.Keys?.clientId?.S ?? '');
        return history.map(({ version }) => version);
      }),
    );
  expect(await versions()).toEqual([[1], [], []]);

  const again = [second, third].flatMap((record) => record ?? []);
  expect(await handler({ Records: again }, context)).toEqual({ batchItemFailures: [] });
  expect(await handler({ Records: batch }, context)).toEqual({ batchItemFailures: [] });
  expect(await versions()).toEqual([[1], [1], [1]]);
});

describe('a change that nobody can record', () => {
  /** A record that is none of a stream: an attribute has no value. */
  const unreadable = (clientId: string) => {
    const record = recordOf(clientId, { fields: [GOOD] });
    Object.assign(record.dynamodb?.NewImage ?? {}, { fields: null });
    return record;
  };

  test('is skipped and logged, and the others of its batch are recorded', async () => {
    const [one, other] = ['before-skipped', 'after-skipped'].map((clientId) =>
      recordOf(clientId, { fields: [GOOD] }),
    );
    const skipped = unreadable('skipped');
    const batch = [one, skipped, other].flatMap((record) => record ?? []);
    expect(await deliver(...batch)).toEqual([
      [
        'A change of a client cannot be recorded',
        { clientId: 'skipped', eventId: skipped.eventID, error: expect.any(TypeError) },
      ],
    ]);
    const lengths = ['before-skipped', 'skipped', 'after-skipped'].map(
      async (clientId) => (await historyOf(tables.configurations, clientId)).length,
    );
    expect(await Promise.all(lengths)).toEqual([1, 0, 1]);
  });

  test('is in the history once the client is changed again', async () => {
    await deliver(unreadable('mended'));
    const image = (lastFieldId: number) =>
      marshall({ appIds: ['a-key'], fields: [GOOD], lastFieldId });
    await deliver(recordOfImages('mended', { OldImage: image(1), NewImage: image(2) }));
    const history = await historyOf(tables.configurations, 'mended');
    expect(history.map(({ content }) => content.lastFieldId)).toEqual([{ N: '1' }, { N: '2' }]);
  });
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
