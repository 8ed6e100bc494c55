import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../../functions/get-config/operation.ts';
import type { Operation } from '../../../functions/http/operation.ts';
import { headersOf } from '../../../functions/http/request-headers.ts';
import { type Answer, type Call, call } from './api.ts';
import { ANSWERED_FIELDS, STORED_FIELDS } from './fields.ts';
import type { TestClient } from './test-client-record.ts';
import type { User } from './user.ts';

/** The deployment to check, with the user and the client created for the checks. */
export interface Subject {
  /** The base URL of the API. */
  readonly url: string;
  readonly user: User;
  readonly client: TestClient;
  /** Whether the deployment binds tokens to a `userId`. */
  readonly isUserBound: boolean;
  /** Called when an application was queued and is not in the table yet. */
  readonly onQueued?: () => void;
}

/** A request of `promoCode/apply`. */
export interface Application {
  readonly requestDate: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request for a code that no other check uses. */
export function application(subject: Subject, others: Record<string, unknown> = {}): Application {
  return {
    requestDate: new Date().toISOString(),
    body: {
      ...bodyOf(applyPromoCode, subject),
      promoCode: randomUUID().slice(0, 8),
      ...others,
    },
  };
}

/** A valid body of an operation: its example, with the client and the user of the subject. */
export function bodyOf({ example }: Operation, { client, user }: Subject): Record<string, unknown> {
  return {
    ...example.request,
    clientId: client.clientId,
    ...('userId' in example.request && { userId: user.userId }),
  };
}

/** The path of an operation that the documents name first. */
export function pathOf({ paths: [{ path }] }: Operation): string {
  return path;
}

/** Sends a valid request of an operation, with changes to its headers. */
export function sendWith(
  subject: Subject,
  operation: Operation,
  headers: Call['headers'] = {},
): Promise<Answer> {
  return send(subject, pathOf(operation), { headers, body: bodyOf(operation, subject) });
}

export function send({ url, user, client }: Subject, path: string, request: Call): Promise<Answer> {
  const good = headersOf({
    idToken: user.idToken,
    appId: client.appId,
    deviceId: '00000000-0000-0000-0000-000000000000',
    requestDate: new Date().toISOString(),
  });
  return call(url, path, good, request);
}

export function callGetConfig(subject: Subject, headers?: Call['headers']): Promise<Answer> {
  return sendWith(subject, getConfig, headers);
}

export async function apply(subject: Subject, { requestDate, body }: Application): Promise<Answer> {
  const answer = await send(subject, pathOf(applyPromoCode), {
    headers: { 'Request-Date': requestDate },
    body,
  });
  if (answer.body.notices.length > 0) subject.onQueued?.();
  return answer;
}

export async function eventsOf({ client }: Subject, { body }: Application) {
  const events = await client.promoEvents();
  return events.filter(({ promoCode }) => promoCode === body.promoCode);
}

export function expectFields({ status, body }: Answer): void {
  assert.equal(status, 200, describe(status, body));
  assert.deepEqual(body.data, { fields: ANSWERED_FIELDS, lastFieldId: STORED_FIELDS.length });
}

/** Fails unless the table stored the application. A queued one is not enough. */
export function expectApplied(answer: Answer): void {
  expectSuccess(answer);
  assert.deepEqual(answer.body.notices, [], 'the table did not store it; it waits in the queue');
}

export function expectSuccess({ status, body }: Answer): void {
  assert.equal(status, 200, describe(status, body));
}

export function expectError({ status, body }: Answer, expected: number, code: string): void {
  assert.equal(status, expected, describe(status, body));
  assert.equal(body.data.code, code);
}

export function expectUnauthorized(answer: Answer): void {
  expectError(answer, 401, 'Unauthorized');
}

function describe(status: number, body: Answer['body']): string {
  return `the response is ${status} ${JSON.stringify(body)}`.slice(0, 500);
}
