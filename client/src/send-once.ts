import { EXPOSED_HEADERS, headersOf } from '../../functions/api/request-headers.ts';
import type { paths } from './openapi.ts';
import type { ErrorData, ErrorEntry, Result, Session } from './types.ts';

/** The service answers within 20 seconds. */
const TIMEOUT_MS = 25_000;
// Tab, printable ASCII and Latin-1: what the Fetch standard sends of RFC 9110's field values.
const HEADER_VALUE = /^[\t -~\x80-\xff]+$/;
const [REQUEST_ID, DATE] = EXPOSED_HEADERS;

/** A request, as it is sent each time. */
export interface Message {
  readonly path: keyof paths;
  readonly body: object;
  readonly requestDate: Date;
  readonly signal: AbortSignal | undefined;
}

/** What became of a message. */
export interface Answer<TData> {
  readonly result: Result<TData>;
  /** The time of the server, in milliseconds since 1970. */
  readonly serverTime: number | undefined;
}

/** Sends a request once. Never throws. */
export async function sendOnce<TData>(
  session: Session,
  { path, body, requestDate, signal }: Message,
): Promise<Answer<TData>> {
  const unanswered = { requestDate, requestId: undefined };
  let headers: Readonly<Record<string, string>>;
  let json: string;
  try {
    headers = await checkedHeaders(session, requestDate);
    json = JSON.stringify(body);
  } catch (cause) {
    return { result: { ...unanswered, outcome: 'notSent', cause }, serverTime: undefined };
  }

  const { baseUrl, fetch = globalThis.fetch } = session;
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`;
  const limit = timeLimit(signal);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { method: 'POST', headers, body: json, signal: limit.signal });
    text = await response.text();
  } catch (cause) {
    return { result: { ...unanswered, outcome: 'noAnswer', cause }, serverTime: undefined };
  } finally {
    limit.clear();
  }
  const requestId = response.headers.get(REQUEST_ID) ?? undefined;
  return {
    result: resultOf(text, response.status, { requestDate, requestId }),
    serverTime: Date.parse(response.headers.get(DATE) ?? '') || undefined,
  };
}

/** The headers of a request. A value that `fetch` would refuse must not look like a connection that failed. */
async function checkedHeaders(session: Session, requestDate: Date) {
  const idToken = await session.idToken();
  if (!idToken) throw new Error('There is no ID token.');
  const { appId, deviceId } = session;
  const headers = headersOf({ idToken, appId, deviceId, requestDate: requestDate.toISOString() });
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_VALUE.test(value)) throw new Error(`The header ${name} has no valid value.`);
  }
  return headers;
}

/** A signal that aborts when another one does, and after the timeout. React Native has no `AbortSignal.any`. */
function timeLimit(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  const timer = setTimeout(abort, TIMEOUT_MS);
  outer?.addEventListener('abort', abort);
  if (outer?.aborted) abort();
  return {
    signal: controller.signal,
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
