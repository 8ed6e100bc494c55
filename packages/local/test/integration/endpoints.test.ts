import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startService } from 'customer-data-api/testing/service';
import { afterAll, expect, test } from 'vitest';

/*
 * Whoever can reach an endpoint of the local server: pages in a browser on this machine, and
 * programs that send nonsense.
 */

const service = await startService();
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

test('requests to the hosts of a developer are for every endpoint', async () => {
  for (const Host of ['127.0.0.1', 'LocalHost:1', '10.0.2.2:3000']) {
    for (const name of ENDPOINTS) {
      expect([name, (await send(name, 'POST', { Host }, '')).status]).not.toEqual([name, 403]);
    }
  }
});

// A page whose name changes to the address of this machine calls its own origin, without the header
// Origin.
test.each(['evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example', '0.0.0.0'])(
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

test.each(['https://localhost.evil.example', 'null'])(
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

test.each(['http://localhost:5173', 'capacitor://localhost'])(
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

const NO_OBJECTS = ['null', '5', '"text"', '[5]', '[null]'];
/** Bodies that no operation can read, in Latin-1. TABLE stands for its name. */
const MALFORMED = ['', '{', '[]', '['.repeat(100_000), '\xff\xfe\x80', ...NO_OBJECTS];
const KEY = '{"clientId":{"S":"a"},"eventId":{"S":"b"}}';

/** Other values that an operation cannot read. */
const CALLS: readonly [Endpoint, operation: string, bodies: string[]][] = [
  ['EventBridgeEndpoint', 'AWSEvents.PutEvents', NO_OBJECTS.map((one) => `{"Entries":${one}}`)],
  [
    ...(['DynamoDbEndpoint', 'DynamoDB_20120810.BatchWriteItem'] as const),
    [...NO_OBJECTS, '[{"PutRequest":null}]'].map((one) => `{"RequestItems":{"TABLE":${one}}}`),
  ],
  [
    ...(['DynamoDbEndpoint', 'DynamoDB_20120810.PutItem'] as const),
    ['null', '{"clientId":{"S":5}}'].map((item) => `{"TableName":"TABLE","Item":${item}}`),
  ],
  [
    ...(['DynamoDbEndpoint', 'DynamoDB_20120810.UpdateItem'] as const),
    [`{"TableName":"TABLE","Key":${KEY},"AttributeUpdates":{"a":null}}`],
  ],
  [
    ...(['DynamoDbEndpoint', 'DynamoDBStreams_20120810.GetShardIterator'] as const),
    NO_OBJECTS.map((value) => `{"StreamArn":${value}}`),
  ],
  ['SqsEndpoint', 'AmazonSQS.SendMessage', ['{"QueueUrl":5}']],
  ['FaultEndpoint', '', []],
];

const methodOf = (endpoint: Endpoint) => (endpoint === 'FaultEndpoint' ? 'PUT' : 'POST');
const signed = (operation: string) => ({
  'Content-Type': `application/x-amz-json-1.${operation.startsWith('AWSEvents') ? 1 : 0}`,
  'X-Amz-Target': operation,
  'X-Amz-Date': '20261121T000000Z',
  Authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c',
});

test.each(CALLS)(
  '%s answers 400 to what it cannot read, and keeps nothing of it: %s',
  async (name, operation, bodies) => {
    const { PromoEventsTableName: table } = service.outputs;
    const before = await events();
    for (const template of [...MALFORMED, ...bodies]) {
      const body = Buffer.from(template.replace('TABLE', table), 'latin1');
      const { status } = await send(name, methodOf(name), signed(operation), body);
      expect([template, status]).toEqual([template, 400]);
    }
    expect(await events()).toBe(before);
  },
);

test('a body that is cut off ends no server', async () => {
  for (const name of ENDPOINTS) {
    for (const [, operation] of CALLS) {
      const headers = { ...signed(operation), 'Content-Length': 9 };
      const outgoing = request(service.outputs[name], { method: methodOf(name), headers });
      outgoing.on('error', () => {});
      await new Promise((resolve) => outgoing.write('{', resolve));
      outgoing.destroy();
    }
  }
  for (const name of ENDPOINTS) await send(name, 'POST', {}, '');
});
