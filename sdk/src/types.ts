import type { components } from './openapi.ts';

type Schemas = components['schemas'];

export type ApplyPromoCodeRequest = Schemas['ApplyPromoCodeRequest'];
export type Configuration = Schemas['Configuration'];
export type ErrorEntry = Schemas['ErrorEntry'];
export type Field = Schemas['Field'];
export type GetConfigRequest = Schemas['GetConfigRequest'];
export type PromoCodeApplied = Schemas['PromoCodeApplied'];
export type SubField = Schemas['SubField'];

/** The codes of errors, each with what an app does about it. */
export interface ErrorCodes {
  /**
   * The ID token has expired. Refresh the tokens and send the request again, with the same
   * `requestDate`.
   */
  readonly NotAuthorizedException: 400;
  /** The body is wrong; each entry of `errors` names a place by its `pointer`. Fix the app. */
  readonly ValidationException: 400;
  /**
   * An entry of `errors` with the `header` `Request-Date`: the clock is wrong. Another `header`:
   * fix the app. No `header`: the token, the App-Id or the clientId is not accepted. Sign in again
   * once.
   */
  readonly Unauthorized: 401;
  /**
   * The token does not belong to `userId`: send that customer's token. Or a firewall blocked the
   * request: report it.
   */
  readonly ForbiddenException: 403;
  /** The path is wrong. Fix `baseUrl`. */
  readonly ResourceNotFoundException: 404;
  /** The method is wrong. This client does not cause it. */
  readonly MethodNotAllowedException: 405;
  /** The body is larger than 16 KB. Fix the app. */
  readonly PayloadTooLargeException: 413;
  /** Too many requests. Send it again later, as `retry` does. */
  readonly ThrottlingException: 429;
  /**
   * The service failed. Send it again later, as `retry` does; if it stays, report the `requestId`.
   */
  readonly InternalServerError: 500;
  /**
   * A service behind the API is down. Send it again later, as `retry` does. Never sign a customer
   * out because of it.
   */
  readonly ServiceUnavailableException: 503;
}

export type ErrorCode = keyof ErrorCodes;

/** The error of a response. */
export interface ErrorData extends Omit<Schemas['ErrorData'], 'code'> {
  /** See `ErrorCodes`. A later version of the service may have more: then decide by `retryable`. */
  code: ErrorCode | (string & Record<never, never>);
}

/**
 * The caller, and the service that it calls. Keep one object per customer who is signed in: what is
 * learned about the clock is kept with it.
 */
export interface Session {
  /** The base URL of the API: the output `ApiUrl` of a deployment. */
  readonly baseUrl: string;
  /** The API key that was issued to the app. */
  readonly appId: string;
  /**
   * The advertising id from the app's initial installation; all zeros if the phone provides none.
   */
  readonly deviceId: string;
  /**
   * Returns the user's current ID token; nothing, or `''`, if nobody is signed in. Called each time
   * that a request is sent. If it rejects, such as without a connection, the outcome is `noAnswer`,
   * and `retry` calls it again.
   */
  readonly idToken: () => Token | Promise<Token>;
  /**
   * Refreshes the tokens, so that `idToken` returns a new one. With `retry`, called once if the
   * token has expired. Requests of one session that find this at the same time share one call.
   */
  readonly refreshTokens?: () => unknown;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
}

export type Token = string | null | undefined;

export interface RequestOptions {
  /**
   * The date of the request; the default is now. To send a request again, pass its original date.
   * The service recognizes a duplicate by it.
   */
  readonly requestDate?: Date;
  /** Aborts the request, and stops retries. */
  readonly signal?: AbortSignal;
  /**
   * Sends the request again, under the same date, after no answer, an answer that is not from the
   * service, and errors that are `retryable`: after random pauses that grow, for up to `retryMs`.
   * It also refreshes an expired token, once, and corrects a wrong clock, once. The default is to
   * send the request once.
   *
   * A wrong clock is the only reason for another date. The service refused the first date, so it
   * did not accept the request under it. If an earlier attempt may have been accepted, or if you
   * passed `requestDate`, the date stays: the service would count the request as a second one.
   */
  readonly retry?: boolean;
  /** For how long `retry` tries, in milliseconds; the default is 60,000. */
  readonly retryMs?: number;
}

/** The result of a request. Check `outcome` first. */
export type Result<TData> = ResultBase &
  (
    | {
        readonly outcome: 'success';
        readonly data: TData;
        readonly warnings: readonly string[];
        readonly notices: readonly string[];
      }
    | FailureKind
  );

/** A failed request. To send it again, pass its `requestDate`. */
export type Failure = ResultBase & FailureKind;

interface ResultBase {
  /** The date under which the request was sent. */
  readonly requestDate: Date;
  /**
   * The id by which the service logged the request, to be reported with a problem; undefined if it
   * did not answer.
   */
  readonly requestId: string | undefined;
}

type FailureKind =
  | {
      /** The ID token has expired: refresh it and send the request again. */
      readonly outcome: 'tokenExpired';
      readonly error: ErrorData;
    }
  | {
      /**
       * The service refused the request, or failed. `error.retryable` says whether a retry can
       * help.
       */
      readonly outcome: 'error';
      readonly error: ErrorData;
      readonly errors: readonly ErrorEntry[];
      readonly warnings: readonly string[];
    }
  | {
      /**
       * The request was not sent: there is no ID token, or a value cannot be a header. A retry does
       * not help.
       */
      readonly outcome: 'notSent';
      readonly cause: unknown;
    }
  | {
      /**
       * No response arrived within 25 seconds, the connection or `idToken` failed, or the signal
       * aborted the request. The service may have received it: send it again.
       */
      readonly outcome: 'noAnswer';
      readonly cause: unknown;
    }
  | {
      /**
       * The response is not from this service, but from something between it and the app, such as a
       * proxy. Send it again.
       */
      readonly outcome: 'notUnderstood';
      readonly status: number;
    };
