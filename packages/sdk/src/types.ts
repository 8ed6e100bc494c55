import type { ConfigurationResult, ErrorEntry, ErrorData as StatedError } from './openapi.ts';

export type {
  ApplyPromoCodeRequest,
  ErrorEntry,
  Field,
  GetConfigRequest,
  PromoCodeApplied,
  SubField,
} from './openapi.ts';

/** The data collection components, with what an app stores with the answers, or reports. */
export interface Configuration extends ConfigurationResult {
  /**
   * The digest of this configuration, as the history of operators has it. A service of release
   * 0.1.0 sends none.
   */
  readonly configVersion?: string | undefined;
  /** The language of its texts (BCP 47), if the client has several. */
  readonly language?: string | undefined;
  /** The time when it was stored (ISO 8601). Only a stored copy has it. */
  readonly storedAt?: string | undefined;
}

/** The error codes, each with what an app should do. */
export interface ErrorCodes {
  /** The ID token has expired. Refresh it and send the request again, with its `requestDate`. */
  readonly NotAuthorizedException: 400;
  /** The body is wrong: each entry of `errors` has a `pointer` to a problem. Fix the app. */
  readonly ValidationException: 400;
  /**
   * The gateway cannot read the request, such as with headers of more than 10,240 bytes: a long ID
   * token. The body may be right.
   */
  readonly BadRequestException: 400;
  /**
   * The clock is wrong if an entry of `errors` has the `header` `Request-Date`. With another
   * `header`, fix the app. Without one, the token, the App-Id or the clientId is not accepted: sign
   * in again, once.
   */
  readonly Unauthorized: 401;
  /**
   * The token does not belong to `userId` if an entry of `errors` has a `pointer`: send that
   * customer's token. Otherwise, a firewall blocked the request: report it.
   */
  readonly ForbiddenException: 403;
  /** The path is wrong. Fix `baseUrl`. */
  readonly ResourceNotFoundException: 404;
  /** The method is wrong. The app SDK does not cause it. */
  readonly MethodNotAllowedException: 405;
  /** The body is larger than 16 KB. Fix the app. */
  readonly PayloadTooLargeException: 413;
  /** The gateway cannot decompress the body. The app SDK does not cause it. */
  readonly UnsupportedMediaTypeException: 415;
  /** Too many requests. Send it again later, as `retry` does. */
  readonly ThrottlingException: 429;
  /** The service failed. Send it again later, as `retry` does. If it lasts, report `requestId`. */
  readonly InternalServerError: 500;
  /**
   * A service behind the API is down. Send it again later, as `retry` does. Never sign a customer
   * out because of it.
   */
  readonly ServiceUnavailableException: 503;
}

export type ErrorCode = keyof ErrorCodes;

/** The error of a response. */
export interface ErrorData extends Omit<StatedError, 'code'> {
  /** One of `ErrorCodes`. A later release may add more: for those, decide by `retryable`. */
  code: ErrorCode | (string & Record<never, never>);
}

/** Storage that survives the app: `indexedDbStorage()`, `AsyncStorage` or `localStorage`. */
export interface AppStorage {
  readonly getItem: (key: string) => MaybePromise<string | null | undefined>;
  readonly setItem: (key: string, value: string) => unknown;
}

export type MaybePromise<T> = T | Promise<T>;

/** The caller and the service. Keep one per signed-in customer: it remembers clock errors. */
export interface Session {
  /** The base URL of the API: the output `ApiUrl` of a deployment. */
  readonly baseUrl: string;
  /** The App-Id that was issued to the app. */
  readonly appId: string;
  /**
   * The advertising id from the app's first installation. If there is none, or a header cannot have
   * it, the service gets zeros.
   */
  readonly deviceId: string | null | undefined;
  /**
   * The language that the customer chose in the app, such as `de` (BCP 47). By default, or if they
   * chose none, the languages of the platform. Read for each request: when the customer changes the
   * language, change it here, and load the configuration again.
   */
  language?: string | null | undefined;
  /**
   * Returns this customer's current ID token, a string, never another customer's; nothing, or `''`,
   * if they are not signed in. Called before each attempt, and before a refresh. If it rejects, for
   * example without a connection, the outcome is `noAnswer`, and `retry` calls it again.
   */
  readonly idToken: () => MaybePromise<Token>;
  /**
   * Refreshes the tokens, so that `idToken` returns a new one. With `retry`, called once if the
   * token has expired and `idToken` has no other one. Concurrent requests of a session share the
   * call.
   */
  readonly refreshTokens?: () => unknown;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

export type Token = string | null | undefined;

export interface RequestOptions {
  /**
   * The date of the request; default: now. To send a request again, pass its original date, by
   * which the service recognizes duplicates.
   */
  readonly requestDate?: Date;
  /** Aborts the request, and stops retries. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends the request again if there is no answer, the answer is not from the service, or the error
   * is `retryable`: after random, growing pauses, never before the `Retry-After` of the service (up
   * to a minute), for up to `retryMs`. It also refreshes an expired token, once. By default, the
   * request is sent once.
   *
   * The date stays the same, unless the service refuses it. Then the request is sent once more with
   * the current date, by the clock of the service: the code is applied once, and if an earlier
   * attempt had arrived, the outcome is `repeated`.
   */
  readonly retry?: boolean;
  /** Time for which `retry` tries, in milliseconds; default: 60,000. */
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
  /** The date with which the request was sent. */
  readonly requestDate: Date;
  /** The service's id of the request, to report problems with; undefined without an answer. */
  readonly requestId: string | undefined;
}

type FailureKind =
  | {
      /** The ID token has expired: refresh it and send the request again. */
      readonly outcome: 'tokenExpired';
      readonly error: ErrorData;
    }
  | {
      /** The service refused the request or failed. `error.retryable` tells if a retry can help. */
      readonly outcome: 'error';
      readonly error: ErrorData;
      readonly errors: readonly ErrorEntry[];
      readonly warnings: readonly string[];
    }
  | {
      /**
       * Not sent: the ID token, the App-Id or the `baseUrl` is missing, no string, or wrong. The
       * cause says which. A retry does not help.
       */
      readonly outcome: 'notSent';
      readonly cause: unknown;
    }
  | {
      /**
       * No response in 25 seconds, a failed connection or `idToken`, a redirect from HTTPS, or an
       * aborted signal. The service may have received the request: send it again.
       */
      readonly outcome: 'noAnswer';
      readonly cause: unknown;
    }
  | {
      /** The response is not from the service, but from a proxy, for example. Send it again. */
      readonly outcome: 'notUnderstood';
      readonly status: number;
    };
