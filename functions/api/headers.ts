import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { numericEnvironment } from '../../core/platform/environment.ts';
import { text } from '../../core/text.ts';
import { type Problem, UnauthorizedError } from './errors.ts';
import { type RequestDate as ParsedRequestDate, parseRequestDate } from './request-date.ts';

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

const MEDIA_TYPE_JSON = /^application\/json[ \t]*(;|$)/i;
// RFC 6750 section 2.1; the scheme's case does not matter (RFC 9110 section 11.1).
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

const ContentType = v.pipe(v.string(), v.regex(MEDIA_TYPE_JSON, 'must be application/json'));

const Authorization = v.pipe(
  v.string(),
  v.transform((value) => BEARER.exec(value)?.[1]),
  v.string('must be Bearer <ID_TOKEN>'),
);

export const AppId = v.pipe(
  text(1, 128),
  v.description('The API key that was issued to the app.'),
  v.examples(['demo-app-key']),
);

export const DeviceId = v.pipe(
  text(1, 128),
  v.description(
    "Advertising id from the app's initial installation; all zeros where the phone gives none.",
  ),
  v.examples(['38400000-8cf0-11bd-b23e-10b96e40000d']),
);

export const RequestDate = v.pipe(
  v.string(),
  v.description(
    'Current date and time in UTC, ISO 8601 in the extended format, with the offset Z or +00:00; seconds may be left out, and a fraction of up to nine digits may follow them. By default it may be off by 24 hours. A request that is sent again keeps its date: that is how it is known to be the same one.',
  ),
  v.examples(['2026-11-20T09:30:00Z']),
);

function requestDateWithin(windowSeconds: number) {
  return v.pipe(
    RequestDate,
    v.transform(parseRequestDate),
    v.custom<ParsedRequestDate>(
      (date) => date !== undefined,
      'must be an ISO 8601 date and time in UTC, as in 2026-11-20T09:30:00Z',
    ),
    v.check(
      ({ time }) => Math.abs(time - Date.now()) <= windowSeconds * 1000,
      `must be within ${windowSeconds} seconds of the time of the server`,
    ),
    v.transform(({ normalForm }) => normalForm),
  );
}

/** The values of each header that was sent, by its name in lower case: names compare without case (RFC 9110 section 5.1). */
function valuesByName({ multiValueHeaders }: APIGatewayProxyEvent): Map<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (const [name, sent = []] of Object.entries(multiValueHeaders ?? {})) {
    const key = name.toLowerCase();
    values.set(key, values.get(key)?.concat(sent) ?? sent);
  }
  return values;
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
      const sent = valuesByName(event);
      const read = (name: string, schema: v.GenericSchema<string, string>): string => {
        const values = sent.get(name.toLowerCase()) ?? [];
        const trimmed = values[0]?.trim();
        if (!trimmed) {
          problems.push({ message: `The header ${name} is missing.` });
          return '';
        }
        const result = v.safeParse(schema, trimmed);
        const problem = values.length > 1 ? 'must be sent once' : result.issues?.[0].message;
        if (result.success && !problem) return result.output;
        problems.push({ message: `The header ${name} is malformed: it ${problem}.` });
        return '';
      };

      read('Content-Type', ContentType);
      const requestHeaders = {
        idToken: read('Authorization', Authorization),
        appId: read('App-Id', AppId),
        deviceId: read('Device-Id', DeviceId),
        requestDate: read('Request-Date', requestDate),
      };
      if (problems.length > 0) throw new UnauthorizedError({ problems });
      event.requestHeaders = requestHeaders;
    },
  };
}
