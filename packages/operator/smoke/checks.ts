import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { Operation } from 'customer-data-api/operations';
import { getConfig, HEADERS, MAX_BODY_BYTES, OPERATIONS } from 'customer-data-api/operations';
import {
  type Answer,
  type Application,
  application,
  apply,
  bodyOf,
  type Call,
  call,
  expectError,
  expectFields,
  expectSuccess,
  type Subject,
  send,
} from './requests.ts';

/** One thing that must hold. */
export interface Check {
  readonly name: string;
  /** @throws AssertionError saying what does not hold. */
  readonly run: (subject: Subject) => Promise<void>;
  /** True if it needs neither a user nor a client: no request gets as far as the token. */
  readonly isAnonymous?: boolean;
  /** Returns the reason why the subject cannot be checked, if it cannot. */
  readonly skipped?: (subject: Subject) => string | undefined;
}

const GET_CONFIG: readonly Check[] = [
  {
    name: `${getConfig.path} returns the fields of the client`,
    run: async (subject) => expectFields(await call(subject, getConfig)),
  },
  {
    name: 'an unknown property is removed, with a warning that names it',
    run: async (subject) => {
      const body = { ...bodyOf(getConfig, subject), colour: 'blue' };
      const answer = await call(subject, getConfig, { body });
      expectFields(answer);
      assert.match(answer.body.warnings.join('\n'), /colour/, 'the warnings do not name it');
    },
  },
];

/** Fails unless the table stored the application. A queued one is not enough. */
function expectApplied(answer: Answer): void {
  expectSuccess(answer);
  assert.deepEqual(answer.body.notices, [], 'the table did not store it; it waits in the queue');
}

async function eventsOf({ client }: Subject, { body }: Application) {
  const events = await client.promoEvents();
  return events.filter(({ promoCode }) => promoCode === body.promoCode);
}

const APPLY_PROMO_CODE: readonly Check[] = [
  {
    name: 'promoCode/apply applies a code, and the event is in the table',
    run: async (subject) => {
      const request = application(subject);
      expectApplied(await apply(subject, request));
      const [event, ...others] = await eventsOf(subject, request);
      assert.ok(event, 'there is no event in the table');
      assert.deepEqual(others, [], 'there is more than one event in the table');
      const { eventId, receivedAt, deviceId, requestDate, expiresAt, ...rest } = event;
      assert.deepEqual(rest, { ...request.body, kind: 'applied' });
    },
  },
  {
    name: 'the same request, sent five times at once and once more, is one event',
    run: async (subject) => {
      const request = application(subject);
      const answers = await Promise.all(Array.from({ length: 5 }, () => apply(subject, request)));
      answers.push(await apply(subject, request));
      answers.forEach(expectApplied);
      const events = await eventsOf(subject, request);
      assert.equal(events.length, 1, `there are ${events.length} events in the table`);
    },
  },
  {
    name: 'a later request for the same code is recorded as a repetition',
    run: async (subject) => {
      const request = application(subject);
      expectApplied(await apply(subject, request));
      const later = { ...request, requestDate: new Date(Date.now() + 1000).toISOString() };
      expectApplied(await apply(subject, later));
      expectApplied(await apply(subject, later));
      const kinds = (await eventsOf(subject, request)).map(({ eventId }) =>
        String(eventId).split('#').at(2),
      );
      assert.deepEqual(kinds.sort(), ['applied', 'repeated']);
    },
  },
  {
    name: "another user's promo code is refused, and not stored",
    skipped: ({ isUserBound }) =>
      isUserBound ? undefined : 'userIdClaim is none: tokens are not bound to a userId',
    run: async (subject) => {
      const request = application(subject, { userId: `smoke-${randomUUID()}` });
      expectError(await apply(subject, request), 403, 'ForbiddenException');
      assert.deepEqual(await eventsOf(subject, request), [], 'it is in the table');
    },
  },
  {
    name: 'one response reports every problem of a body, and nothing is stored',
    run: async (subject) => {
      const request = application(subject, { promoCode: 'TOO-LONG-CODE', source: 7 });
      const answer = await apply(subject, request);
      expectError(answer, 400, 'ValidationException');
      const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
      assert.deepEqual(pointers.sort(), ['/promoCode', '/source']);
      assert.deepEqual(await eventsOf(subject, request), [], 'it is in the table');
    },
  },
];

/** A request that every operation refuses. */
interface Refusal extends Pick<Check, 'isAnonymous' | 'skipped'> {
  readonly what: string;
  /** What is wrong in the request. */
  readonly wrong: (subject: Subject, operation: Operation) => Call;
  /** Unauthorized by default. */
  readonly error?: readonly [number, string];
  /** Checks more than the error. */
  readonly more?: (answer: Answer, subject: Subject, operation: Operation) => unknown;
}

