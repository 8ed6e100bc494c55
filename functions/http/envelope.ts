import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ApiError, InternalServerError, UnauthorizedError } from './errors.ts';
import { logger } from './logger.ts';

/** One entry of `errors`. `pointer` is a JSON Pointer (RFC 6901) into the request body. */
export interface ErrorEntry {
  readonly code: string;
  readonly message: string;
  readonly pointer?: string;
}

/** The error structure: `data` of every response whose `errors` is not empty. */
export interface ErrorData {
  readonly message: string;
  readonly code: string;
  readonly statusCode: number;
  readonly retryable: boolean;
}

/**
 * The body of every response, whoever produced it (spec, "Response envelope"). A client decides between
 * success and error by the length of `errors`.
 */
export interface Envelope<TData> {
  readonly errors: readonly ErrorEntry[];
  readonly warnings: readonly string[];
  readonly notices: readonly string[];
  readonly data: TData;
  /** Only on `Unauthorized`, as the spec shows that response. */
  readonly message?: string;
}

/** What the envelope adds to an event: the place where middlewares and operations leave their warnings. */
export interface WithWarnings {
  warnings: string[];
}

/** The envelope of a success. */
export function successEnvelope<TData>(data: TData, warnings: readonly string[]): Envelope<TData> {
  return { errors: [], warnings, notices: [], data };
}

/** The envelope of an error, one `errors` entry for each of its problems. */
export function errorEnvelope(
  error: ApiError,
  warnings: readonly string[] = [],
): Envelope<ErrorData> {
  const { message, code, statusCode, retryable, problems } = error;
  return {
    errors: problems.map((problem) => ({ code, ...problem })),
    warnings,
    notices: [],
    data: { message, code, statusCode, retryable },
    ...(error instanceof UnauthorizedError && { message }),
  };
}

function response(statusCode: number, body: Envelope<unknown>): APIGatewayProxyResult {
  return {
    statusCode,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/**
 * The outermost middleware: turns what the operation returns into `data` of a success, and whatever was thrown
 * on the way into an error response. An error that is not an `ApiError` is answered as `InternalServerError`
 * without a word about its nature, and logged in full.
 */
export function envelope(): MiddlewareObj<APIGatewayProxyEvent & WithWarnings> {
  return {
    before: function collectWarnings({ event }) {
      event.warnings = [];
    },
    after: function answerSuccess(request) {
      request.response = response(200, successEnvelope(request.response, request.event.warnings));
    },
    onError: function answerError(request) {
      const { event, context, error } = request;
      const apiError =
        error instanceof ApiError ? error : new InternalServerError({ cause: error });
      const { statusCode, code, problems } = apiError;
      const line = { requestId: context.awsRequestId, statusCode, code, problems };
      if (statusCode >= 500) logger.error('Request failed', { ...line, error: apiError.cause });
      else logger.warn('Request refused', { ...line, reason: reasonOf(apiError) });
      request.response = response(statusCode, errorEnvelope(apiError, event.warnings));
    },
  };
}

function reasonOf({ cause }: ApiError): string | undefined {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
}
