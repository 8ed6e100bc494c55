import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { available } from '../../../../core/platform/available.ts';
import { createDocumentClient } from '../../../../core/platform/document-client.ts';
import { close, listen } from '../../../../local/listen.ts';
import { eventOf } from '../../../support/promo-event.ts';

type Answer = (response: ServerResponse) => void;

const EVENT = eventOf('user');

let server: Server;
let url: string;
let documentClient: ReturnType<typeof createDocumentClient>;
let answers: Answer[];
let received: { path: string | undefined; headers: IncomingHttpHeaders; body: unknown }[];
let timers: MockInstance<typeof globalThis.setTimeout>;

beforeEach(async () => {
  answers = [];
  received = [];
  server = createServer(async (request, response) => {
    received.push({ path: request.url, headers: request.headers, body: await json(request) });
    answers.shift()?.(response);
  });
  url = await listen(server);
  vi.resetModules();
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  documentClient = createDocumentClient(url);
  // A backoff takes no time.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  timers = vi.spyOn(globalThis, 'setTimeout');
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await close(server);
});

async function get(abortSignal?: AbortSignal, client = documentClient) {
  const command = new GetCommand({ TableName: 'Table', Key: { id: 'ü' } });
  return client.send(command, abortSignal && { abortSignal });
}

async function put(Item: Record<string, unknown>) {
  return documentClient.send(new PutCommand({ TableName: 'Table', Item }));
}

async function queue(queueUrl: string, abortSignal = new AbortController().signal) {
  const { promoEventsQueue } = await import('../../../../core/promo-events/promo-events-queue.ts');
  await promoEventsQueue(queueUrl)(EVENT, abortSignal);
}

const body = (value: unknown) => (response: ServerResponse) => response.end(JSON.stringify(value));
const ok = body({ Item: { id: { S: 'one' } } });
const error = (status: number, name: string) => (response: ServerResponse) =>
  response
    .writeHead(status)
    .end(JSON.stringify({ __type: `com.amazonaws#${name}`, message: 'no' }));
/** The timers of the attempts. A test ends them, not the clock. */
const attemptTimers = () => timers.mock.calls.filter(([, ms]) => ms === 1500);
const endAttempt = () => attemptTimers().at(-1)?.[0]();
/** Sends half a response, and calls back once it has arrived. */
const half = (then: () => void) => async (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': 9 }).write('{');
  await setTimeout(50);
  then();
};

test('a call is one signed request, and returns plain JavaScript values', async () => {
  answers = [ok];
  expect((await get()).Item).toEqual({ id: 'one' });
  expect(received).toEqual([
    {
      path: '/',
      headers: expect.objectContaining({
        'x-amz-target': 'DynamoDB_20120810.GetItem',
        'x-amz-security-token': 'session',
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, /,
        ),
      }),
      body: { TableName: 'Table', Key: { id: { S: 'ü' } } },
    },
  ]);
});

test('a number with more digits than JavaScript can represent is rounded', async () => {
  answers = [body({ Item: { lastFieldId: { N: '12345678901234567890' } } })];
  expect((await get()).Item).toEqual({ lastFieldId: 12345678901234567000 });
});

test('an undefined attribute is not sent', async () => {
  answers = [ok];
  await put({ id: 'one', others: { token: undefined } });
  expect(received[0]?.body).toMatchObject({ Item: { id: { S: 'one' }, others: { M: {} } } });
});

