import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  ACCEPT_LANGUAGE,
  applyPromoCode,
  CONTENT_LANGUAGE,
  getConfig,
  MAX_BODY_BYTES,
} from 'customer-data-api/operations';
import {
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
import { TRANSLATION } from './test-client-record.ts';

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

/** A request that is refused, one for each status. */
interface Refusal extends Pick<Check, 'isAnonymous' | 'skipped'> {
  readonly what: string;
  readonly error: readonly [status: number, code: string];
  readonly request: (subject: Subject) => Call & { readonly path?: string };
}

const REFUSALS: readonly Refusal[] = [
  {
    what: 'a body that is not JSON',
    error: [400, 'ValidationException'],
    request: () => ({ body: '{' }),
  },
  {
    what: 'a request without a token',
    error: [401, 'Unauthorized'],
    isAnonymous: true,
    request: () => ({ headers: { Authorization: null } }),
  },
  {
    what: "another user's promo code",
    error: [403, 'ForbiddenException'],
    skipped: ({ isUserBound }) =>
      isUserBound ? undefined : 'userIdClaim is none: tokens are not bound to a userId',
    request: (subject) => ({
      body: { ...bodyOf(applyPromoCode, subject), userId: `smoke-${randomUUID()}` },
    }),
  },
  {
    what: 'an unknown path',
    error: [404, 'ResourceNotFoundException'],
    isAnonymous: true,
    request: () => ({ path: '/nothing' }),
  },
  {
    what: 'another method',
    error: [405, 'MethodNotAllowedException'],
    isAnonymous: true,
    request: () => ({ method: 'PUT' }),
  },
  {
    what: 'a body of more than 16 KB',
    error: [413, 'PayloadTooLargeException'],
    request: (subject) => ({
      body: { ...bodyOf(applyPromoCode, subject), padding: 'x'.repeat(MAX_BODY_BYTES) },
    }),
  },
];

/** A success for each path, with a look into the tables, and a refusal for each status. */
export const CHECKS: readonly Check[] = [
  {
    name: `${getConfig.path} returns the fields of the client`,
    run: async (subject) => expectFields(await call(subject, getConfig)),
  },
  {
    name: `${applyPromoCode.path} applies a code, which the table has once if it is sent again`,
    run: async (subject) => {
      const request = application(subject);
      for (const _ of ['once', 'again']) {
        const answer = await apply(subject, request);
        expectSuccess(answer);
        assert.deepEqual(answer.body.notices, [], 'the table did not store it; it is in the queue');
      }
      const [event, ...others] = await subject.client.promoEvents();
      assert.ok(event, 'there is no event in the table');
      assert.deepEqual(others, [], 'there is more than one event in the table');
      const { eventId, receivedAt, deviceId, requestDate, expiresAt, ...rest } = event;
      assert.deepEqual(rest, { ...request.body, kind: 'applied' });
    },
  },
  {
    name: `${getConfig.path} returns the language that ${ACCEPT_LANGUAGE} names`,
    run: async (subject) => {
      const { language, fieldName } = TRANSLATION;
      const headers = { [ACCEPT_LANGUAGE]: language };
      const answer = await call(subject, getConfig, { headers });
      expectSuccess(answer);
      assert.equal(answer.headers.get(CONTENT_LANGUAGE), language);
      for (const field of answer.body.data.fields) assert.equal(field.fieldName, fieldName);
    },
  },
  ...REFUSALS.map(
    ({ what, error, request, ...when }): Check => ({
      ...when,
      name: `${what} is refused: ${error.join(' ')}`,
      run: async (subject) => {
        const { path = applyPromoCode.path, ...changes } = request(subject);
        const good = { body: bodyOf(applyPromoCode, subject) };
        expectError(await send(subject, path, { ...good, ...changes }), ...error);
      },
    }),
  ),
];
