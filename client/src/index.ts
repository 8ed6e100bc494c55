import { headersOf } from '../../functions/api/headers.ts';
import type { components, paths } from './openapi.ts';

type Schemas = components['schemas'];

export type ApplyPromoCodeRequest = Schemas['ApplyPromoCodeRequest'];
export type Configuration = Schemas['Configuration'];
export type ErrorData = Schemas['ErrorData'];
export type ErrorEntry = Schemas['ErrorEntry'];
export type Field = Schemas['Field'];
export type GetConfigRequest = Schemas['GetConfigRequest'];
export type PromoCodeApplied = Schemas['PromoCodeApplied'];
export type SubField = Schemas['SubField'];

/** Who is calling, and where. */
export interface Session {
  /** The base URL of the API, without a slash at its end: the output `ApiUrl` of a deployment. */
  readonly baseUrl: string;
  /** The API key that was issued to the app. */
  readonly appId: string;
  /** The advertising id from the app's initial installation; all zeros where the phone gives none. */
  readonly deviceId: string;
  /** Gives the current ID token of the user; asked before each request. */
  readonly idToken: () => string | Promise<string>;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  /**
   * The date of the request; now when it is left out. To send a request again, give it the date that it had: that is
   * how the service knows it is the same one.
   */
  readonly requestDate?: Date;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

/** What became of a request: look at `outcome` first. */
export type Result<TData> =
  | {
      readonly outcome: 'success';
      readonly data: TData;
      readonly warnings: readonly string[];
      readonly notices: readonly string[];
    }
  | Failure;

/** What went wrong. To send the same request again, pass its `requestDate`. */
export type Failure = { readonly requestDate: Date } & (
  | {
      /** The ID token has expired: refresh it and send the request again. */
      readonly outcome: 'tokenExpired';
      readonly error: ErrorData;
    }
  | {
      /** The service refused the request or failed; `error.retryable` says whether a later try can help. */
      readonly outcome: 'error';
      readonly error: ErrorData;
      readonly errors: readonly ErrorEntry[];
      readonly warnings: readonly string[];
    }
  | {
      /** It was not sent: there was no token, or something cannot be a header. Sending it again does not help. */
      readonly outcome: 'notSent';
      readonly cause: unknown;
    }
  | {
      /** No answer arrived, or the signal ended the request. Whether the service got it is not known: send it again. */
      readonly outcome: 'noAnswer';
      readonly cause: unknown;
    }
  | {
      /** The answer is none of this service: something between it and the app answered in its place. */
      readonly outcome: 'notUnderstood';
      readonly status: number;
    }
);

/** Asks which data collection components the app presents. Never throws: what went wrong is in the result. */
export function getConfig(
  session: Session,
  request: GetConfigRequest,
  options?: RequestOptions,
): Promise<Result<Configuration>> {
  return post(session, '/customerData/getConfig', request, options);
}

/** Applies a promo code to the user's account, once. Never throws: what went wrong is in the result. */
export function applyPromoCode(
  session: Session,
  request: ApplyPromoCodeRequest,
  options?: RequestOptions,
): Promise<Result<PromoCodeApplied>> {
  return post(session, '/promoCode/apply', request, options);
}

async function post<TData>(
  session: Session,
  path: keyof paths,
  body: object,
  { requestDate = new Date(), signal }: RequestOptions = {},
): Promise<Result<TData>> {
  const { baseUrl, fetch = globalThis.fetch } = session;
  let headers: Headers;
  try {
    headers = new Headers(
      headersOf({
        idToken: await session.idToken(),
        appId: session.appId,
        deviceId: session.deviceId,
        requestDate: requestDate.toISOString(),
      }),
    );
  } catch (cause) {
    return { outcome: 'notSent', requestDate, cause };
  }

  let status: number;
  let text: string;
  try {
    const init = { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) };
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, init);
    status = response.status;
    text = await response.text();
  } catch (cause) {
    return { outcome: 'noAnswer', requestDate, cause };
  }

  const answer = readEnvelope(text);
  if (!answer) return { outcome: 'notUnderstood', requestDate, status };
  const { errors, warnings, notices, data } = answer;
  if (errors.length === 0) return { outcome: 'success', data: data as TData, warnings, notices };
  const error = data as ErrorData;
  return error.code === 'NotAuthorizedException'
    ? { outcome: 'tokenExpired', requestDate, error }
    : { outcome: 'error', requestDate, error, errors, warnings };
}

interface Envelope {
  readonly errors: readonly ErrorEntry[];
  readonly warnings: readonly string[];
  readonly notices: readonly string[];
  readonly data: unknown;
}

/** Reads the four keys that every answer has; undefined when the text has not. */
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
