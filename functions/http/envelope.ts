import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as v from 'valibot';
import { UnavailableError } from '../../core/aws/unavailable-error.ts';
import { fingerprintOf } from '../../core/clients/app-id-fingerprint.ts';
import { REQUEST_FAILED, REQUEST_REFUSED } from '../../core/runtime/log-messages.ts';
import { logger } from '../../core/runtime/logger.ts';
import { OK } from '../../core/runtime/metrics.ts';
import {
  ApiError,
  InternalServerError,
  ServiceUnavailableError,
  UnauthorizedError,
} from './errors.ts';

/** One entry of `errors`. */
export const ErrorEntry = v.object({
  code: v.pipe(v.string(), v.description('Equal to data.code.')),
  message: v.pipe(v.string(), v.description('What is wrong, and what would be right.')),
  pointer: v.exactOptional(
    v.pipe(
      v.string(),
      v.description('JSON Pointer (RFC 6901) into the request body; "" is the whole body.'),
    ),
  ),
  header: v.exactOptional(
    v.pipe(
      v.string(),
      v.description('The request header that is missing or wrong, such as Request-Date.'),
    ),
  ),
  reason: v.exactOptional(
    v.pipe(
      v.string(),
      v.description(
        'Why the header is refused: missing, malformed, or wrongClock for a well-formed Request-Date too far from the time of the server.',
      ),
    ),
  ),
});

/** The error structure: `data` of every response whose `errors` is not empty. */
export const ErrorData = v.object({
  message: v.pipe(v.string(), v.description('What is wrong, in one string.')),
  code: v.pipe(v.string(), v.description('Identifies the error; see the responses.')),
  statusCode: v.pipe(v.number(), v.integer(), v.description('The HTTP status.')),
  retryable: v.pipe(
    v.boolean(),
    v.description('Whether the same request can succeed if it is sent again later.'),
  ),
});

/* Keys of every response, whichever component made it (spec, "Response envelope"). */
const remarks = {
  warnings: v.pipe(
    v.array(v.string()),
    v.description(
      'Informational messages, for example which values were removed from the request.',
    ),
  ),
  notices: v.pipe(v.array(v.string()), v.description('Informational messages.')),
};

export const ErrorEnvelope = v.object({
  errors: v.pipe(v.array(ErrorEntry), v.minLength(1), v.description('One entry for each problem.')),
  ...remarks,
  data: ErrorData,
});

/** The envelope of `Unauthorized`, with the top-level `message` that the spec shows. */
export const UnauthorizedEnvelope = v.object({
  ...ErrorEnvelope.entries,
  message: v.literal('Unauthorized'),
});

/** Makes the schema of a success from that of its `data`. */
export function successEnvelopeOf<TData extends v.GenericSchema>(data: TData) {
  return v.object({
    errors: v.pipe(v.array(ErrorEntry), v.maxLength(0), v.description('Empty in a success.')),
    ...remarks,
    data,
  });
}

export type ErrorEnvelope = v.InferOutput<typeof ErrorEnvelope>;

/** The envelope of a success. */
interface SuccessEnvelope<TData> {
  readonly errors: readonly [];
  readonly warnings: readonly string[];
  readonly notices: readonly string[];
  readonly data: TData;
}

/** The warnings and notices that middlewares and operations add to the response. */
export interface WithRemarks {
  warnings: string[];
  notices: string[];
}

/** The headers that an operation adds to the response of a success. */
export interface WithResponseHeaders {
  responseHeaders: Record<string, string>;
}

/** Wraps `data` as a success. */
export function successEnvelope<TData>(
  data: TData,
  { warnings, notices }: Readonly<WithRemarks>,
): SuccessEnvelope<TData> {
  return { errors: [], warnings, notices, data };
}

const written = new WeakMap<object, string>();

/**
 * Writes a success as JSON. The JSON of `data` is cached while the object lives: serializing a
 * hundred fields takes longer than all checks together. So `data` must not change once sent.
 */
