import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../../support/service.ts';

/* Whoever can reach an endpoint of the local server: pages in a browser on this machine, and programs that send nonsense. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Sends a request with any headers, Host included. */
async function send(url: string, { method = 'POST', headers = {}, body = '' }: Sent = {}) {
  const outgoing = request(url, { method, headers });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** All endpoints, by the names of their outputs. */
const endpoints = () =>
  Object.entries(service.outputs).filter(([, url]) => url.startsWith('http://127.0.0.1:'));

const events = () => readFile(join(service.folder, 'events.jsonl'), 'utf8');

test('the endpoints are those of the API, three services of AWS, the key set and the faults', () => {
  expect(endpoints().map(([name]) => name)).toEqual([
    ...['ApiUrl', 'DynamoDbEndpoint', 'EventBridgeEndpoint'],
    ...['SqsEndpoint', 'JwksUri', 'FaultEndpoint'],
  ]);
});

describe('a request', () => {
  test.each(['127.0.0.1', 'localhost', 'LocalHost:1', '10.0.2.2:3000'])(
    'to the host %s is for every endpoint',
    async (Host) => {
      for (const [name, url] of endpoints()) {
        expect([name, (await send(url, { headers: { Host } })).status]).not.toEqual([name, 403]);
      }
    },
  );

  // A page whose name changes to the address of this machine calls its own origin, without the header Origin.
  test.each([
    ...['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example'],
    ...['evil.example:localhost', '0.0.0.0'],
  ])('to the host %j is refused by every endpoint', async (Host) => {
    for (const [name, url] of endpoints()) {
      for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
        const { status } = await send(url, { method, headers: { Host } });
        expect([name, method, status]).toEqual([name, method, 403]);
      }
    }
  });

  test('to a foreign host is refused before its body arrives', async () => {
    for (const [name, url] of endpoints()) {
      const headers = { Host: 'evil.example', Expect: 'something' };
      // Node itself refuses an expectation that no server knows.
      expect([name, (await send(url, { headers })).status]).toEqual([
        name,
        name === 'ApiUrl' ? 403 : 417,
      ]);
      const outgoing = request(url, {
        method: 'POST',
        headers: { Host: 'evil.example', 'Content-Length': 9 },
      });
      outgoing.on('error', () => {}).write('{');
      const [response] = await once(outgoing, 'response');
      expect([name, response.statusCode]).toEqual([name, 403]);
      outgoing.destroy();
    }
  });

  test.each(['https://evil.example', 'http://localhost:5173', 'null'])(
    'of a page of %s is for the API only',
    async (Origin) => {
      const before = await events();
      const Entries = [{ Source: 'page', DetailType: 'applied', Detail: '{}' }];
      for (const [name, url] of endpoints()) {
        for (const [method, body] of [
          ['OPTIONS', ''],
          ['GET', ''],
          ['PUT', 'throttle'],
          ['POST', JSON.stringify({ Entries })],
        ] as const) {
          const headers = { Origin, 'X-Amz-Target': 'AWSEvents.PutEvents' };
          const answer = await send(url, { method, headers, body });
          const isRefused = answer.status === 403;
          expect([name, method, isRefused]).toEqual([name, method, name !== 'ApiUrl']);
          expect(Object.keys(answer.headers)).not.toContain('access-control-allow-origin');
        }
      }
      expect(await events()).toBe(before);
      expect((await send(service.outputs.FaultEndpoint, { method: 'GET' })).body).toBe('none');
    },
  );
});

const CREDENTIAL = 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c';

/** The status of a call of an operation of AWS. */
async function call(url: string, target: string, body: string | Buffer, contentType?: string) {
  const protocol = target.startsWith('AWSEvents.') ? '1.1' : '1.0';
  const headers = {
    'Content-Type': contentType ?? `application/x-amz-json-${protocol}`,
    ...{ 'X-Amz-Target': target, 'X-Amz-Date': '20261121T000000Z', Authorization: CREDENTIAL },
  };
  return (await send(url, { headers, body })).status;
}

const MALFORMED = [
  ...['', '{', 'null', '5', '"text"', '[]', '[null]', '{}', '['.repeat(100_000)],
  Buffer.from([0xff, 0xfe, 0x80]),
];

