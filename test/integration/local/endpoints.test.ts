import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../support/service.ts';

/*
 * Whoever can reach an endpoint of the local server: pages in a browser on this machine, and
 * programs that send nonsense.
 */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const ENDPOINTS = [
  'ApiUrl',
  'DynamoDbEndpoint',
  'EventBridgeEndpoint',
  'SqsEndpoint',
  'JwksUri',
  'FaultEndpoint',
  'TokenEndpoint',
] as const;
type Endpoint = (typeof ENDPOINTS)[number];

/**
 * Sends a request with any headers, Host included. Without a body, one is announced that does not
 * arrive.
 */
async function send(
  endpoint: Endpoint,
  method: string,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
) {
  const outgoing = request(service.outputs[endpoint], { method, headers });
  outgoing.on('error', () => {});
  if (body === undefined) outgoing.setHeader('Content-Length', 9).write('{');
  else outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  const answer = { status: response.statusCode, headers: response.headers };
  if (body === undefined) outgoing.destroy();
  else await text(response);
  return answer;
}

const events = () => readFile(join(service.folder, 'events.jsonl'), 'utf8');

test('these are all endpoints, and the key set is public: it has no private key', async () => {
  const urls = Object.entries(service.outputs).filter(([, url]) => url.startsWith('http:'));
  expect(urls.map(([name]) => name)).toEqual(ENDPOINTS);
  const { keys } = JSON.parse(await (await fetch(service.outputs.JwksUri)).text());
  expect(keys.map(Object.keys)).toEqual([['kty', 'n', 'e', 'alg', 'use', 'kid']]);
});

test.each(['127.0.0.1', 'localhost', 'LocalHost:1', '10.0.2.2:3000'])(
  'a request to the host %s is for every endpoint',
  async (Host) => {
    for (const name of ENDPOINTS) {
      expect([name, (await send(name, 'POST', { Host }, '')).status]).not.toEqual([name, 403]);
    }
  },
);

// A page whose name changes to the address of this machine calls its own origin, without the header
// Origin.
test.each([
  ...['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example'],
  ...['evil.example:localhost', '0.0.0.0'],
])(
  'a request to the host %j is refused by every endpoint, before its body arrives',
  async (Host) => {
    for (const name of ENDPOINTS) {
      for (const method of ['POST', 'PUT', 'GET', 'OPTIONS']) {
        const { status } = await send(name, method, { Host });
        expect([name, method, status]).toEqual([name, method, 403]);
      }
    }
    const answer = await send('ApiUrl', 'POST', { Host, Expect: 'something' }, '');
    expect(answer.status).toBe(403);
  },
);

test.each(['https://evil.example', 'https://localhost.evil.example', 'null'])(
  'a request of a page of %s is for the API only',
  async (Origin) => {
    const before = await events();
    const Entries = [{ Source: 'page', DetailType: 'applied', Detail: '{}' }];
    const bodies = { OPTIONS: '', GET: '', PUT: 'throttle', POST: JSON.stringify({ Entries }) };
    const headers = { Origin, 'X-Amz-Target': 'AWSEvents.PutEvents' };
    for (const name of ENDPOINTS) {
      for (const [method, body] of Object.entries(bodies)) {
        const answer = await send(name, method, headers, body);
        expect([name, method, answer.status === 403]).toEqual([name, method, name !== 'ApiUrl']);
        const permits = Object.keys(answer.headers).includes('access-control-allow-origin');
        if (name !== 'ApiUrl') expect(permits).toBe(false);
      }
    }
    expect(await events()).toBe(before);
    expect(await (await fetch(service.outputs.FaultEndpoint)).text()).toBe('none');
  },
);

test.each(['http://localhost:5173', 'http://10.0.2.2:8100', 'capacitor://localhost'])(
  'a page of %s, under development, gets tokens that the API accepts, and nothing else',
  async (Origin) => {
    const url = `${service.outputs.TokenEndpoint}?user=jane`;
    const response = await fetch(url, { headers: { Origin } });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    const headers = { Authorization: `Bearer ${await response.text()}` };
    const { status } = await service.getConfig({ headers });
    expect(status).toBe(200);
    expect((await send('TokenEndpoint', 'POST', { Origin }, '')).status).toBe(405);
    for (const name of ENDPOINTS.filter((one) => !['ApiUrl', 'TokenEndpoint'].includes(one))) {
      expect([name, (await send(name, 'GET', { Origin }, '')).status]).toEqual([name, 403]);
    }
  },
);