function successBody(data: object, remarks: Readonly<WithRemarks>): string {
  let json = written.get(data);
  if (json === undefined) {
    json = JSON.stringify(data);
    written.set(data, json);
  }
  // JSON.stringify omits an undefined `data`.
  const others = JSON.stringify(successEnvelope(undefined, remarks));
  return `${others.slice(0, -1)},"data":${json}}`;
}

/** Wraps an error, with one entry of `errors` per problem. */
export function errorEnvelope(
  error: ApiError,
  warnings: string[] = [],
): ErrorEnvelope & { message?: string } {
  const { message, code, statusCode, retryable, problems } = error;
  return {
    errors: problems.map((problem) => ({ code, ...problem })),
    warnings,
    notices: [],
    data: { message, code, statusCode, retryable },
    ...(error instanceof UnauthorizedError && { message }),
  };
}

/** A response with its code for the metrics. */
export interface CodedResponse {
  /** `OK` or the error's code. */
  readonly code: string;
  readonly response: APIGatewayProxyResult;
}

/** The type with its charset: some HTTP clients read JSON without it as ISO 8859-1. */
export const CONTENT_TYPE = { 'Content-Type': 'application/json; charset=utf-8' } as const;

function coded(
  code: string,
  statusCode: number,
  body: string,
  more: Readonly<Record<string, string>> = {},
): CodedResponse {
  return { code, response: { statusCode, headers: { ...CONTENT_TYPE, ...more }, body } };
}

/**
 * The outermost middleware. It turns a result into a success and an error into an error response,
 * each with its code (`CodedResponse`). An `UnavailableError` becomes a `ServiceUnavailableError`.
 * Any other error that is not an `ApiError` becomes an `InternalServerError`: the response hides
 * its cause, the log has it in full.
 */
export function envelope(): MiddlewareObj<
  APIGatewayProxyEvent & WithRemarks & WithResponseHeaders
> {
  return {
    before: function collectRemarks({ event }) {
      event.warnings = [];
      event.notices = [];
      event.responseHeaders = {};
    },
    after: function answerSuccess(request) {
      const { response, event } = request;
      request.response = coded(OK, 200, successBody(response, event), event.responseHeaders);
    },
    onError: function answerError(request) {
      const { event, context, error } = request;
      request.response = errorResponse(apiErrorOf(error), event, context);
    },
  };
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof UnavailableError) return new ServiceUnavailableError({ cause: error.cause });
  return new InternalServerError({ cause: error });
}

/** The parts of the event that were set before the request failed. */
interface Progress extends Partial<WithRemarks> {
  readonly request?: { readonly clientId?: unknown };
  readonly requestHeaders?: { readonly appId: string };
  /** Set only for a body that is refused. */
  readonly namedClientId?: string;
}

/** Makes the response to a failed request, and logs the error. */
export function errorResponse(
  error: ApiError,
  event: APIGatewayProxyEvent & Progress,
  { awsRequestId }: Context,
): CodedResponse {
  const { statusCode, code, mistake, problems, cause } = error;
  // The gateway's id, which the caller got as x-amzn-RequestId.
  const requestId = event.requestContext?.requestId;
  // Also an id of no client, although it is arbitrary text: it tells whose promo codes are lost. It
  // has the form of an id, and its token is one of ours.
  const clientId = event.request?.clientId ?? event.namedClientId;
  // No pointers: they may hold names that the caller chose. Messages name only the schema's.
  const messages = problems.map(({ message }) => message);
  // Its fingerprint alone tells a revoked App-Id, which apps still send, from a guess.
  const sent = mistake === 'foreignAppId' ? event.requestHeaders?.appId : undefined;
  const appId = sent && fingerprintOf(sent);
  const line = {
    requestId,
    awsRequestId,
    clientId,
    appId,
    statusCode,
    code,
    mistake,
    problems: messages,
  };
  if (statusCode >= 500) logger.error(REQUEST_FAILED, { ...line, error: cause });
  else logger.warn(REQUEST_REFUSED, { ...line, reason: reasonOf(cause) });
  const body = JSON.stringify(errorEnvelope(error, event.warnings));
  return coded(code, statusCode, body, error.headers);
}

function reasonOf(cause: unknown): string | undefined {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
}
