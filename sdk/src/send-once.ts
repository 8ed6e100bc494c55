import type { paths } from './openapi.ts';
import type { ErrorData, ErrorEntry, Result, Session, Token } from './types.ts';

/** The service answers within 20 seconds. */
const TIMEOUT_MS = 25_000;
// Tab, printable ASCII and Latin-1: the field values of RFC 9110 that the Fetch standard sends.
const HEADER_VALUE = /^[\t -~\x80-\xff]+$/;
/** Response headers of the gateway. */
const [REQUEST_ID, DATE] = ['x-amzn-RequestId', 'Date'];
/** The request header whose value identifies a request. */
export const REQUEST_DATE = 'Request-Date';

/** A request that can be sent several times. */
export interface Message {
  readonly path: keyof paths;
  readonly body: object;
  readonly requestDate: Date;
  readonly signal: AbortSignal | undefined;
}

/** The outcome of sending a message. */
export interface Answer<TData> {
  readonly result: Result<TData>;
  /** The server's time, in milliseconds since 1970. */
  readonly serverTime: number | undefined;
  /** True if the service may have accepted the message: it was sent, and not refused. */
  readonly mayBeAccepted: boolean;
}

/** Sends a request once. Never throws. */
export async function sendOnce<TData>(
  session: Session,
  { path, body, requestDate, signal }: Message,
): Promise<Answer<TData>> {
  const unanswered = { requestDate, requestId: undefined };
  const unsent = { serverTime: undefined, mayBeAccepted: false };
  const { baseUrl, fetch = globalThis.fetch } = session;
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`;
  const limit = timeLimit(signal);
  let mayBeAccepted = false;
  let response: Response;
  let text: string;
  try {
    const idToken = await limit.race(() => session.idToken());
    let init: RequestInit;
    try {
      const headers = checkedHeaders(session, idToken, requestDate);
      init = { method: 'POST', headers, body: JSON.stringify(body), signal: limit.signal };
    } catch (cause) {
      return { ...unsent, result: { ...unanswered, outcome: 'notSent', cause } };
    }
    response = await limit.race(() => {
      mayBeAccepted = true;
      return fetch(url, init);
    });
    text = await limit.race(() => response.text());
  } catch (cause) {
    return { ...unsent, mayBeAccepted, result: { ...unanswered, outcome: 'noAnswer', cause } };
  } finally {
    limit.clear();
  }
  const requestId = response.headers.get(REQUEST_ID) ?? undefined;
  const result = resultOf<TData>(text, response.status, { requestDate, requestId });
  return {
    result,
    serverTime: Date.parse(response.headers.get(DATE) ?? '') || undefined,
    mayBeAccepted: result.outcome === 'success' || canRetryHelp(result),
  };
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
function checkedHeaders(session: Session, idToken: Token, requestDate: Date) {
  if (!idToken) throw new Error('There is no ID token.');
  const { appId, deviceId } = session;
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${idToken}`,
    'App-Id': appId,
    'Device-Id': deviceId,
    [REQUEST_DATE]: requestDate.toISOString(),
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_VALUE.test(value)) throw new Error(`The header ${name} has no valid value.`);
  }
  return headers;
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
  return hasLists && typeof data === 'object' && data !== null ? (value as Envelope) : undefined;
}
