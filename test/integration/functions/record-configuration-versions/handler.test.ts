import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
} from 'aws-lambda';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { logger } from '../../../../core/platform/logger.ts';
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
  const sequenceNumber = String(++records);
  const image = { clientId, appIds: ['a-key'], lastFieldId: 1, ...item };
  return {
    eventID: `event-${sequenceNumber}`,
    eventSourceARN: 'arn:aws:dynamodb:us-east-1:000000000000:table/Configs/stream/1',
    dynamodb: {
      Keys: { clientId: { S: clientId } },
      NewImage: marshall(image) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'],
      SequenceNumber: sequenceNumber,
      ApproximateCreationDateTime: 1_763_700_000 + records,
    },
  } as DynamoDBRecord;
}

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