describe('retries', () => {
  test.each<[string, Answer]>([
    ['throttling', error(400, 'ProvisionedThroughputExceededException')],
    ['a 500', error(500, 'InternalServerError')],
    ['a 502 of a proxy', (response) => response.writeHead(502).end('<html>')],
    ['a lost connection', (response) => response.destroy()],
    [
      'a response that breaks off',
      (response) =>
        response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
    ],
    ['no response in time', endAttempt],
    ['half a response in time', half(endAttempt)],
    [
      'a response that arrives byte by byte, and not in time',
      async (response) => {
        response.writeHead(200);
        for (let bytes = 0; bytes < 5; bytes++) {
          response.write(' ');
          await setTimeout(10);
        }
        endAttempt();
      },
    ],
  ])('%s: the request is sent again', async (_, answer) => {
    answers = [answer, ok];
    expect((await get()).Item).toEqual({ id: 'one' });
    expect(received).toHaveLength(2);
  });

  test('each attempt has a time limit of 1.5 s, and of one second for connecting', async () => {
    answers = [error(500, 'InternalServerError'), ok];
    await get();
    expect(attemptTimers()).toHaveLength(2);
    const requestHandler = documentClient.config.requestHandler as NodeHttpHandler;
    expect(requestHandler.httpHandlerConfigs()).toMatchObject({ connectionTimeout: 1000 });
  });

  test('the third attempt is the last, and its error is thrown', async () => {
    answers = ['One', 'Two', 'Three', 'Four'].map((name) => error(500, name));
    await expect(get()).rejects.toMatchObject({ name: 'Three', message: 'no' });
    expect(received).toHaveLength(3);
  });

  test('a body that does not arrive in time causes a timeout', async () => {
    answers = [half(endAttempt), half(endAttempt), half(endAttempt)];
    await expect(get()).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'The time limit is over.',
    });
    expect(received).toHaveLength(3);
  });

  test('an error that no retry can fix is thrown at once', async () => {
    answers = [error(400, 'ConditionalCheckFailedException'), ok];
    await expect(put({ id: 'one' })).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'no',
    });
    expect(received).toHaveLength(1);
  });

  test('while every call fails, the retry quota runs out, and calls are sent once', async () => {
    const sent: number[] = [];
    for (let calls = 0; calls < 25; calls++) {
      const before = received.length;
      answers = Array.from({ length: 3 }, () => error(500, 'InternalServerError'));
      await expect(get()).rejects.toMatchObject({ name: 'InternalServerError' });
      sent.push(received.length - before);
    }
    expect(sent[0]).toBe(3);
    expect(sent.slice(-3)).toEqual([1, 1, 1]);
  });
});

