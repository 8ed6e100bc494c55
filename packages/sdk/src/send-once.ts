import type { paths } from './openapi.ts';
import type { ErrorData, ErrorEntry, Result, Session, Token } from './types.ts';

/** The service answers within 20 seconds. */
const TIMEOUT_MS = 25_000;
// Tab, printable ASCII and Latin-1: the field values of RFC 9110 that the Fetch standard sends.
const HEADER_VALUE = /^[\t -~\x80-\xff]+$/;
/** The values of `Device-Id` that the service promises to accept. */
const DEVICE_ID = /^[ -~]{1,128}$/;
/** What a phone sends that permits no tracking. */
const NO_DEVICE_ID = '00000000-0000-0000-0000-000000000000';
/** The request header whose value identifies a request. */
export const REQUEST_DATE = 'Request-Date';

/** A request that can be sent several times. */
export interface Message {
  readonly path: keyof paths;
  readonly body: object;
  readonly requestDate: Date;
  /** The value of `Accept-Language`. */
  readonly language: string;
  readonly installationId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The outcome of sending a message. */
export interface Answer<TData> {
  readonly result: Result<TData>;
  /** The server's time, in milliseconds since 1970. */
  readonly serverTime: number | undefined;
  /** Time for which the server wants no further request, in milliseconds. */
  readonly retryAfterMs: number;
}

/** Sends a request once. Never throws. */
export async function sendOnce<TData>(
  session: Session,
  { path, body, requestDate, language, installationId, signal }: Message,
): Promise<Answer<TData>> {
  const failed = (outcome: 'notSent' | 'noAnswer', cause: unknown): Answer<TData> => ({
    result: { requestDate, requestId: undefined, outcome, cause },
    serverTime: undefined,
    retryAfterMs: 0,
  });
  const { baseUrl, fetch = globalThis.fetch } = session;
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`;
  const limit = timeLimit(signal);
  let response: Response;
  let text: string;
  try {
    const idToken = await limit.race(() => session.idToken());
    let init: RequestInit;
    try {
      const headers = {
        ...checkedHeaders(session, idToken, requestDate, language),
        ...(installationId && { 'Installation-Id': installationId }),
      };
      init = { method: 'POST', headers, body: JSON.stringify(body), signal: limit.signal };
    } catch (cause) {
      return failed('notSent', cause);
    }
    response = await limit.race(() => fetch(url, init));
    text = await limit.race(() => response.text());
  } catch (cause) {
    return failed('noAnswer', cause);
  } finally {
    limit.clear();
  }
  const { status, headers } = response;
  const requestId = headers.get('x-amzn-RequestId') ?? undefined;
  const serverTime = Date.parse(headers.get('Date') ?? '') || undefined;
  return {
    result: resultOf<TData>(text, status, { requestDate, requestId }),
    serverTime,
    retryAfterMs: pauseOf(headers.get('Retry-After') ?? '', serverTime ?? Date.now()),
  };
}

/** Returns the pause that a `Retry-After` asks for: seconds or a date (RFC 9110, 10.2.3). */
function pauseOf(retryAfter: string, serverTime: number): number {
  return Math.max(0, Number(retryAfter) * 1000 || Date.parse(retryAfter) - serverTime || 0);
}

/** True if the same request may succeed when it is sent again. */
export function canRetryHelp(result: Result<unknown>): boolean {
  return (
    result.outcome === 'noAnswer' ||
    result.outcome === 'notUnderstood' ||
    (result.outcome === 'error' && result.error.retryable)
  );
}

/** Returns the headers. Values that `fetch` refuses must not look like a lost connection. */
function checkedHeaders(
  { appId, deviceId }: Session,
  idToken: Token,
  requestDate: Date,
  language: string,
) {
  const device = trimmed(deviceId);
  return {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${headerValue(idToken, 'ID token')}`,
    'App-Id': headerValue(appId, 'App-Id'),
    // A code must not wait for an id that no one needs. Libraries return '' or null for none.
    'Device-Id': DEVICE_ID.test(device) ? device : NO_DEVICE_ID,
    [REQUEST_DATE]: requestDate.toISOString(),
    'Accept-Language': language,
  };
}

function headerValue(value: unknown, name: string): string {
  const text = trimmed(value);
  if (!HEADER_VALUE.test(text)) throw new Error(`${name} cannot be a header.`);
  return text;
}

function trimmed(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Replaces `AbortSignal.any`, which React Native lacks. Aborts with `outer`, or on timeout. */
export function timeLimit(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  const timer = setTimeout(abort, TIMEOUT_MS);
  outer?.addEventListener('abort', abort);
  if (outer?.aborted) abort();
  const { signal } = controller;
  return {
    signal,
    /** Runs a function of the app, which does not know the signal, until the signal aborts. */
    race: <T>(run: () => T | Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        if (signal.aborted) throw signal.reason;
        signal.addEventListener('abort', () => reject(signal.reason));
        Promise.resolve(run()).then(resolve, reject);
      }),
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

interface Envelope {
  readonly errors: readonly ErrorEntry[];
  readonly warnings: readonly string[];
  readonly notices: readonly string[];
  readonly data: unknown;
}

function resultOf<TData>(
  text: string,
  status: number,
  base: { readonly requestDate: Date; readonly requestId: string | undefined },
): Result<TData> {
  const envelope = readEnvelope(text);
  if (!envelope) return { ...base, outcome: 'notUnderstood', status };
  const { errors, warnings, notices, data } = envelope;
  if (errors.length === 0)
    return { ...base, outcome: 'success', data: data as TData, warnings, notices };
  const error = data as ErrorData;
  return error.code === 'NotAuthorizedException'
    ? { ...base, outcome: 'tokenExpired', error }
    : { ...base, outcome: 'error', error, errors, warnings };
}

/** Parses a response body; undefined if it lacks the four keys of the envelope. */
function readEnvelope(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { errors, warnings, notices, data } = (value ?? {}) as Partial<Envelope>;
  const hasLists = [errors, warnings, notices].every(Array.isArray);
  return hasLists && data instanceof Object ? (value as Envelope) : undefined;
}
