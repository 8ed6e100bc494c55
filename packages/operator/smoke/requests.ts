import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { responseDeviations } from 'customer-data-api/openapi';
import { applyPromoCode, getConfig, headersOf, type Operation } from 'customer-data-api/operations';
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

/** A request, as far as it differs from a good one. */
export interface Call {
  readonly method?: string;
  /** Replaces headers; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent as JSON, unless it is a string. */
  readonly body?: unknown;
}

/** A response of the service that was validated against the OpenAPI document. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: validated against the document
  readonly body: any;
}

/** A request of `promoCode/apply`. */
export interface Application {
  readonly requestDate: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const TIMEOUT_MS = 30_000;

/**
 * Calls the service as an app does.
 *
 * @throws AssertionError if the OpenAPI document does not describe the response, or if the response
 *   contradicts itself.
 */
export async function send(
  { url, user, client }: Subject,
  path: string,
  { method = 'POST', headers = {}, body }: Call,
): Promise<Answer> {
  const good = headersOf({
    idToken: user.idToken,
    appId: client.appId,
    deviceId: '00000000-0000-0000-0000-000000000000',
    requestDate: new Date().toISOString(),
  });
  const response = await fetch(`${url}${path}`, {
    method,
    headers: Object.entries({ ...good, ...headers }).filter(
      (header): header is [string, string] => header[1] !== null,
    ),
    // As bytes: for text, fetch would add a Content-Type.
    ...(method === 'POST' && {
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { status, headers: received } = response;
  const text = await response.text();
  const expect = (holds: boolean, problem: string) => {
    const id = received.get('x-amzn-requestid');
    assert.ok(holds, `${problem}\nResponse to request ${id}: ${status} ${text.slice(0, 500)}`);
  };
  const answer: Answer['body'] = await new Response(text).json().catch(() => undefined);
  expect(answer !== undefined, 'the response is not JSON');
  const [deviation] = responseDeviations(path, status, answer);
  expect(!deviation, `the OpenAPI document does not describe the response: ${deviation}`);
  const { errors, data } = answer;
  expect(
    (status === 200) === (errors.length === 0),
    `errors has ${errors.length} entries with status ${status}`,
  );
  expect(status === 200 || data.statusCode === status, `data.statusCode is ${data.statusCode}`);
  // Apps correct their clock by it. API Gateway sets it.
  expect(received.has('date'), 'the response has no header Date');
  return { status, headers: received, body: answer };
}

/** Sends a request of an operation that is valid, except for changes. */
export function call(subject: Subject, operation: Operation, changes: Call = {}): Promise<Answer> {
  return send(subject, operation.path, { body: bodyOf(operation, subject), ...changes });
}

/** A valid body of an operation: its example, with the client and the user of the subject. */
export function bodyOf({ example }: Operation, { client, user }: Subject): Record<string, unknown> {
  return {
    ...example.request,
    clientId: client.clientId,
    ...('userId' in example.request && { userId: user.userId }),
  };
}

/** A request for a code that no other check uses. */
export function application(subject: Subject, others: Record<string, unknown> = {}): Application {
  const promoCode = randomUUID().slice(0, 8);
  return {
    requestDate: new Date().toISOString(),
    body: { ...bodyOf(applyPromoCode, subject), promoCode, ...others },
  };
}

export async function apply(subject: Subject, { requestDate, body }: Application): Promise<Answer> {
  const headers = { 'Request-Date': requestDate };
  const answer = await call(subject, applyPromoCode, { headers, body });
  if (answer.body.notices.length > 0) subject.onQueued?.();
  return answer;
}

/** Fails unless the response has the fields of the client. */
export function expectFields(answer: Answer): void {
  expectSuccess(answer);
  assert.deepEqual(answer.body.data, getConfig.example.data());
}

export function expectSuccess({ status, body }: Answer): void {
  assert.equal(status, 200, describe(status, body));
}

export function expectError({ status, body }: Answer, expected: number, code: string): void {
  assert.equal(status, expected, describe(status, body));
  assert.equal(body.data.code, code);
}

function describe(status: number, body: Answer['body']): string {
  return `the response is ${status} ${JSON.stringify(body)}`.slice(0, 500);
}
