/**
 * The error table: one class for each error of the API, with its status, code and retryability. The
 * gateway's own errors (`lib/api/gateway-responses.ts`) use the same classes.
 */

import { HEADERS, type HeaderName, MAX_HEADER_BYTES } from './request-headers.ts';

/** One problem of a request. */
export interface Problem {
  readonly message: string;
  /** JSON Pointer (RFC 6901) to the problem, if it is in the request body. */
  readonly pointer?: string;
  readonly header?: HeaderName;
  /** Why the header is refused. */
  readonly reason?: 'missing' | 'malformed' | 'wrongClock';
}

/** Base class of the errors that become responses. `cause` is logged, but never sent. */
export abstract class ApiError extends Error {
  abstract readonly statusCode: number;
  abstract readonly code: string;
  /** True if the same request can succeed later. */
  abstract readonly retryable: boolean;
  readonly problems: readonly Problem[];
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>> = {};

  constructor(message: string, options?: ErrorOptions & { problems?: readonly Problem[] }) {
    super(message, options);
    this.problems = options?.problems ?? [{ message }];
  }
}

/**
 * A header is missing or malformed, or the token, the App-Id or the clientId is not accepted.
 * Without `problems`, the response does not tell which: only an attacker would benefit.
 */
export class UnauthorizedError extends ApiError {
  override readonly statusCode = 401;
  override readonly code = 'Unauthorized';
  override readonly retryable = false;

  constructor(options?: ErrorOptions & { problems?: readonly Problem[] }) {
    super('Unauthorized', {
      problems: [{ message: 'The token, the App-Id or the clientId was not accepted.' }],
      ...options,
    });
  }
}

/** A valid token has expired: the app must refresh it. Code and message are the spec's. */
export class TokenExpiredError extends ApiError {
  override readonly statusCode = 400;
  override readonly code = 'NotAuthorizedException';
  override readonly retryable = false;

  constructor(options?: ErrorOptions) {
    const message = 'Access Token has expired';
    super(message, { problems: [{ message, header: HEADERS.authorization.name }], ...options });
  }
}

/** The body is not JSON, or one of its properties is missing or wrong. */
export class ValidationError extends ApiError {
  override readonly statusCode = 400;
  override readonly code = 'ValidationException';
  override readonly retryable = false;

  constructor(problems: readonly [Problem, ...Problem[]]) {
    super(problems.map(({ message }) => message).join(' '), { problems });
  }
}

/**
 * API Gateway cannot read the request. Its code is not that of a wrong body: the body may be right,
 * and an app should not give it up.
 */
export class BadRequestError extends ApiError {
  override readonly statusCode = 400;
  override readonly code = 'BadRequestException';
  override readonly retryable = false;

  constructor(options?: ErrorOptions) {
    super(
      `The gateway cannot read the request: it has headers of more than ${MAX_HEADER_BYTES.toLocaleString('en')} bytes, or is malformed HTTP. Send a shorter ID token or fewer headers.`,
      options,
    );
  }
}

/** The token does not belong to the user in the request. */
export class ForbiddenError extends ApiError {
  override readonly statusCode = 403;
  override readonly code = 'ForbiddenException';
  override readonly retryable = false;

  constructor(options?: ErrorOptions) {
    super('The token does not belong to the user in userId.', options);
  }
}

/** A rule of the web ACL flagged the request as an attack. A retry would be blocked again. */
export class RequestBlockedError extends ApiError {
  override readonly statusCode = 403;
  override readonly code = 'ForbiddenException';
  override readonly retryable = false;

  constructor(options?: ErrorOptions) {
    super('The request was blocked, because it looks like an attack.', options);
  }
}

/** The path does not exist. */
export class ResourceNotFoundError extends ApiError {
  override readonly statusCode = 404;
  override readonly code = 'ResourceNotFoundException';
  override readonly retryable = false;

  constructor(options?: ErrorOptions) {
    super('There is no such path. Every operation is a POST.', options);
  }
}

/** The path exists, but not with this method. */
export class MethodNotAllowedError extends ApiError {
  override readonly statusCode = 405;
  override readonly code = 'MethodNotAllowedException';
  override readonly retryable = false;
  /** RFC 9110 section 15.5.6. */
  override readonly headers = { Allow: 'POST' };

  constructor(options?: ErrorOptions) {
    super('The method is not allowed. Every operation is a POST.', options);
  }
}

/** The body is larger than the service accepts. */
export class PayloadTooLargeError extends ApiError {
  override readonly statusCode = 413;
  override readonly code = 'PayloadTooLargeException';
  override readonly retryable = false;
}

/** API Gateway cannot decompress the body, or does not know its coding or its media type. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly statusCode = 415;
  override readonly code = 'UnsupportedMediaTypeException';
  override readonly retryable = false;

  constructor(options?: ErrorOptions) {
    super(
      'The body is not in the form that Content-Encoding or Content-Type names. Send application/json, plain or compressed with gzip or deflate.',
      options,
    );
  }
}

/**
 * RFC 9110 section 10.2.3. The gateway takes more calls after a second; the rest spares a service
 * that recovers.
 */
const RETRY_AFTER = { 'Retry-After': '5' };

/** Throttled by the gateway, or beyond a rate limit of the web ACL. */
export class ThrottlingError extends ApiError {
  override readonly statusCode = 429;
  override readonly code = 'ThrottlingException';
  override readonly retryable = true;
  override readonly headers = RETRY_AFTER;

  constructor(options?: ErrorOptions) {
    super('Too many requests. Try again later.', options);
  }
}

/** DynamoDB or the key set is unavailable. Never 401: an outage must not log users out. */
export class ServiceUnavailableError extends ApiError {
  override readonly statusCode = 503;
  override readonly code = 'ServiceUnavailableException';
  override readonly retryable = true;
  override readonly headers = RETRY_AFTER;

  constructor(options?: ErrorOptions) {
    super('The service is temporarily unavailable. Try again later.', options);
  }
}

/** Any other error: a defect of ours. The body hides it; the log line has the request id. */
export class InternalServerError extends ApiError {
  override readonly statusCode = 500;
  override readonly code = 'InternalServerError';
  override readonly retryable = true;

  constructor(options?: ErrorOptions) {
    super('The request could not be processed. Try again later.', options);
  }
}
