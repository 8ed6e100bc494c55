import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { ParseError } from '@aws-lambda-powertools/parser/errors';
import middy, { type MiddlewareObj } from '@middy/core';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwtBaseError, JwtExpiredError } from 'aws-jwt-verify/error';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import {
  ApiError,
  InternalServerError,
  PayloadTooLargeError,
  ServiceUnavailableError,
  TokenExpiredError,
  UnauthorizedError,
} from '../../../../functions/api/errors.ts';
import { keySetCache } from '../../../../functions/api/key-set.ts';
import { failure, success } from '../envelope.ts';
import { type RequestHeaders, readHeaders } from '../headers.ts';
import { MAX_BODY_BYTES } from '../json.ts';
import { toValidationError } from '../requests.ts';
import { AUDIENCES, type Claims } from '../token.ts';

const logger = new Logger();

/** What the steps add to an event. */
export interface Checked {
  requestHeaders: RequestHeaders;
  claims: Claims;
  warnings: readonly string[];
}

/** What all operations have in common, up to the body. */
export function steps(observers: MiddlewareObj[] = []) {
  return middy<APIGatewayProxyEvent & Checked, APIGatewayProxyResult>()
    .use(observers)
    .use(injectLambdaContext(logger))
    .use(answer())
    .use(requiredHeaders())
    .use(idToken())
    .use(bodySize());
}

/** The answer of an operation. */
export function ok(data: unknown, warnings: readonly string[]): APIGatewayProxyResult {
  return response(200, success(data, warnings));
}

function response(statusCode: number, body: object): APIGatewayProxyResult {
  const headers = { 'Content-Type': 'application/json' };
  return { statusCode, headers, body: JSON.stringify(body) };
}

function answer(): MiddlewareObj<APIGatewayProxyEvent & Checked, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const error = toApiError(request.error);
      logger.warn('Request refused', { code: error.code });
      request.response = response(error.statusCode, failure(error, request.event.warnings));
    },
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ParseError) {
    // Below the property `body` of the event.
    const issues = error.cause as unknown as readonly z.core.$ZodIssue[];
    return toValidationError(issues.map((issue) => ({ ...issue, path: issue.path.slice(1) })));
  }
  return new InternalServerError({ cause: error });
}

function requiredHeaders(): MiddlewareObj<APIGatewayProxyEvent & Checked> {
  return {
    before: ({ event }) => {
      const headers = Object.fromEntries(
        Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      event.requestHeaders = readHeaders((name) => headers[name]);
    },
  };
}

function idToken(): MiddlewareObj<APIGatewayProxyEvent & Checked> {
  const verifier = CognitoJwtVerifier.create(
    { userPoolId: process.env.USER_POOL_ID ?? '', clientId: AUDIENCES, tokenUse: 'id' },
    // From wherever the key set is on this machine: the library's own fetcher speaks HTTPS only.
    { jwksCache: keySetCache() },
  );
  return {
    before: async ({ event }) => {
      const token = event.requestHeaders.idToken;
      try {
        event.claims = { ...(await verifier.verify(token)) };
      } catch (error) {
        if (error instanceof FetchError) throw new ServiceUnavailableError({ cause: error });
        if (!(error instanceof JwtBaseError)) throw error;
        if (!(error instanceof JwtExpiredError)) throw new UnauthorizedError({ cause: error });
        await verifier.verify(token, { graceSeconds: Number.POSITIVE_INFINITY }).catch((cause) => {
          throw new UnauthorizedError({ cause });
        });
        throw new TokenExpiredError({ cause: error });
      }
      if (typeof event.claims.exp !== 'number') throw new UnauthorizedError();
    },
  };
}

function bodySize(): MiddlewareObj<APIGatewayProxyEvent & Checked> {
  return {
    before: ({ event }) => {
      if (Buffer.byteLength(event.body ?? '') <= MAX_BODY_BYTES) return;
      throw new PayloadTooLargeError(`At most ${MAX_BODY_BYTES} bytes are allowed.`);
    },
  };
}
