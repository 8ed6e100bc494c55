/**
 * Every error that a caller can get, one class for each row of the error table: the status, the code and
 * whether a retry can help stand here and nowhere else. The gateway's own errors (`lib/gateway-responses.ts`)
 * are made from the same classes.
 */

/** One problem of a request. `pointer` is a JSON Pointer (RFC 6901) into the request body. */
export interface Problem {
  readonly message: string;
  readonly pointer?: string;
}

/**
 * Base of all errors that become a response. Callers see `message` and `problems`; `cause` is for the log only.
 */
export abstract class ApiError extends Error {
  abstract readonly statusCode: number;
  abstract readonly code: string;
  /** Whether the same request can succeed when it is sent again later. */
  abstract readonly retryable: boolean;
  readonly problems: readonly Problem[];

  constructor(message: string, options?: ErrorOptions & { problems?: readonly Problem[] }) {
    super(message, options);
    this.problems = options?.problems ?? [{ message }];
  }
}

/**
 * A header is missing or malformed, or the token, the App-Id or the clientId is not accepted. Without
 * `problems` the answer does not tell which of them it was: that would help only an attacker.
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

/** The token was good once and has expired: the app must refresh its tokens. Spelled as the spec shows it. */
export class TokenExpiredError extends ApiError {
  override readonly statusCode = 400;
  override readonly code = 'NotAuthorizedException';
  override readonly retryable = false;

  constructor(options?: ErrorOptions) {
    super('Access Token has expired', options);
  }
}

/** The body is not JSON, or a field of it is missing or wrong. */
export class ValidationError extends ApiError {
  override readonly statusCode = 400;
  override readonly code = 'ValidationException';
  override readonly retryable = false;

  constructor(problems: readonly [Problem, ...Problem[]]) {
    super(problems.map(({ message }) => message).join(' '), { problems });
  }
}

/** The token does not belong to the user that the request names. */
export class ForbiddenError extends ApiError {
  override readonly statusCode = 403;
  override readonly code = 'ForbiddenException';
  override readonly retryable = false;

  constructor(options?: ErrorOptions) {
    super('The token does not belong to the user in userId.', options);
  }
}

/** No such path, or no such method on it. */
export class ResourceNotFoundError extends ApiError {
  override readonly statusCode = 404;
  override readonly code = 'ResourceNotFoundException';
  override readonly retryable = false;

  constructor(options?: ErrorOptions) {
    super('There is no such path or method. Every operation is a POST.', options);
  }
}

/** The body is larger than an operation takes. */
export class PayloadTooLargeError extends ApiError {
  override readonly statusCode = 413;
  override readonly code = 'PayloadTooLargeException';
  override readonly retryable = false;
}

/** Throttled by the gateway or by WAF. */
export class ThrottlingError extends ApiError {
  override readonly statusCode = 429;
  override readonly code = 'ThrottlingException';
  override readonly retryable = true;

  constructor(options?: ErrorOptions) {
    super('Too many requests. Try again later.', options);
  }
}

/** DynamoDB or the key set did not answer. Never 401: an outage must not log users out. */
export class ServiceUnavailableError extends ApiError {
  override readonly statusCode = 503;
  override readonly code = 'ServiceUnavailableException';
  override readonly retryable = true;

  constructor(options?: ErrorOptions) {
    super('The service is temporarily unavailable. Try again later.', options);
  }
}

/** Anything else: a defect of ours. The body says nothing about it, the log line carries the request id. */
export class InternalServerError extends ApiError {
  override readonly statusCode = 500;
  override readonly code = 'InternalServerError';
  override readonly retryable = true;

  constructor(options?: ErrorOptions) {
    super('The request could not be processed. Try again later.', options);
  }
}
