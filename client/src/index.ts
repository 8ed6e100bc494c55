import { headersOf } from '../../functions/api/request-headers.ts';
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

/** The caller, and the service that it calls. */
export interface Session {
  /** The base URL of the API: the output `ApiUrl` of a deployment. */
  readonly baseUrl: string;
  /** The API key that was issued to the app. */
  readonly appId: string;
  /** The advertising id from the app's initial installation; all zeros if the phone provides none. */
  readonly deviceId: string;
  /** Returns the user's current ID token. Called before each request. */
  readonly idToken: () => string | Promise<string>;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  /**
   * The date of the request; the default is now. To send a request again, pass its original date. The service recognizes
   * a duplicate by it.
   */
  readonly requestDate?: Date;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** The result of a request. Check `outcome` first. */
export type Result<TData> =
  | {
      readonly outcome: 'success';
      readonly data: TData;
      readonly warnings: readonly string[];
      readonly notices: readonly string[];
    }
  | Failure;

/** A failed request. To send it again, pass its `requestDate`. */
export type Failure = { readonly requestDate: Date } & (
  | {
      /** The ID token has expired: refresh it and send the request again. */
      readonly outcome: 'tokenExpired';
      readonly error: ErrorData;
    }
  | {
      /** The service refused the request, or failed. `error.retryable` says whether a retry can help. */
      readonly outcome: 'error';
      readonly error: ErrorData;
      readonly errors: readonly ErrorEntry[];
      readonly warnings: readonly string[];
    }
  | {
      /** The request was not sent: `idToken` failed, or a value cannot be a header. A retry does not help. */
      readonly outcome: 'notSent';
      readonly cause: unknown;
    }
  | {
      /** No response arrived, or the signal aborted the request. The service may have received it: send it again. */
      readonly outcome: 'noAnswer';
      readonly cause: unknown;
    }
  | {
      /** The response is not from this service, but from something between it and the app, such as a proxy. */
      readonly outcome: 'notUnderstood';
      readonly status: number;
    }
);

/** Gets the data collection components that the app presents. Never throws: the result describes a failure. */
export function getConfig(
  session: Session,
  request: GetConfigRequest,
  options?: RequestOptions,
): Promise<Result<Configuration>> {
  return post(session, '/customerData/getConfig', request, options);
}

/** Applies a promo code to the user's account, once. Never throws: the result describes a failure. */
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

  const envelope = readEnvelope(text);
  if (!envelope) return { outcome: 'notUnderstood', requestDate, status };
  const { errors, warnings, notices, data } = envelope;
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
