import type { components } from './openapi.ts';

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
  /** The ID token has expired: refresh it and send the request again. */
  | { readonly outcome: 'tokenExpired'; readonly error: ErrorData }
  /** The service refused the request or failed; `error.retryable` says whether sending it again later can help. */
  | {
      readonly outcome: 'error';
      readonly error: ErrorData;
      readonly errors: readonly ErrorEntry[];
      readonly warnings: readonly string[];
    }
  /** No answer of the service arrived. Whether it got the request is not known: send it again with the same date. */
  | { readonly outcome: 'noAnswer'; readonly cause: unknown };

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

type Answer<TData> =
  | {
      readonly errors: readonly [];
      readonly warnings: readonly string[];
      readonly notices: readonly string[];
      readonly data: TData;
    }
  | Schemas['ErrorResponse'];

async function post<TData>(
  session: Session,
  path: string,
  body: object,
  { requestDate = new Date(), signal }: RequestOptions = {},
): Promise<Result<TData>> {
  const { baseUrl, appId, deviceId, idToken, fetch = globalThis.fetch } = session;
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${await idToken()}`,
        'App-Id': appId,
        'Device-Id': deviceId,
        'Request-Date': requestDate.toISOString(),
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    return resultOf((await response.json()) as Answer<TData>);
  } catch (cause) {
    return { outcome: 'noAnswer', cause };
  }
}

function resultOf<TData>(answer: Answer<TData>): Result<TData> {
  if (isSuccess(answer)) {
    const { data, warnings, notices } = answer;
    return { outcome: 'success', data, warnings, notices };
  }
  const { data: error, errors, warnings } = answer;
  return error.code === 'NotAuthorizedException'
    ? { outcome: 'tokenExpired', error }
    : { outcome: 'error', error, errors, warnings };
}

function isSuccess<TData>(
  answer: Answer<TData>,
): answer is Extract<Answer<TData>, { errors: readonly [] }> {
  return answer.errors.length === 0;
}