/** In Latin-1. */
const MALFORMED = [
  ...['', '{', 'null', '5', '"text"', '[]', '[null]', '{}', '['.repeat(100_000), '\xff\xfe\x80'],
];
const NO_OBJECTS = ['null', '5', '{}', '"text"', '[5]', '[null]'];
const NO_ITEMS = ['5', 'null', '{"clientId":null}', '{"clientId":5}', '{"clientId":{"S":5}}'];
const KEY = '{"clientId":{"S":"a"},"eventId":{"S":"b"}}';

/** What else operations cannot read. TABLE and QUEUE stand for their names. */
const CALLS: readonly [Endpoint, api: string, operations: string, bodies: string[]][] = [
  [
    'EventBridgeEndpoint',
    'AWSEvents',
    'PutEvents Unknown',
    [...NO_OBJECTS, '[{"Source":{}}]'].map((entries) => `{"Entries":${entries}}`),
  ],
  [
    'DynamoDbEndpoint',
    'DynamoDB_20120810',
    'PutItem UpdateItem DeleteItem BatchWriteItem TransactWriteItems GetItem Query UpdateTable Unknown',
    [
      ...[...NO_OBJECTS, '[{"PutRequest":null}]'].map((one) => `{"RequestItems":{"TABLE":${one}}}`),
      ...NO_ITEMS.map((item) => `{"TableName":"TABLE","Item":${item},"Key":${item}}`),
      '{"TableName":"TABLE","GlobalSecondaryIndexUpdates":[null]}',
    ],
  ],
  [
    'DynamoDbEndpoint',
    'DynamoDB_20120810',
    'UpdateItem',
    [`{"TableName":"TABLE","Key":${KEY},"AttributeUpdates":{"a":null}}`],
  ],
  [
    'DynamoDbEndpoint',
    'DynamoDBStreams_20120810',
    'GetRecords GetShardIterator Unknown',
    NO_OBJECTS.map((value) => `{"StreamArn":${value},"ShardIterator":${value}}`),
  ],
  [
    'SqsEndpoint',
    'AmazonSQS',
    'SendMessage DeleteMessageBatch Unknown',
    ['{"QueueUrl":null}', '{"QueueUrl":5}', '{"QueueUrl":"QUEUE","Entries":5}'],
  ],
  ['SqsEndpoint', 'AmazonSQS', 'ReceiveMessage', ['{"QueueUrl":5}']],
  ['FaultEndpoint', '', '', []],
];

const methodOf = (endpoint: Endpoint) => (endpoint === 'FaultEndpoint' ? 'PUT' : 'POST');
const signed = (api: string, operation = '') => ({
  'Content-Type': `application/x-amz-json-${api === 'AWSEvents' ? '1.1' : '1.0'}`,
  ...{ 'X-Amz-Target': `${api}.${operation}`, 'X-Amz-Date': '20261121T000000Z' },
  Authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c',
});

test.each(CALLS)(
  '%s answers 400 to what it cannot read, and keeps nothing of it: %s %s',
  async (name, api, operations, bodies) => {
    const { PromoEventsTableName: table, PromoEventsQueueUrl: queue } = service.outputs;
    const before = await events();
    for (const operation of operations.split(' ')) {
      for (const template of [...MALFORMED, ...bodies]) {
        const body = Buffer.from(
          template.replace('TABLE', table).replace('QUEUE', queue),
          'latin1',
        );
        const { status } = await send(name, methodOf(name), signed(api, operation), body);
        expect([operation, template, status]).toEqual([operation, template, 400]);
      }
    }
    expect(await events()).toBe(before);
  },
);

test('a body that is cut off ends no server', async () => {
  for (const name of ENDPOINTS) {
    for (const [, api, operations] of CALLS) {
      const headers = { ...signed(api, operations.split(' ')[0]), 'Content-Length': 9 };
      const outgoing = request(service.outputs[name], { method: methodOf(name), headers });
      outgoing.on('error', () => {});
      await new Promise((resolve) => outgoing.write('{', resolve));
      outgoing.destroy();
    }
  }
  for (const name of ENDPOINTS) await send(name, 'POST', {}, '');
});
