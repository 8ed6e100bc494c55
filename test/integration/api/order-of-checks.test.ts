import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../../functions/api/operation.ts';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import type { TokenOptions } from '../../../local/id-token.ts';
import { type Service, startService } from '../../support/service.ts';

/* A request that is wrong in several ways is answered with the error of the first check that it fails. */

let service: Service;
beforeAll(async () => {
  // Without a cache, each read of a client is a DynamoDB call.
  service = await startService({ CONFIG_CACHE_SECONDS: '0' });
  await service.warmUp();
});
afterAll(() => service.stop());

interface Flaw {
  readonly name: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly token?: TokenOptions;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly status: number;
  /** The message of the only entry of `errors`. */
  readonly message: string;
  /** The DynamoDB calls before the check fails. */
  readonly databaseCalls: readonly string[];
}

const FLAWS: readonly Flaw[] = [
  {
    name: 'a missing header',
    headers: { 'Device-Id': undefined },
    status: 401,
    message: 'The header Device-Id is missing.',
    databaseCalls: [],
  },
  {
    name: 'an expired token',
    token: { expiresInSeconds: -60 },
    status: 400,
    message: 'Access Token has expired',
    databaseCalls: [],
  },
  {
    name: 'a body over 16 KB',
    body: { filler: 'x'.repeat(16 * 1024) },
    status: 413,
    message: expect.stringContaining('at most 16384'),
    databaseCalls: [],
  },
  {
    name: 'a clientId that is not a string',
    body: { clientId: 7 },
    status: 400,
    message: 'clientId must be a string.',
    databaseCalls: [],
  },
  {
    name: 'a wrong App-Id',
    headers: { 'App-Id': 'wrong' },
    status: 401,
    message: 'The token, the App-Id or the clientId was not accepted.',
    databaseCalls: ['GetItem'],
  },
];

const ANOTHER_USER: Flaw = {
  name: 'the token of another user',
  token: { user: 'somebody-else' },
  status: 403,
  message: 'The token does not belong to the user in userId.',
  databaseCalls: ['GetItem'],
};

/** The flaws that an operation refuses, in the order of its checks. */
const flawsOf = (operation: Operation) =>
  operation === applyPromoCode ? [...FLAWS, ANOTHER_USER] : FLAWS;

/** Each choice of some of them, in their order. */
function subsets<T>(things: readonly T[]): T[][] {
  const [first, ...others] = things;
  if (first === undefined) return [[]];
  return subsets(others).flatMap((subset) => [subset, [first, ...subset]]);
}

describe.each(OPERATIONS.map((operation) => ({ operation, name: operation.folder })))(
  '$name',
  ({ operation }) => {
    const wrong = subsets(flawsOf(operation)).filter(({ length }) => length > 0);

    test.each(
      wrong.map((flaws) => ({ flaws, names: flaws.map(({ name }) => name).join(', and ') })),
    )('reports the first of: $names', async ({ flaws }) => {
      const callsBefore = service.databaseCalls.length;
      const { status, body } = await service.send(operation, {
        headers: Object.assign({}, ...flaws.map(({ headers }) => headers)),
        token: Object.assign({}, ...flaws.map(({ token }) => token)),
        body: Object.assign({}, operation.example.request, ...flaws.map((flaw) => flaw.body)),
      });
      const [first] = flaws;
      expect(status).toBe(first?.status);
      expect(body.errors.map(({ message }) => message)).toEqual([first?.message]);
      expect(service.databaseCalls.slice(callsBefore)).toEqual(first?.databaseCalls);
    });

    test('accepts the request without any of them', async () => {
      expect((await service.send(operation)).status).toBe(200);
    });
  },
);

test('a forged token is refused before the body is checked', async () => {
  for (const operation of OPERATIONS) {
    for (const body of ['{', '', { clientId: 7 }]) {
      const answer = await service.send(operation, { token: { claims: { aud: 'x' } }, body });
      expect(answer.status).toBe(401);
    }
  }
});

test('a refused request is not stored', async () => {
  expect(await service.promoEvents()).toHaveLength(1);
});
