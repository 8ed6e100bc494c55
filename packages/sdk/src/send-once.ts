import type { Path } from './openapi.ts';
import { TIMEOUT_MS, within } from './time-limit.ts';
import type { ErrorData, ErrorEntry, Result, Session, Token } from './types.ts';

// Tab, printable ASCII and Latin-1: the field values of RFC 9110 that the Fetch standard sends.
const HEADER_VALUE = /^[\t -~\x80-\xff]+$/;
/** Matches a base URL that `fetch` accepts: another one must not look like a lost connection. */
const BASE_URL = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i;
/** The ids that the service promises to accept. */
const ID = /^[ -~]{1,128}$/;
/** The Device-Id of a phone that permits no tracking. */
const NO_DEVICE_ID = '00000000-0000-0000-0000-000000000000';
/** A device id that no share of a rollout includes. */
const NO_INSTALLATION_ID = '0';
/** Longest `Retry-After` that is obeyed, in milliseconds. The service sends 5 seconds. */
const MAX_RETRY_AFTER_MS = 60_000;
/** The request header whose value identifies a request. */
export const REQUEST_DATE = 'Request-Date';

/** A request that can be sent several times. */
export interface Message {
  readonly path: Path;
  readonly body: object;
  readonly requestDate: Date;
  /** The value of `Accept-Language`. */
  readonly language: string;
  /** The id in the header. Without one, it is not sent; one that no header can have is replaced. */
  readonly installationId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The outcome of sending a message. */
export interface Answer<TData> {
  readonly result: Result<TData>;
  /** The server's time, in milliseconds since 1970. */
  readonly serverTime?: number | undefined;
  /** Time for which the server wants no further request, in milliseconds. */
  readonly retryAfterMs: number;
  /** The headers of the response. */
  readonly headers?: Headers;
  /** The token of the request. */
  readonly idToken?: Token;
}

/** Sends a request once. Never throws. */
export async function sendOnce<TData>(session: Session, message: Message): Promise<Answer<TData>> {
  const { path, requestDate } = message;
  const failed = (outcome: 'notSent' | 'noAnswer', cause: unknown): Answer<TData> => ({
    result: { requestDate, requestId: undefined, outcome, cause },
    retryAfterMs: 0,
  });
  const { fetch = globalThis.fetch } = session;

  async function exchange(signal: AbortSignal): Promise<Answer<TData>> {
    const idToken = await session.idToken();
    if (signal.aborted) throw signal.reason;
    let url: string;
    let init: RequestInit;
    try {
      url = urlOf(session, path);
      // Another host must not get the App-Id and the body. A domain may lead from HTTP to HTTPS.
      const redirect = /^https:/i.test(url) ? 'error' : 'follow';
      init = { ...requestOf(session, idToken, message), signal, redirect };
    } catch (cause) {
      return failed('notSent', cause);
    }
    const response = await fetch(url, init);
    const { status, headers } = response;
    const base = { requestDate, requestId: headers.get('x-amzn-RequestId') ?? undefined };
    const result = resultOf<TData>(path, await response.text(), status, base);
    const serverTime = Date.parse(headers.get('Date') ?? '') || undefined;
    // Only the service may ask for a pause: something in between could silence the app for days.
    const retryAfter = result.outcome === 'error' && headers.get('Retry-After');
    const retryAfterMs = retryAfter ? pauseOf(retryAfter, serverTime) : 0;
    return { result, serverTime, retryAfterMs, headers, idToken };
  }

  try {
    return await within(TIMEOUT_MS, exchange, message.signal);
  } catch (cause) {
    return failed('noAnswer', cause);
  }
}

/** Returns the pause that a `Retry-After` asks for: seconds or a date (RFC 9110, 10.2.3). */
function pauseOf(retryAfter: string, serverTime = Date.now()): number {
  const pause = Number(retryAfter) * 1000 || Date.parse(retryAfter) - serverTime || 0;
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, pause));
}

/** True if the same request may succeed when it is sent again. */
export function canRetryHelp(result: Result<unknown>): boolean {
  return (
    result.outcome === 'noAnswer' ||
    result.outcome === 'notUnderstood' ||
    (result.outcome === 'error' && result.error.retryable)
  );
}

/** Returns a request. Values that `fetch` refuses must not look like a lost connection. */
function requestOf(
  { appId, deviceId }: Session,
  idToken: Token,
  { body, requestDate, language, installationId }: Message,
): RequestInit {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${stringOf(idToken, 'ID token')}`,
    'App-Id': stringOf(appId, 'App-Id'),
    // A code must not wait for an id that no one needs. Libraries return '' or null for none.
    'Device-Id': idOr(NO_DEVICE_ID, deviceId),
    [REQUEST_DATE]: requestDate.toISOString(),
    'Accept-Language': language,
    ...(installationId !== undefined && {
      'Installation-Id': idOr(NO_INSTALLATION_ID, installationId),
    }),
  };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

function urlOf({ baseUrl }: Session, path: Path): string {
  const url = stringOf(baseUrl, 'baseUrl', BASE_URL, 'is no HTTP URL');
  // Finds ports and hosts that cannot be. Some engines have no URL.
  void (globalThis.URL && new URL(url));
  return url.replace(/\/+$/, '') + path;
}

/** Returns a value of the session without spaces around it. Throws if it has another form. */
function stringOf(
  value: unknown,
  name: string,
  form = HEADER_VALUE,
  problem = 'cannot be a header',
): string {
  const text = trimmed(value);
  if (form.test(text)) return text;
  const found =
    typeof value === 'string' ? problem : `must be a string, not ${value && typeof value}`;
  throw new Error(`${name} ${found}.`);
}

/** True if a header can have the value, and the service accepts it as an id. */
export function isSendableId(value: unknown): value is string {
  return ID.test(trimmed(value));
}

function idOr(none: string, value: unknown): string {
  return isSendableId(value) ? value.trim() : none;
}

function trimmed(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** A response body. */
interface Envelope {
  readonly errors: readonly ErrorEntry[];
  readonly warnings: readonly string[];
  readonly notices: readonly string[];
  readonly data: Partial<Record<keyof ErrorData | 'fields', unknown>>;
}

/** Recognizes the data of an error, and of what answers with a sentence. */
const isMessage = ({ message }: Envelope['data']) => typeof message === 'string';
/** Recognizes the data of a success of each path. */
const IS_DATA: Readonly<Record<Path, typeof isMessage>> = {
  '/customData/getConfig': ({ fields }) => Array.isArray(fields),
  '/promoCode/apply': isMessage,
};

function resultOf<TData>(
  path: Message['path'],
  text: string,
  status: number,
  base: { readonly requestDate: Date; readonly requestId: string | undefined },
): Result<TData> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {}
  const { errors, warnings, notices, data } = Object(body) as Envelope;
  const isSuccess = errors?.length === 0;
  const found = Object(data) as Envelope['data'];
  const hasData = isSuccess ? IS_DATA[path](found) : isMessage(found);
  if (!hasData || ![errors, warnings, notices].every(Array.isArray))
    return { ...base, outcome: 'notUnderstood', status };
  if (isSuccess) return { ...base, outcome: 'success', data: data as TData, warnings, notices };
  const error = data as ErrorData;
  return error.code === 'NotAuthorizedException'
    ? { ...base, outcome: 'tokenExpired', error }
    : { ...base, outcome: 'error', error, errors, warnings };
}
