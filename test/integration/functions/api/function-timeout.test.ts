import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { NO_CLIENT } from '../../../../core/clients/early-read.ts';
import type { Operation } from '../../../../functions/api/operation.ts';
import { applyPromoCode } from '../../../../functions/apply-promo-code/operation.ts';
import { OPERATIONS } from '../../../../functions/operations.ts';
import { createJwksServer, type Issuer } from '../../../../local/issuer.ts';
import { close, listen } from '../../../../local/listen.ts';
import {
  ITEM,
  startFunction,
  stubEnvironment,
  testIssuer,
} from '../../../support/started-function.ts';

/*
 * The handlers, cold, in this process and on a clock of our own: they respond in the envelope shortly before Lambda would
 * end them, regardless of what they wait for.
 */

/** For the whole request. It ends before any attempt of a call to AWS does. */
const REMAINING_MS = 1500;

let issuer: Issuer;
let jwks: Server;
/** DynamoDB and SQS, which respond at most to `GetItem`: to that of the start, and to others on request. */
let aws: Server;
let isReadable: boolean;
/** Called with the operation of each call, such as `GetItem`. */
let onCall: (operation: string) => void;

beforeAll(async () => {
  issuer = testIssuer();
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
  stubEnvironment(issuer, await listen(jwks), await listen(aws));
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

/** Calls a handler with the example of its operation, and lets its time run out once it has made a call to AWS. */
async function runOutOfTime(operation: Operation, waitingFor: string) {
  const call = await startFunction(operation, issuer);
  const called = Promise.withResolvers<void>();
  onCall = (name) => {
    if (name === waitingFor) called.resolve();
  };
  const response = call({ more: { more: 1 }, remainingMs: REMAINING_MS });
  await called.promise;
  vi.advanceTimersByTime(REMAINING_MS - 1);
  return response;
}

const UNAVAILABLE = { code: 'ServiceUnavailableException', statusCode: 503, retryable: true };
const WARNINGS = ['1 value was removed from the request data: more.'];

describe.each(OPERATIONS.map((operation) => ({ operation, name: operation.folder })))(
  '$name',
  ({ operation }) => {
    test('responds with 503 and its warnings while DynamoDB does not respond', async () => {
      isReadable = false;
      const { statusCode, data, warnings } = await runOutOfTime(operation, 'GetItem');
      expect(statusCode).toBe(503);
      expect(data).toMatchObject(UNAVAILABLE);
      expect(warnings).toEqual(WARNINGS);
    });
  },
);

test('promoCode/apply responds with 503 and its warnings while the queue does not respond', async () => {
  const { statusCode, data, warnings } = await runOutOfTime(applyPromoCode, 'SendMessage');
  expect(statusCode).toBe(503);
  expect(data).toMatchObject(UNAVAILABLE);
  expect(warnings).toEqual(WARNINGS);
});
