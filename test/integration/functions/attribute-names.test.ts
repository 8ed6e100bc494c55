import type { Server } from 'node:http';
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { getConfig } from '../../../functions/get-config/operation.ts';
import { createJwksServer } from '../../../local/cognito/issuer.ts';
import { close, listen } from '../../../local/listen.ts';
import { startAws } from '../../support/aws.ts';
import { startFunction, stubEnvironment, testIssuer } from '../../support/started-function.ts';

/*
 * What the API reads of items whose attributes have names that mean something to JavaScript, and
 * what the history records of them. The embedded DynamoDB loses `__proto__`.
 */

type Item = Readonly<Record<string, unknown>>;
type Recorder = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>;

let dynamodb: Awaited<ReturnType<typeof startAws>>;
let keySet: Server;
let callGetConfig: Awaited<ReturnType<typeof startFunction>>;
let record: Recorder;

beforeAll(async () => {
  const issuer = testIssuer();
  dynamodb = await startAws();
  keySet = createJwksServer(issuer);
  stubEnvironment(issuer, await listen(keySet), dynamodb.endpoint);
  dynamodb.answer({ GetItem: {} });
  callGetConfig = await startFunction(getConfig, issuer);
  ({ handler: record } = await import(
    '../../../functions/record-configuration-versions/handler.ts'
  ));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await close(keySet);
  await dynamodb.stop();
});

/** What getConfig answers for an item, which is given as JSON, and the version that is recorded. */
async function readBoth(json: string) {
  dynamodb.answer({
    GetItem: () => ({ Item: JSON.parse(json) }),
    Query: { Items: [] },
    PutItem: {},
  });
  const { statusCode, data, warnings } = await callGetConfig();
  const Records: DynamoDBStreamEvent['Records'] = [
    {
      eventID: 'event',
      eventSourceARN: 'stream',
      dynamodb: {
        Keys: { clientId: { S: 'demo' } },
        NewImage: JSON.parse(json),
        SequenceNumber: '1',
        ApproximateCreationDateTime: 1_763_700_000,
      },
    },
  ];
  const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
  expect(await record({ Records }, context)).toEqual({ batchItemFailures: [] });
  const [{ Item: version } = {}] = dynamodb.inputsOf('PutItem');
  return { statusCode, data, warnings, version: version as Item };
}

const FIELD = {
  id: { S: '1' },
  fieldType: { S: 'drop' },
  fieldName: { S: 'Car' },
  mandatory: { BOOL: true },
  appUIs: { L: [{ S: 'profile' }] },
  allowMultiple: { BOOL: false },
  subFieldA: {
    M: {
      subType: { S: 'drop' },
      allowCopies: { BOOL: true },
      optionsArray: { L: [{ M: { value: { S: 'v' }, display: { S: 'Volvo' } } }] },
    },
  },
};

/** An item as JSON, with further attributes in the maps that are named. */
const itemWith = (more: { item?: string; field?: string; input?: string; option?: string }) =>
  JSON.stringify({
    clientId: { S: 'demo' },
    appIds: { SS: ['demo-app-key'] },
    lastFieldId: { N: '1' },
    fields: { L: [{ M: FIELD }] },
  })
    .replace(/^\{/, `{${more.item ?? ''}`)
    .replace('{"id"', `{${more.field ?? ''}"id"`)
    .replace('{"subType"', `{${more.input ?? ''}"subType"`)
    .replace('{"value"', `{${more.option ?? ''}"value"`);

test.each(['__proto__', 'constructor'])(
  'what is stored under %s of an item is none of its keys',
  async (name) => {
    const { statusCode, version } = await readBoth(
      itemWith({ item: `"${name}":{"M":{"userPoolClientIds":{"SS":["another"]}}},` }),
    );
    expect(statusCode).toBe(200);
    expect(version).toMatchObject({ problems: { N: '1' } });
    expect(version.keys).toEqual({ M: { appIds: { L: [{ S: expect.any(String) }] } } });
  },
);

test.each(
  ['__proto__', 'constructor', 'toString'].flatMap((name) =>
    [
      '{"M":{"id":{"S":"2"}}}',
      '{"B":"AQI="}',
      '{"L":[]}',
      '{"SS":["x"]}',
      '{"NULL":true}',
      '{"S":"x"}',
    ].map((value) => [name, value]),
  ),
)('a field with %s: %s at any depth is served, and recorded as it is', async (name, value) => {
  const more = `"${name}":${value},`;
  const plain = await readBoth(itemWith({}));
  const json = itemWith({ field: more, input: more, option: more });
  const { data, warnings, version } = await readBoth(json);
  expect(data).toEqual(plain.data);
  expect(data.fields).toHaveLength(1);
  expect(warnings).toEqual([]);
  // An unknown attribute in each of the three maps.
  expect([plain.version.problems, version.problems]).toEqual([{ N: '0' }, { N: '3' }]);
  expect(JSON.stringify(version.fields)).toBe(JSON.stringify(JSON.parse(json).fields));
});
