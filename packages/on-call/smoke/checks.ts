import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { responseDeviations } from 'customer-data-api/openapi';
import {
  applyPromoCode,
  headersOf,
  MAX_BODY_BYTES,
  OPERATIONS,
  type Operation,
} from 'customer-data-api/operations';
import { OTHER_USER, type Subject } from './subject.ts';

/** The difference of a request from a good one. */
export interface Changes {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces properties of the body; a string replaces it. */
  readonly body?: Readonly<Record<string, unknown>> | string;
}

/** One thing that must hold. */
interface Check {
  readonly name: string;
  /**
   * The credentials that it needs. A request that is refused before the token matters needs none.
   */
  readonly needs?: 'client' | 'bound user' | undefined;
  /** @throws AssertionError saying what does not hold. */
  readonly run: (subject: Subject) => Promise<void>;
}

/** A request of `promoCode/apply` that is refused. */
type RefusedCall = [
  number,
  code: string,
  mistake: string,
  changes: Changes,
  needs?: Check['needs'],
];

const TOO_LARGE = 'x'.repeat(MAX_BODY_BYTES + 1);
const REFUSALS: readonly RefusedCall[] = [
  [400, 'ValidationException', 'a body that is not JSON', { body: '{' }, 'client'],
  [401, 'Unauthorized', 'no token', { headers: { Authorization: '' } }],
  [
    403,
    'ForbiddenException',
    "another user's code",
    { body: { userId: OTHER_USER } },
    'bound user',
  ],
  [404, 'ResourceNotFoundException', 'an unknown path', { path: '/nothing' }],
  [405, 'MethodNotAllowedException', 'another method', { method: 'PUT' }],
  [413, 'PayloadTooLargeException', 'a body of more than 16 KB', { body: TOO_LARGE }, 'client'],
];

/** The example of each operation, what is stored of a code, and a refusal for each status. */
export const CHECKS: readonly Check[] = [
  ...OPERATIONS.map(
    (operation): Check => ({
      name: `${operation.path} answers its example`,
      needs: 'client',
      run: async (subject) => {
        const { status, body, text } = await call(subject, operation);
        const { example } = operation;
        assert.ok(status === 200 && isDeepStrictEqual(body.data, example.data()), text);
      },
    }),
  ),
  {
    name: `${applyPromoCode.path} stores a code once, even if it is sent twice`,
    needs: 'client',
    run: async (subject) => {
      const headers = { 'Request-Date': new Date().toISOString() };
      const request = { headers, body: { promoCode: randomUUID().slice(0, 8) } };
      const before = await subject.countPromoEvents();
      for (const _ of ['once', 'twice']) {
        const { status, body, text } = await call(subject, applyPromoCode, request);
        assert.ok(status === 200, text);
        assert.ok(body.notices.length === 0, `it waits in the queue: ${text}`);
      }
      const count = (await subject.countPromoEvents()) - before;
      assert.ok(count === 1, `the table has ${count} promo events`);
    },
  },
  ...REFUSALS.map(
    ([expected, code, mistake, changes, needs]): Check => ({
      name: `${mistake}: ${expected} ${code}`,
      needs,
      run: async (subject) => {
        const { status, body, text } = await call(subject, applyPromoCode, changes);
        assert.ok(status === expected && body.data.code === code, text);
      },
    }),
  ),
];

/**
 * Calls an operation as an app does.
 *
 * @returns the response, and what it was in words.
 * @throws AssertionError if the OpenAPI document does not describe the response.
 */
export async function call(
  subject: Subject,
  operation: Operation,
  { path = operation.path, method = 'POST', headers = {}, body = {} }: Changes = {},
) {
  const good = headersOf({
    idToken: subject.idToken,
    appId: subject.appId,
    deviceId: '00000000-0000-0000-0000-000000000000',
    requestDate: new Date().toISOString(),
  });
  const sent = typeof body === 'string' ? body : { ...bodyOf(operation, subject), ...body };
  const response = await fetch(`${subject.url}${path}`, {
    method,
    headers: Object.entries({ ...good, ...headers }),
    // As bytes: for text, fetch would add a Content-Type.
    body: Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent)),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  const { status } = response;
  const received = await response.text();
  const id = response.headers.get('x-amzn-requestid');
  const text = `request ${id} got ${status} ${received.slice(0, 300)}`;
  // biome-ignore lint/suspicious/noExplicitAny: validated against the document
  const json: any = await new Response(received).json().catch(() => undefined);
  const [deviation] = responseDeviations(path, status, json);
  assert.ok(!deviation, `${text}: ${deviation}`);
  return { status, text, body: json };
}

/** A valid body of an operation: its example, with the client and the user of the subject. */
export function bodyOf({ example }: Operation, subject: Subject): Record<string, unknown> {
  const { clientId, userId } = subject;
  return { ...example.request, clientId, ...('userId' in example.request && { userId }) };
}