describe('an abort signal', () => {
  test('ends an attempt without a retry', async () => {
    const total = new AbortController();
    answers = [() => total.abort(), ok];
    await expect(get(total.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(received).toHaveLength(1);
  });

  test('ends the wait for the rest of a response', async () => {
    const total = new AbortController();
    const cause = new Error('Too late');
    answers = [half(() => total.abort(cause)), ok];
    await expect(get(total.signal)).rejects.toMatchObject({
      name: 'AbortError',
      message: 'The call was aborted.',
      cause,
    });
    expect(received).toHaveLength(1);
  });

  test('leaves each attempt its own time limit', async () => {
    answers = [endAttempt, ok];
    expect((await get(new AbortController().signal)).Item).toEqual({ id: 'one' });
    expect(received).toHaveLength(2);
  });

  test.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['DynamoDB', get],
    ['SQS', (signal) => queue(`${url}/queue`, signal)],
  ])('ends a backoff of %s, and the error of the last attempt is thrown', async (_, call) => {
    const total = new AbortController();
    const backoff = Promise.withResolvers<void>();
    vi.mocked(Math.random).mockImplementation(() => {
      backoff.resolve();
      return 1;
    });
    // This backoff never ends by itself.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    answers = [error(400, 'ThrottlingException'), ok];
    const failed = expect(call(total.signal)).rejects.toMatchObject({
      name: 'ThrottlingException',
    });
    await backoff.promise;
    total.abort();
    await failed;
    expect(received).toHaveLength(1);
  });

  test('that is already aborted prevents the call', async () => {
    await expect(get(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(received).toHaveLength(0);
  });

  test('ends an SQS call', async () => {
    const total = new AbortController();
    answers = [() => total.abort(), body({})];
    await expect(queue(`${url}/queue`, total.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(received).toHaveLength(1);
  });
});

describe('SQS', () => {
  test('a call is one signed request', async () => {
    answers = [body({ MessageId: '1' })];
    await queue(`${url}/queue`);
    expect(received).toHaveLength(1);
    expect(received[0]?.headers).toMatchObject({
      'x-amz-target': 'AmazonSQS.SendMessage',
      authorization: expect.stringContaining('/eu-central-1/sqs/aws4_request'),
    });
    expect(received[0]?.path).toBe('/');
    expect(received[0]?.body).toEqual({
      QueueUrl: `${url}/queue`,
      MessageBody: JSON.stringify(EVENT),
    });
    expect(attemptTimers()).toHaveLength(1);
  });

  test('the third attempt is the last', async () => {
    answers = Array.from({ length: 4 }, () => error(500, 'InternalFailure'));
    await expect(queue(`${url}/queue`)).rejects.toMatchObject({ name: 'InternalFailure' });
    expect(received).toHaveLength(3);
  });
});

describe('the endpoint', () => {
  const NOWHERE = 'http://127.0.0.1:9';

  test('comes from the stack; for SQS, from the URL of the queue', async () => {
    answers = [ok, body({})];
    await get();
    await queue(`${url}/queue`);
    expect(received).toHaveLength(2);
  });

  test('is replaced by AWS_ENDPOINT_URL', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', url);
    answers = [ok, body({})];
    await get(undefined, createDocumentClient(NOWHERE));
    await queue(`${NOWHERE}/queue`);
    expect(received).toHaveLength(2);
  });

  test("is replaced by the service's own variable before AWS_ENDPOINT_URL", async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', NOWHERE);
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', url);
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', url);
    answers = [ok, body({})];
    await get(undefined, createDocumentClient(NOWHERE));
    await queue(`${NOWHERE}/queue`);
    expect(received).toHaveLength(2);
  });
});

test('no other variable of the SDKs changes a setting, nor does a configuration file', async () => {
  for (const [name, value] of Object.entries({
    AWS_CONFIG_FILE: '/no/such/file',
    AWS_DEFAULTS_MODE: 'no such mode',
    AWS_MAX_ATTEMPTS: '1',
    AWS_PROFILE: 'no-such-profile',
    AWS_RETRY_MODE: 'no such mode',
    AWS_SDK_UA_APP_ID: 'other',
    AWS_USE_DUALSTACK_ENDPOINT: 'true',
    AWS_USE_FIPS_ENDPOINT: 'true',
  })) {
    vi.stubEnv(name, value);
  }
  const failed = error(500, 'InternalServerError');
  answers = [failed, failed, ok, failed, failed, body({})];
  await get();
  await queue(`${url}/queue`);
  expect(received).toHaveLength(6);
  const userAgents = received.map(({ headers }) => headers['user-agent']);
  expect(userAgents.filter((userAgent) => userAgent !== undefined)).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('app/customer-data-api')),
  );
});

describe('available', () => {
  test.each<[string, Answer, object]>([
    [
      'throttling is an UnavailableError',
      error(400, 'ThrottlingException'),
      { name: 'UnavailableError', cause: { name: 'ThrottlingException' } },
    ],
    [
      'a failure of DynamoDB is an UnavailableError',
      error(500, 'InternalServerError'),
      { name: 'UnavailableError', cause: { name: 'InternalServerError' } },
    ],
    [
      'a lost connection is an UnavailableError',
      (response) => response.destroy(),
      { name: 'UnavailableError', cause: { code: 'ECONNRESET' } },
    ],
    [
      'no response in time is an UnavailableError',
      endAttempt,
      { name: 'UnavailableError', cause: { name: 'TimeoutError' } },
    ],
    [
      'a missing permission is thrown unchanged',
      error(400, 'AccessDeniedException'),
      { name: 'AccessDeniedException' },
    ],
    [
      'a missing table is thrown unchanged',
      error(400, 'ResourceNotFoundException'),
      { name: 'ResourceNotFoundException' },
    ],
  ])('%s', async (_, answer, expected) => {
    answers = [answer, answer, answer];
    await expect(available(get())).rejects.toMatchObject(expected);
  });

  test('a result is returned', async () => {
    expect(await available(Promise.resolve(1))).toBe(1);
  });
});
