import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { numericEnvironment } from './environment.ts';
import { type Problem, UnauthorizedError } from './errors.ts';
import { parseRequestDate } from './request-date.ts';

/** The headers of a request (spec, "Authentication"), each present once and well formed. */
export interface RequestHeaders {
  /** The ID token of `Authorization`, not verified yet. */
  readonly idToken: string;
  readonly appId: string;
  readonly deviceId: string;
  /** `Request-Date` in its normal form. */
  readonly requestDate: string;
}

/** What this middleware adds to an event. */
export interface WithRequestHeaders {
  requestHeaders: RequestHeaders;
}

/** A header's value is read to what the operation needs of it, or refused with a hint at what would be right. */
type HeaderReader = (value: string) => { read: string } | { hint: string };

const MEDIA_TYPE_JSON = /^application\/json[ \t]*(;|$)/i;
// RFC 6750 section 2.1; the scheme's case does not matter (RFC 9110 section 11.1).
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;
const PRINTABLE = /^[^\p{Cc}\p{Cs}]{1,128}$/u;

const printable: HeaderReader = (value) =>
  PRINTABLE.test(value) ? { read: value } : { hint: 'expected 1 to 128 printable characters' };

function contentType(value: string): ReturnType<HeaderReader> {
  return MEDIA_TYPE_JSON.test(value) ? { read: value } : { hint: 'expected application/json' };
}

function bearerToken(value: string): ReturnType<HeaderReader> {
  const token = BEARER.exec(value)?.[1];
  return token ? { read: token } : { hint: 'expected Bearer <ID_TOKEN>' };
}

function requestDateWithin(windowSeconds: number): HeaderReader {
  return (value) => {
    const date = parseRequestDate(value);
    if (!date) {
      return { hint: 'expected an ISO 8601 date and time in UTC, as in 2026-11-20T09:30:00Z' };
    }
    return Math.abs(date.time - Date.now()) <= windowSeconds * 1000
      ? { read: date.normalForm }
      : { hint: `it is more than ${windowSeconds} seconds away from the time of the server` };
  };
}

/** All values that a header was sent with; names compare without case (RFC 9110 section 5.1). */
function valuesOf(event: APIGatewayProxyEvent, name: string): readonly string[] {
  const lowerCaseName = name.toLowerCase();
  return Object.entries(event.multiValueHeaders ?? {}).flatMap(([key, values]) =>
    key.toLowerCase() === lowerCaseName ? (values ?? []) : [],
  );
}

/**
 * Checks that every required header is there once and well formed. The answer names each header that is not, all at
 * once. A header that is sent twice is refused: two parties that read different ones of them would not agree on who
 * is calling.
 *
 * @throws UnauthorizedError
 */
export function requiredHeaders(): MiddlewareObj<APIGatewayProxyEvent & WithRequestHeaders> {
  const requestDate = requestDateWithin(numericEnvironment('REQUEST_DATE_WINDOW_SECONDS'));

  return {
    before: function checkRequiredHeaders({ event }) {
      const problems: Problem[] = [];
      const read = (name: string, reader: HeaderReader): string => {
        const [value, ...others] = valuesOf(event, name);
        const trimmed = value?.trim();
        if (!trimmed) {
          problems.push({ message: `The header ${name} is missing.` });
          return '';
        }
        const outcome =
          others.length > 0 ? { hint: 'it was sent more than once' } : reader(trimmed);
        if ('read' in outcome) return outcome.read;
        problems.push({ message: `The header ${name} is malformed: ${outcome.hint}.` });
        return '';
      };

      read('Content-Type', contentType);
      const requestHeaders = {
        idToken: read('Authorization', bearerToken),
        appId: read('App-Id', printable),
        deviceId: read('Device-Id', printable),
        requestDate: read('Request-Date', requestDate),
      };
      if (problems.length > 0) throw new UnauthorizedError({ problems });
      event.requestHeaders = requestHeaders;
    },
  };
}