describe('what an endpoint cannot read is answered with 400', () => {
  test('by the bus, which keeps nothing of it', async () => {
    const before = await events();
    const entries = ['null', '5', '"text"', '{}', '[null]', '[5]', '[{"Source":{}}]'];
    for (const body of [...MALFORMED, ...entries.map((value) => `{"Entries":${value}}`)]) {
      const status = await call(service.outputs.EventBridgeEndpoint, 'AWSEvents.PutEvents', body);
      expect([body, status]).toEqual([body, 400]);
    }
    expect(await events()).toBe(before);
  });

  test.each([
    ...['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'GetItem', 'Query'],
    ...['UpdateTable', 'TransactWriteItems', 'Unknown'],
  ])('by DynamoDB: %s', async (operation) => {
    const { DynamoDbEndpoint, PromoEventsTableName: table } = service.outputs;
    const requests = ['5', 'null', '{}', '[5]', '[null]', '[{"PutRequest":null}]'];
    const items = ['5', 'null', '{"clientId":null}', '{"clientId":5}', '{"clientId":{"S":5}}'];
    const key = '{"clientId":{"S":"a"},"eventId":{"S":"b"}}';
    for (const body of [
      ...MALFORMED,
      ...requests.map((value) => `{"RequestItems":{"${table}":${value}}}`),
      ...items.map((item) => `{"TableName":"${table}","Item":${item},"Key":${item}}`),
      ...(operation === 'UpdateItem'
        ? [`{"TableName":"${table}","Key":${key},"AttributeUpdates":{"a":null}}`]
        : []),
      `{"TableName":"${table}","GlobalSecondaryIndexUpdates":[null]}`,
    ]) {
      const status = await call(DynamoDbEndpoint, `DynamoDB_20120810.${operation}`, body);
      expect([body, status]).toEqual([body, 400]);
    }
  });

  test.each(['GetRecords', 'GetShardIterator', 'Unknown'])(
    'by the streams: %s',
    async (operation) => {
      const values = ['null', '5', '{}', '"text"'];
      for (const body of [
        ...MALFORMED,
        ...values.map((value) => `{"StreamArn":${value},"ShardIterator":${value}}`),
      ]) {
        const target = `DynamoDBStreams_20120810.${operation}`;
        const status = await call(service.outputs.DynamoDbEndpoint, target, body);
        expect([body, status]).toEqual([body, 400]);
      }
    },
  );

  test.each(['SendMessage', 'ReceiveMessage', 'DeleteMessageBatch', 'Unknown', ''])(
    'by SQS: %s',
    async (operation) => {
      const { SqsEndpoint, PromoEventsQueueUrl: queue } = service.outputs;
      for (const body of [
        ...MALFORMED,
        ...['null', '5', '{}'].map((value) => `{"QueueUrl":${value}}`),
        ...(operation === 'ReceiveMessage' ? [] : [`{"QueueUrl":"${queue}","Entries":5}`]),
      ]) {
        const status = await call(SqsEndpoint, `AmazonSQS.${operation}`, body);
        expect([body, status]).toEqual([body, 400]);
      }
    },
  );

  test('by the faults', async () => {
    for (const body of MALFORMED) {
      const { status } = await send(service.outputs.FaultEndpoint, { method: 'PUT', body });
      expect([body, status]).toEqual([body, 400]);
    }
  });
});

test('a wrong content type or target is refused, too', async () => {
  const TableName = service.outputs.PromoEventsTableName;
  const body = JSON.stringify({ TableName, Item: { clientId: { S: 'a' }, eventId: { S: 'b' } } });
  const targets = ['DynamoDB_20120810.PutItem', '', '.', 'a.b.c', '__proto__.constructor'];
  for (const [name, url] of endpoints()) {
    for (const target of targets) {
      for (const contentType of ['', 'text/plain', 'application/x-www-form-urlencoded']) {
        const status = await call(url, target, body, contentType);
        expect([name, target, contentType, status >= 400 && status < 500]).toEqual([
          ...[name, target, contentType, true],
        ]);
      }
    }
  }
});

test('a body that is cut off ends no server', async () => {
  const calls = endpoints().flatMap(([name, url]) =>
    [
      ...['AWSEvents.PutEvents', 'DynamoDB_20120810.PutItem', 'DynamoDB_20120810.GetItem'],
      ...['DynamoDBStreams_20120810.GetRecords', 'AmazonSQS.SendMessage'],
    ].map((target) => ({ name, url, target })),
  );
  for (const { name, url, target } of calls) {
    const outgoing = request(url, {
      method: name === 'FaultEndpoint' ? 'PUT' : 'POST',
      headers: {
        ...{ 'Content-Type': 'application/x-amz-json-1.0', 'Content-Length': 9 },
        'X-Amz-Target': target,
      },
    });
    outgoing.on('error', () => {});
    await new Promise((resolve) => outgoing.write('{', resolve));
    outgoing.destroy();
  }
  for (const [name, url] of endpoints()) {
    expect([name, (await send(url)).status]).toEqual([name, expect.any(Number)]);
  }
});
