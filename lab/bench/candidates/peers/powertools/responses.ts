import { ParseError } from '@aws-lambda-powertools/parser/errors';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import { ApiError, InternalServerError } from '../../../../../functions/http/errors.ts';
import { failure, success } from '../envelope.ts';
import { toValidationError } from '../validation.ts';
import type { CheckedEvent } from './checked-event.ts';
import { logger } from './logger.ts';

/** The response of a successful operation. */
export function okResponse(data: unknown, warnings: readonly string[]): APIGatewayProxyResult {
  return response(200, success(data, warnings));
}

/** Turns errors into responses. */
export function errorResponse(): MiddlewareObj<CheckedEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const error = toApiError(request.error);
      logger.warn('Request refused', { code: error.code });
      request.response = response(error.statusCode, failure(error, request.event.warnings));
    },
  };
}

function response(statusCode: number, body: object): APIGatewayProxyResult {
  const headers = { 'Content-Type': 'application/json' };
  return { statusCode, headers, body: JSON.stringify(body) };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ParseError) {
    // The paths start at the event, whose property `body` is the request body.
    const issues = error.cause as unknown as readonly z.core.$ZodIssue[];
    return toValidationError(issues.map((issue) => ({ ...issue, path: issue.path.slice(1) })));
  }
  return new InternalServerError({ cause: error });
}
