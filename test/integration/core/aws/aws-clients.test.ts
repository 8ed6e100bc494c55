import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { close, listen } from 'customer-data-api-deployment/local';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { createDocumentClient } from '../../../../core/aws/document-client.ts';
import { eventOf } from '../../../support/promo-event.ts';

/* The clients of DynamoDB and SQS: what they send, how often, and how long they wait. */

type Answer = (response: ServerResponse) => unknown;

const EVENT = eventOf('user');
const NOWHERE = 'http://127.0.0.1:9';

let server: Server;
let url: string;
let documentClient: ReturnType<typeof createDocumentClient>;
let answers: Answer[];
let received: IncomingHttpHeaders[];
let timers: MockInstance<typeof globalThis.setTimeout>;

function setCredentials(): void {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
}

beforeEach(async () => {
  [answers, received] = [[], []];
  server = createServer(async (request, response) => {
    received.push(request.headers);
    await buffer(request);
    answers.shift()?.(response);
  });
  url = await listen(server);
  vi.resetModules();
  setCredentials();
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

async function get(abortSignal = new AbortController().signal, client = documentClient) {
  const command = new GetCommand({ TableName: 'Table', Key: { id: 'ü' } });
  return client.send(command, { abortSignal });
}

async function queue(abortSignal = new AbortController().signal, queueUrl = `${url}/queue`) {
  const { messageSender } = await import('../../../../core/aws/message-sender.ts');
  await messageSender(queueUrl)(EVENT, abortSignal);
}

const CALLS = [
  ['DynamoDB', get],
  ['SQS', queue],
] as const;

const body = (value: unknown) => (response: ServerResponse) => response.end(JSON.stringify(value));
const ok = body({ Item: { id: { S: 'one' } } });
const error = (status: number, name: string) => (response: ServerResponse) =>
  response
    .writeHead(status)
    .end(JSON.stringify({ __type: `com.amazonaws#${name}`, message: 'no' }));
const failure = error(500, 'InternalServerError');
/** The timers of the attempts. A test ends them, not the clock. */
const attemptTimers = () => timers.mock.calls.filter(([, ms]) => ms === 1500);
const endAttempt = () => attemptTimers().at(-1)?.[0]();
/** Sends half a response, and calls back once it has arrived. */
const half = (then: () => void) => async (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': 9 }).write('{');
  await setTimeout(50);
  then();
};

test('a call is one request, signed with the credentials of the environment', async () => {
  answers = [ok, body({ MessageId: '1' })];
  expect((await get()).Item).toEqual({ id: 'one' });
  vi.stubEnv('AWS_SESSION_TOKEN', undefined);
  await queue();
  const signatures = received.map((headers) => [
    headers['x-amz-security-token'],
    String(headers.authorization)
      .replace(/\/\d{8}\/|, .*/g, ' ')
      .trim(),
  ]);
  expect(signatures).toEqual([
    ['session', 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE eu-central-1/dynamodb/aws4_request'],
    [undefined, 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE eu-central-1/sqs/aws4_request'],
  ]);
});

describe.each(CALLS)('a call to %s', (_, call) => {
  test.each<[string, Answer]>([
    ['throttling', error(400, 'ThrottlingException')],
    ['a 500', failure],
    ['a lost connection', (response) => response.destroy()],
    ['no response in time', endAttempt],
    ['a response that stops, and no more of it in time', half(endAttempt)],
  ])('is sent again after %s, with a time limit of its own', async (__, answer) => {
    answers = [answer, ok];
    await call();
    expect(received).toHaveLength(2);
    expect(attemptTimers()).toHaveLength(2);
  });

  test('is sent three times at most, and the error of the last attempt is thrown', async () => {
    answers = ['One', 'Two', 'Three', 'Four'].map((name) => error(500, name));
    await expect(call()).rejects.toMatchObject({ name: 'Three', message: 'no' });
    expect(received).toHaveLength(3);
  });

  test('is not made if it is aborted already, and ends without a retry when it is aborted', async () => {
    await expect(call(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(received).toHaveLength(0);
    for (const [index, waiting] of [(then: () => void) => then, half].entries()) {
      const total = new AbortController();
      const cause = new Error('Too late');
      answers = [waiting(() => total.abort(cause)), ok];
      await expect(call(total.signal)).rejects.toMatchObject({ name: 'AbortError', cause });
      expect(received).toHaveLength(index + 1);
    }
  });

  test('that is aborted in a backoff throws the error of its last attempt', async () => {
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
});

test('the endpoint is that of the stack, for SQS that of the queue, unless a variable of the service moves it', async () => {
  answers = [ok, body({}), ok, body({})];
  vi.stubEnv('AWS_ENDPOINT_URL', NOWHERE);
  for (const name of ['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL_SQS']) vi.stubEnv(name, url);
  await get(undefined, createDocumentClient(NOWHERE));
  await queue(undefined, `${NOWHERE}/queue`);
  vi.unstubAllEnvs();
  setCredentials();
  await get();
  await queue();
  expect(received).toHaveLength(4);
});