/** A key that is not the user pool's. Generating one takes long, so all checks share it. */
let otherKey: ReturnType<typeof generateKeyPairSync>['privateKey'] | undefined;

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const withToken = (...parts: readonly (string | undefined)[]) => ({
  headers: { Authorization: `Bearer ${parts.join('.')}` },
});

const withWrongAppId = () => ({ headers: { 'App-Id': randomUUID() } });

const REFUSALS: readonly Refusal[] = [
  ...Object.values(HEADERS).map(
    ({ name }): Refusal => ({
      what: `a request without ${name} is refused, and the error names the header`,
      isAnonymous: true,
      wrong: () => ({ headers: { [name]: null } }),
      more: ({ body: { errors } }) =>
        assert.match(errors[0].message, new RegExp(name, 'i'), 'the message does not name it'),
    }),
  ),
  {
    what: 'a Request-Date of last year is refused',
    isAnonymous: true,
    wrong: () => ({
      headers: { 'Request-Date': new Date(Date.now() - 400 * 24 * 60 * 60 * 1000).toISOString() },
    }),
  },
  {
    what: 'an expired token is refused with the response that apps expect',
    skipped: ({ user }) => (user.expiredIdToken ? undefined : 'only the local server issues one'),
    wrong: ({ user }) => withToken(user.expiredIdToken),
    error: [400, 'NotAuthorizedException'],
    more: ({ body: { data } }) => {
      assert.equal(data.message, 'Access Token has expired');
      assert.equal(data.retryable, false);
    },
  },
  {
    what: 'a token signed with another key is refused',
    wrong: ({ user }) => {
      otherKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
      const [header, payload] = user.idToken.split('.');
      const signature = sign('RSA-SHA256', Buffer.from(`${header}.${payload}`), otherKey);
      return withToken(header, payload, signature.toString('base64url'));
    },
  },
  {
    what: 'a token whose claims were changed is refused',
    wrong: ({ user }) => {
      const [header, payload = '', signature] = user.idToken.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return withToken(header, encoded({ ...claims, exp: claims.exp + 1 }), signature);
    },
  },
  {
    what: 'a token without a signature is refused',
    wrong: ({ user }) =>
      withToken(encoded({ alg: 'none', typ: 'JWT' }), user.idToken.split('.')[1], ''),
  },
  {
    what: 'an access token in place of the ID token is refused',
    wrong: ({ user }) => withToken(user.accessToken),
  },
  { what: 'a wrong App-Id is refused', wrong: withWrongAppId },
  {
    what: 'an unknown clientId is refused with the same response as a wrong App-Id',
    wrong: (subject, operation) => ({
      body: { ...bodyOf(operation, subject), clientId: `smoke-${randomUUID()}` },
    }),
    more: async ({ body }, subject, operation) =>
      assert.deepEqual(body, (await call(subject, operation, withWrongAppId())).body),
  },
  {
    what: 'a body that is not JSON is refused',
    wrong: () => ({ body: '{' }),
    error: [400, 'ValidationException'],
  },
  {
    what: 'a body of more than 16 KB is refused',
    wrong: (subject, operation) => ({
      body: { ...bodyOf(operation, subject), padding: 'x'.repeat(MAX_BODY_BYTES) },
    }),
    error: [413, 'PayloadTooLargeException'],
  },
  ...['GET', 'PUT'].map(
    (method): Refusal => ({
      what: `the method ${method} is refused, and the response names the right one`,
      isAnonymous: true,
      wrong: () => ({ method }),
      error: [405, 'MethodNotAllowedException'],
      more: ({ headers }) =>
        assert.equal(headers.get('allow'), 'POST', 'the header Allow is wrong'),
    }),
  ),
];

/** All checks, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  ...GET_CONFIG,
  ...APPLY_PROMO_CODE,
  ...OPERATIONS.flatMap((operation) =>
    REFUSALS.map(
      ({ what, wrong, error = [401, 'Unauthorized'], more, ...when }): Check => ({
        ...{ name: `${operation.path}: ${what}`, ...when },
        run: async (subject) => {
          const answer = await call(subject, operation, wrong(subject, operation));
          expectError(answer, ...error);
          await more?.(answer, subject, operation);
        },
      }),
    ),
  ),
  {
    name: 'an unknown path is answered in the envelope',
    isAnonymous: true,
    run: async (subject) =>
      expectError(await send(subject, '/nothing', { body: {} }), 404, 'ResourceNotFoundException'),
  },
];
