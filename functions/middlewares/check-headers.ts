import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { AppId } from '../../core/clients/app-id.ts';
import { DEVICE_ID_MAX } from '../../core/device.ts';
import { headerText } from '../../core/text.ts';
import { type Problem, UnauthorizedError } from '../http/errors.ts';
import { RequestDate, requestDateWithin } from '../http/request-date.ts';
import {
  HEADERS,
  type Header,
  OPTIONAL_HEADERS,
  type OptionalHeader,
} from '../http/request-headers.ts';

/** The validated headers: `Request-Date` in normal form, and for `Authorization` the ID token. */
export interface WithRequestHeaders {
  requestHeaders: Readonly<Record<Header, string>>;
  /** The values of each, as they were sent; undefined without one. They refuse nobody. */
  optionalHeaders: Readonly<Partial<Record<OptionalHeader, readonly string[]>>>;
}

const MEDIA_TYPE_JSON = /^application\/json[ \t]*(;|$)/i;
// Parameters may have commas in quotes (RFC 9110 section 5.6.4). The end of the text, for quotes
// that nobody closed, keeps the search linear.
const QUOTED = /"(?:[^"\\]|\\.?)*("|$)/g;
// RFC 9110 section 5.5: other characters may change on the way. The service accepts those that
// arrive intact; the OpenAPI document does not promise them.
const PRINTABLE_ASCII = '^[!-~]([ -~]*[!-~])?$';
// RFC 6750 section 2.1, with the three parts of a signed token (RFC 7515 section 3.1): an app that
// has no token sends `Bearer undefined`. The scheme is case-insensitive (RFC 9110 section 11.1).
const BEARER = /^bearer +([\w~+/-]+\.[\w~+/-]+\.[\w~+/-]*=*)$/i;

/** The schema of each header. */
export const HEADER_SCHEMAS = {
  contentType: v.pipe(v.string(), v.check(isJson, 'must be application/json')),
  authorization: v.pipe(
    v.string(),
    v.transform((value) => BEARER.exec(value)?.[1]),
    v.string('must be Bearer <ID_TOKEN>, with an ID token of three parts'),
  ),
  appId: AppId,
  deviceId: v.pipe(
    headerText(DEVICE_ID_MAX),
    v.metadata({ pattern: PRINTABLE_ASCII }),
    v.description(
      "Advertising id from the app's initial installation; all zeros if the phone provides none.",
    ),
    v.examples(['38400000-8cf0-11bd-b23e-10b96e40000d']),
  ),
  requestDate: RequestDate,
} satisfies Record<Header, v.GenericSchema<string, string>>;

/**
 * True if each member of a list of media types is JSON. Proxies join the values of a header that
 * was set twice (RFC 9110 section 5.3), and empty members count for nothing (section 5.6.1).
 */
function isJson(contentType: string): boolean {
  const members = contentType
    .replace(QUOTED, (text, closing) => (closing ? '' : text))
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  return members.length > 0 && members.every((member) => MEDIA_TYPE_JSON.test(member));
}

/** Returns header values by lower-case name: names are case-insensitive (RFC 9110 section 5.1). */
function valuesByName({ multiValueHeaders }: APIGatewayProxyEvent): Map<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (const [name, sent = []] of Object.entries(multiValueHeaders ?? {})) {
    const key = name.toLowerCase();
    values.set(key, values.get(key)?.concat(sent) ?? sent);
  }
  return values;
}

/**
 * Checks that every header is present once and well formed. The response names all headers that are
 * not. A header sent twice is refused: two components that read different values would disagree on
 * who is calling. Only `Content-Type` may be sent again, with the same type.
 *
 * @param requestDateWindowSeconds largest difference between `Request-Date` and the server's time.
 * @throws UnauthorizedError
 */
export function checkHeaders(
  requestDateWindowSeconds: number,
): MiddlewareObj<APIGatewayProxyEvent & WithRequestHeaders> {
  const schemas = { ...HEADER_SCHEMAS, requestDate: requestDateWithin(requestDateWindowSeconds) };

  return {
    before: function checkRequestHeaders({ event }) {
      const problems: Problem[] = [];
      const sent = valuesByName(event);
      const read = (header: Header): string => {
        const { name } = HEADERS[header];
        const all = sent.get(name.toLowerCase()) ?? [];
        const values = header === 'contentType' && all.length > 1 ? [all.join()] : all;
        const trimmed = values[0]?.trim();
        if (!trimmed) {
          problems.push({
            message: `The header ${name} is missing.`,
            header: name,
            reason: 'missing',
          });
          return '';
        }
        const result = v.safeParse(schemas[header], trimmed);
        const issue = result.issues?.[0];
        const problem = values.length > 1 ? 'must be sent once' : issue?.message;
        if (result.success && !problem) return result.output;
        // A well-formed date fails the check of the clock alone.
        const isClock = header === 'requestDate' && values.length === 1 && issue?.type === 'check';
        const message = `The header ${name} ${isClock ? '' : 'is malformed: it '}${problem}.`;
        problems.push({ message, header: name, reason: isClock ? 'wrongClock' : 'malformed' });
        return '';
      };

      const names = Object.keys(HEADERS) as Header[];
      const values = names.map((header) => [header, read(header)]);
      if (problems.length > 0) throw new UnauthorizedError({ problems });
      event.requestHeaders = Object.fromEntries(values);
      event.optionalHeaders = Object.fromEntries(
        Object.entries(OPTIONAL_HEADERS).map(([key, { name }]) => [
          key,
          sent.get(name.toLowerCase()),
        ]),
      );
    },
  };
}
