/**
 * The error table: one row for each error of the API, with its status, its code, whether the same
 * request can succeed later, and its message. The gateway's own errors
 * (`lib/api/gateway-responses.ts`) are rows, too.
 */

import { HEADERS, type HeaderName } from './request-headers.ts';

/** One problem of a request. */
export interface Problem {
  readonly message: string;
  /** JSON Pointer (RFC 6901) to the problem, if it is in the request body. */
  readonly pointer?: string;
  readonly header?: HeaderName;
  /** The reason why the header is refused. */
  readonly reason?: 'missing' | 'malformed' | 'wrongClock';
}

interface ApiErrorOptions extends ErrorOptions {
  readonly problems?: readonly Problem[];
  /**
   * Tells causes of one code apart, for programs that read the log: `foreignAppId`, `otherUser`,
   * `unverified`, or the property of the body that has a wrong string. Never sent.
   */
  readonly mistake?: string | undefined;
}

/** Base class of the errors that become responses. `cause` is logged, but never sent. */
export abstract class ApiError extends Error {
  abstract readonly statusCode: number;
  abstract readonly code: string;
  /** True if the same request can succeed later. */
  abstract readonly retryable: boolean;
  readonly problems: readonly Problem[];
  readonly mistake: string | undefined;
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>> = {};

  constructor(message: string, options?: ApiErrorOptions) {
    super(message, options);
    this.problems = options?.problems ?? [{ message }];
    this.mistake = options?.mistake ?? this.problems[0]?.reason;
  }
}

/** A row of the table: the class of an error. */
function row(
  statusCode: number,
  code: string,
  retryable: 'retryable' | 'final',
  text: string,
  {
    headers = {},
    problem = {},
  }: { headers?: ApiError['headers']; problem?: Partial<Problem> } = {},
) {
  return class extends ApiError {
    override readonly statusCode = statusCode;
    override readonly code = code;
    override readonly retryable = retryable === 'retryable';
    override readonly headers = headers;

    constructor(options?: ApiErrorOptions, message = text) {
      super(message, { problems: [{ message, ...problem }], ...options });
    }
  };
}

/**
 * RFC 9110 section 10.2.3. The gateway takes more calls after a second; the rest spares a service
 * that recovers.
 */
const RETRY_LATER = { headers: { 'Retry-After': '5' } };

/**
 * A header is missing or malformed, or the token, the App-Id or the clientId is not accepted.
 * Without `problems`, the response does not tell which: only an attacker would benefit.
 */
export class UnauthorizedError extends row(401, 'Unauthorized', 'final', 'Unauthorized', {
  problem: { message: 'The token, the App-Id or the clientId was not accepted.' },
}) {}

/** A valid token has expired: the app must refresh it. Code and message are the spec's. */
export class TokenExpiredError extends row(
  400,
  'NotAuthorizedException',
  'final',
  'Access Token has expired',
  { problem: { header: HEADERS.authorization.name } },
) {}

/** The body is not JSON, or one of its properties is missing or wrong. */
export class ValidationError extends row(400, 'ValidationException', 'final', '') {
  constructor(problems: readonly [Problem, ...Problem[]], mistake?: string) {
    super({ problems, mistake }, problems.map(({ message }) => message).join(' '));
  }
}

/**
 * API Gateway cannot read the request. Its code is not that of a wrong body: the body may be right,
 * and an app should not give it up.
 */
export class BadRequestError extends row(
  400,
  'BadRequestException',
  'final',
  `The gateway cannot read the request: it has headers of more than 10,240 bytes, or is malformed HTTP. Send a shorter ID token or fewer headers.`,
) {}

/** The token does not belong to the user in the request. */
export class ForbiddenError extends row(
  403,
  'ForbiddenException',
  'final',
  'The token does not belong to the user in userId.',
) {
  /** @param reason what is wrong with a claim of the token. */
  constructor(reason = 'sub is not userId', mistake: 'otherUser' | 'unverified' = 'otherUser') {
    const message = `The token does not belong to the user in userId: the claim ${reason}.`;
    const cause = new Error(`the claim ${reason}`);
    super({ problems: [{ message, pointer: '/userId' }], cause, mistake });
  }
}

/** A rule of the web ACL flagged the request as an attack. A retry would be blocked again. */
export class RequestBlockedError extends row(
  403,
  'ForbiddenException',
  'final',
  'The request was blocked, because it looks like an attack.',
) {}

/** The path does not exist. */
export class ResourceNotFoundError extends row(
  404,
  'ResourceNotFoundException',
  'final',
  'There is no such path. Every operation is a POST.',
) {}

/** The path exists, but not with this method. RFC 9110 section 15.5.6 requires `Allow`. */
export class MethodNotAllowedError extends row(
  405,
  'MethodNotAllowedException',
  'final',
  'The method is not allowed. Every operation is a POST.',
  { headers: { Allow: 'POST' } },
) {}

/** The body is larger than the service accepts. */
export class PayloadTooLargeError extends row(413, 'PayloadTooLargeException', 'final', '') {
  constructor(message: string) {
    super({}, message);
  }
}

/** API Gateway cannot decompress the body, or does not know its coding or its media type. */
export class UnsupportedMediaTypeError extends row(
  415,
  'UnsupportedMediaTypeException',
  'final',
  'The body is not in the form that Content-Encoding or Content-Type names. Send application/json, plain or compressed with gzip or deflate.',
) {}

/** Throttled by the gateway, or beyond a rate limit of the web ACL. */
export class ThrottlingError extends row(
  429,
  'ThrottlingException',
  'retryable',
  'Too many requests. Try again later.',
  RETRY_LATER,
) {}

/** Any other error: a defect of ours. The body hides it; the log line has the request id. */
export class InternalServerError extends row(
  500,
  'InternalServerError',
  'retryable',
  'The request could not be processed. Try again later.',
) {}

/** DynamoDB or the key set is unavailable. Never 401: an outage must not log users out. */
export class ServiceUnavailableError extends row(
  503,
  'ServiceUnavailableException',
  'retryable',
  'The service is temporarily unavailable. Try again later.',
  RETRY_LATER,
) {}
