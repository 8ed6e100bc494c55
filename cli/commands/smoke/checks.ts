import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { getConfig } from '../../../functions/get-config/operation.ts';
import type { Operation } from '../../../functions/http/operation.ts';
import { HEADERS } from '../../../functions/http/request-headers.ts';
import { MAX_BODY_BYTES } from '../../../functions/middlewares/validate-body.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import {
  application,
  apply,
  bodyOf,
  eventsOf,
  expectApplied,
  expectError,
  expectFields,
  expectUnauthorized,
  pathOf,
  type Subject,
  send,
  sendWith,
} from './requests.ts';

/** One thing that must hold. */
export interface Check {
  readonly name: string;
  /** @throws AssertionError saying what does not hold. */
  readonly run: (subject: Subject) => Promise<void>;
  /** True if it needs neither a user nor a client: no request gets as far as the token. */
  readonly isAnonymous?: true;
  /** Returns the reason why the subject cannot be checked, if it cannot. */
  readonly skipped?: (subject: Subject) => string | undefined;
}

const GET_CONFIG: readonly Check[] = [
  ...getConfig.paths.map(({ path }) => ({
    name: `${path} returns the fields of the client`,
    run: async (subject: Subject) =>
      expectFields(await send(subject, path, { body: bodyOf(getConfig, subject) })),
  })),
  {
    name: 'an unknown property is removed, with a warning that names it',
    run: async (subject) => {
      const body = { ...bodyOf(getConfig, subject), colour: 'blue' };
      const answer = await send(subject, pathOf(getConfig), { body });
      expectFields(answer);
      assert.match(answer.body.warnings.join('\n'), /colour/, 'the warnings do not name it');
    },
  },
];

const APPLY_PROMO_CODE: readonly Check[] = [
  {
    name: 'promoCode/apply applies a code, and the event is in the table',
    run: async (subject) => {
      const request = application(subject);
      expectApplied(await apply(subject, request));
      const [event, ...others] = await eventsOf(subject, request);
      assert.ok(event, 'there is no event in the table');
      assert.deepEqual(others, [], 'there is more than one event in the table');
      const { userId, promoCode, eventType, source } = request.body;
      const { eventId, receivedAt, deviceId, requestDate, expiresAt, ...rest } = event;
      assert.deepEqual(rest, {
        ...{ clientId: subject.client.clientId, userId, promoCode, eventType, source },
        kind: 'applied',
      });
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
      const pointers = answer.body.errors.map(({ pointer }) => pointer).sort();
      assert.deepEqual(pointers, ['/promoCode', '/source']);
      assert.deepEqual(await eventsOf(subject, request), [], 'it is in the table');
    },
  },
];

let otherKey: KeyObject | undefined;

/** A key that is not the user pool's. Generating one takes long, so all checks share it. */
function keyOfOthers(): KeyObject {
  otherKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return otherKey;
}

/** The checks of what an operation refuses. */
function refusals(operation: Operation): Check[] {
  const path = pathOf(operation);
  const withToken = (subject: Subject, token: string) =>
    sendWith(subject, operation, { Authorization: `Bearer ${token}` });
  const checks: Check[] = [
    ...Object.values(HEADERS).map(({ name }) => ({
      name: `a request without ${name} is refused, and the error names the header`,
      isAnonymous: true as const,
      run: async (subject: Subject) => {
        const answer = await sendWith(subject, operation, { [name]: null });
        expectUnauthorized(answer);
        const [{ message }] = answer.body.errors;
        assert.match(message, new RegExp(name, 'i'), `the message does not name it: ${message}`);
      },
    })),
    {
      name: 'a Request-Date of last year is refused',
      isAnonymous: true,
      run: async (subject) => {
        const lastYear = new Date(Date.now() - 400 * 24 * 60 * 60 * 1000).toISOString();
        expectUnauthorized(await sendWith(subject, operation, { 'Request-Date': lastYear }));
      },
    },
    {
      name: 'an expired token is refused with the response that apps expect',
      skipped: ({ user }) => (user.expiredIdToken ? undefined : 'only the local server issues one'),
      run: async (subject) => {
        const { expiredIdToken } = subject.user;
        const answer = await sendWith(subject, operation, {
          Authorization: `Bearer ${expiredIdToken}`,
        });
        assert.deepEqual(answer.body.data, {
          message: 'Access Token has expired',
          code: 'NotAuthorizedException',
          statusCode: 400,
          retryable: false,
        });
      },
    },
    {
      name: 'a token signed with another key is refused',
      run: async (subject) => {
        const signed = subject.user.idToken.split('.').slice(0, 2).join('.');
        const signature = sign('RSA-SHA256', Buffer.from(signed), keyOfOthers()).toString(
          'base64url',
        );
        expectUnauthorized(await withToken(subject, `${signed}.${signature}`));
      },
    },
    {
      name: 'a token whose claims were changed is refused',
      run: async (subject) => {
        const [header, payload = '', signature] = subject.user.idToken.split('.');
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
        const changed = encoded({ ...claims, exp: claims.exp + 1 });
        expectUnauthorized(await withToken(subject, `${header}.${changed}.${signature}`));
      },
    },
    {
      name: 'a token without a signature is refused',
      run: async (subject) => {
        const payload = subject.user.idToken.split('.')[1];
        const unsigned = `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`;
        expectUnauthorized(await withToken(subject, unsigned));
      },
    },
    {
      name: 'an access token in place of the ID token is refused',
      run: async (subject) =>
        expectUnauthorized(await withToken(subject, subject.user.accessToken)),
    },
    {
      name: 'a wrong App-Id is refused',
      run: async (subject) =>
        expectUnauthorized(await sendWith(subject, operation, { 'App-Id': randomUUID() })),
    },
    {
      name: 'an unknown clientId is refused with the same response as a wrong App-Id',
      run: async (subject) => {
        const body = { ...bodyOf(operation, subject), clientId: `smoke-${randomUUID()}` };
        const unknown = await send(subject, path, { body });
        const wrong = await sendWith(subject, operation, { 'App-Id': randomUUID() });
        expectUnauthorized(unknown);
        assert.deepEqual(unknown.body, wrong.body);
      },
    },
    {
      name: 'a body that is not JSON is refused',
      run: async (subject) =>
        expectError(await send(subject, path, { body: '{' }), 400, 'ValidationException'),
    },
    {
      name: 'a body of more than 16 KB is refused',
      run: async (subject) => {
        const body = { ...bodyOf(operation, subject), padding: 'x'.repeat(MAX_BODY_BYTES) };
        expectError(await send(subject, path, { body }), 413, 'PayloadTooLargeException');
      },
    },
    {
      name: 'another method is refused, and the response names the right one',
      isAnonymous: true,
      run: async (subject) => {
        for (const method of ['GET', 'PUT']) {
          const answer = await send(subject, path, { method, body: {} });
          expectError(answer, 405, 'MethodNotAllowedException');
          assert.equal(answer.headers.get('allow'), 'POST', `${method}: the header Allow is wrong`);
        }
      },
    },
  ];
  return checks.map((check) => ({ ...check, name: `${path}: ${check.name}` }));
}

/** All checks, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  ...GET_CONFIG,
  ...APPLY_PROMO_CODE,
  ...OPERATIONS.flatMap(refusals),
  {
    name: 'an unknown path is answered in the envelope',
    isAnonymous: true,
    run: async (subject) =>
      expectError(await send(subject, '/nothing', { body: {} }), 404, 'ResourceNotFoundException'),
  },
];

/** The checks that change nothing. */
export const ANONYMOUS_CHECKS = CHECKS.filter(({ isAnonymous }) => isAnonymous);

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
