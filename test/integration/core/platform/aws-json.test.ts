import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AwsError, awsJson } from '../../../../core/platform/aws-json.ts';
import { close, listen } from '../../../../local/listen.ts';

type Answer = (response: ServerResponse) => void;

let server: Server;
let answers: Answer[];
let received: { headers: IncomingMessage['headers']; body: unknown }[];
let call: ReturnType<typeof awsJson>;

beforeEach(async () => {
  answers = [];
  received = [];
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await json(request) });
    answers.shift()?.(response);
  });
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  call = awsJson({ name: 'dynamodb', targetPrefix: 'Prefix', endpoint: await listen(server) });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await close(server);
});

const ok: Answer = (response) => response.end('{"Item":1}');
const error = (status: number, name: string) => (response: ServerResponse) =>
  response
    .writeHead(status)
    .end(JSON.stringify({ __type: `com.amazonaws#${name}`, message: 'no' }));

test('sends a signed request and gives back what is answered', async () => {
  answers = [ok];
  expect(await call('GetItem', { Key: 'ü' })).toEqual({ Item: 1 });
  const [{ headers, body } = { headers: {}, body: {} }] = received;
  expect(body).toEqual({ Key: 'ü' });
  expect(headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'Prefix.GetItem',
    'x-amz-security-token': 'session',
  });
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, SignedHeaders=\S*host;\S*x-amz-date;\S*x-amz-security-token;x-amz-target, Signature=[\da-f]{64}$/,
  );
});

test.each<[string, Answer]>([
  ['throttling', error(400, 'ProvisionedThroughputExceededException')],
  ['an error of the service', error(500, 'InternalServerError')],
  ['an error of something in between', (response) => response.writeHead(502).end('<html>')],
  ['a connection that is lost', (response) => response.destroy()],
  [
    'an answer that breaks off',
    (response) => response.writeHead(200, { 'content-length': 9 }).write('{') && response.destroy(),
  ],
  ['no answer', () => {}],
  [
    'half an answer',
    (response) => void response.writeHead(200, { 'content-length': 9 }).write('{'),
  ],
  [
    'an answer that comes byte by byte',
    (response) => {
      response.writeHead(200);
      const trickle = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(trickle));
    },
  ],
])('%s: the request is sent again', async (_, answer) => {
  answers = [answer, ok];
  expect(await call('GetItem', {})).toEqual({ Item: 1 });
  expect(received).toHaveLength(2);
});

test('after three attempts it is given up, with the last error', async () => {
  answers = ['One', 'Two', 'Three'].map((name) => error(500, name));
  await expect(call('GetItem', {})).rejects.toThrow(new AwsError('Three', 'no', 500));
  expect(received).toHaveLength(3);
});

test('what no repetition mends is said at once', async () => {
  answers = [error(400, 'ConditionalCheckFailedException')];
  const failed = await call('PutItem', {}).catch((one) => one);
  expect(failed).toBeInstanceOf(AwsError);
  expect(failed).toMatchObject({ name: 'ConditionalCheckFailedException', message: 'no' });
  expect(received).toHaveLength(1);
});

test('a signal gives up at once, and nothing is sent again', async () => {
  answers = [() => {}, ok];
  await expect(call('GetItem', {}, AbortSignal.timeout(50))).rejects.toThrow();
  expect(received).toHaveLength(1);
});

test('a signal gives up in the pause before a repetition too, with what was answered', async () => {
  const pause = Promise.withResolvers<void>();
  vi.spyOn(Math, 'random').mockImplementation(() => {
    pause.resolve();
    return 1;
  });
  // The pause never ends by itself.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  answers = [error(400, 'ThrottlingException'), ok];
  const giveUp = new AbortController();
  const failed = expect(call('GetItem', {}, giveUp.signal)).rejects.toThrow(
    new AwsError('ThrottlingException', 'no', 400),
  );
  await pause.promise;
  giveUp.abort();
  await failed;
  expect(received).toHaveLength(1);
});

test('a service is found where the variables of the SDKs say', async () => {
  const { origin } = new URL(await listenAgain());
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9');
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', origin);
  answers = [ok];
  const sqs = awsJson({ name: 'sqs', targetPrefix: 'AmazonSQS', endpoint: 'https://example.com' });
  expect(await sqs('SendMessage', {})).toEqual({ Item: 1 });
});

async function listenAgain(): Promise<string> {
  await close(server);
  return listen(server);
}
