import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { NO_CLIENT } from '../../../../core/clients/early-read.ts';
import type { Operation } from '../../../../functions/api/operation.ts';
import { headersOf } from '../../../../functions/api/request-headers.ts';
import { applyPromoCode } from '../../../../functions/apply-promo-code/operation.ts';
import { OPERATIONS } from '../../../../functions/operations.ts';
import { signIdToken } from '../../../../local/id-token.ts';
import { createJwksServer, generateSigningKey, type Issuer } from '../../../../local/issuer.ts';
import { close, listen } from '../../../../local/listen.ts';
import { expectDescribed } from '../../../support/expect-described.ts';

/*
 * The handlers, cold, in this process and on a clock of our own: they respond in the envelope shortly before Lambda would
 * end them, regardless of what they wait for.
 */

const ITEM = marshall({ clientId: 'demo', appIds: ['demo-app-key'], fields: [], lastFieldId: 0 });
/** For the whole request. It is over before any attempt of a call of AWS is. */
const REMAINING_MS = 1500;

let issuer: Issuer;
let jwks: Server;
/** DynamoDB and SQS, which respond at most to `GetItem`: to that of the start, and to others on request. */
let aws: Server;
let isReadable: boolean;
/** Called with the operation of each call, such as `GetItem`. */
let onCall: (operation: string) => void;

beforeAll(async () => {
  issuer = {
    userPoolId: 'us-east-1_Pool',
    userPoolClientId: 'client',
    signingKey: await generateSigningKey(),
  };
  jwks = createJwksServer(issuer);
  aws = createServer(async (request, response) => {
    const { Key } = (await json(request)) as { Key?: { clientId: { S: string } } };
    if (Key?.clientId.S === NO_CLIENT) {
      response.end('{}');
      return;
    }
    const operation = String(request.headers['x-amz-target']).replace(/.*\./, '');
    if (operation === 'GetItem' && isReadable) response.end(JSON.stringify({ Item: ITEM }));
    onCall(operation);
  });
  const url = await listen(aws);
  const variables = {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: await listen(jwks),
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_ENDPOINT_URL_SQS: url,
    AWS_REGION: 'us-east-1',
    AWS_SECRET_ACCESS_KEY: 'local',
    CONFIGS_TABLE_NAME: 'Configs',
    CONFIG_CACHE_SECONDS: '0',
    CORS_ORIGINS: 'none',
    DYNAMODB_ENDPOINT: url,
    PROMO_EVENTS_QUEUE_URL: `${url}/queue`,
    PROMO_EVENTS_TABLE_NAME: 'PromoEvents',
    PROMO_EVENT_RETENTION_DAYS: '0',
    REQUEST_DATE_WINDOW_SECONDS: '86400',
    REQUIRE_USER_POOL_CLIENT_IDS: 'false',
    USER_ID_CLAIM: 'sub',
    USER_POOL_CLIENT_IDS: issuer.userPoolClientId,
    USER_POOL_ID: issuer.userPoolId,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
});
beforeEach(() => {
  isReadable = true;
  vi.resetModules();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([close(jwks), close(aws)]);
});

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Calls a handler with the example of its operation, and lets its time run out once it has made a call of AWS. */
async function runOutOfTime(operation: Operation, waitingFor: string) {
  const { handler } = (await import(`../../../../functions/${operation.folder}/handler.ts`)) as {
    handler: Handler;
  };
  const headers = headersOf({
    idToken: await signIdToken(issuer),
    appId: 'demo-app-key',
    deviceId: 'device',
    requestDate: new Date().toISOString(),
  });
  const event = {
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    ),
    body: JSON.stringify({ ...operation.example.request, more: 1 }),
    requestContext: { requestId: 'request-1' },
  } as unknown as APIGatewayProxyEvent;
  const context = {
    awsRequestId: 'invocation-1',
    getRemainingTimeInMillis: () => REMAINING_MS,
  } as Context;

  const called = Promise.withResolvers<void>();
  onCall = (name) => {
    if (name === waitingFor) called.resolve();
  };
  const response = handler(event, context);
  await called.promise;
  vi.advanceTimersByTime(REMAINING_MS - 1);
  const { statusCode, body } = await response;
  const envelope = JSON.parse(body);
  expectDescribed(operation.paths[0].path, statusCode, envelope);
  return { statusCode, envelope };
}

const UNAVAILABLE = { code: 'ServiceUnavailableException', statusCode: 503, retryable: true };
const WARNINGS = ['1 value was removed from the request data: more.'];

describe.each(OPERATIONS.map((operation) => ({ operation, name: operation.folder })))(
  '$name',
  ({ operation }) => {
    test('responds with 503 and its warnings while DynamoDB does not respond', async () => {
      isReadable = false;
      const { statusCode, envelope } = await runOutOfTime(operation, 'GetItem');
      expect(statusCode).toBe(503);
      expect(envelope.data).toMatchObject(UNAVAILABLE);
      expect(envelope.warnings).toEqual(WARNINGS);
    });
  },
);

test('promoCode/apply responds with 503 and its warnings while the queue does not respond', async () => {
  const { statusCode, envelope } = await runOutOfTime(applyPromoCode, 'SendMessage');
  expect(statusCode).toBe(503);
  expect(envelope.data).toMatchObject(UNAVAILABLE);
  expect(envelope.warnings).toEqual(WARNINGS);
});
