import * as v from 'valibot';

/** A pattern of the OpenAPI document, too: in other languages, `\d` matches more than ASCII. */
const ISO_8601_UTC =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?:Z|\+00(?::?00)?)$/;
/** The years of this calendar: 2569 is Buddhist, 1405 Persian, 8 Japanese. */
const YEARS = { first: 1970, last: 2100 };

/** Dates of apps that format them as the phone is set. */
const FORMAT = 'with a fixed locale, ASCII digits and the Gregorian calendar';

/** The schema of the header, as far as the OpenAPI document describes it. */
export const RequestDate = v.pipe(
  v.string(),
  v.metadata({ pattern: ISO_8601_UTC.source }),
  v.description(
    'Current date and time in UTC, in the extended format of ISO 8601, with the offset Z, +00:00, +0000 or +00, in the Gregorian calendar and ASCII digits. Seconds are optional; a fraction of up to nine digits may follow them. By default the date may differ from the time of the server by 24 hours. A request that is sent again keeps its date, which identifies it as the same request.',
  ),
  v.examples(['2026-11-20T09:30:00Z']),
);

/** The schema of a `Request-Date` near the time of the server. Its output is the normal form. */
export function requestDateWithin(windowSeconds: number) {
  return v.pipe(
    RequestDate,
    v.transform(parseRequestDate),
    v.custom<ParsedDate>(
      (date) => date !== undefined,
      `must be an ISO 8601 date and time in UTC, as in 2026-11-20T09:30:00Z, ${FORMAT}`,
    ),
    v.custom<ParsedDate>(
      (date) => YEARS.first <= yearOf(date) && yearOf(date) <= YEARS.last,
      ({ input }) => `has the year ${yearOf(input)}; write it ${FORMAT}`,
    ),
    v.check(
      ({ time }) => Math.abs(time - Date.now()) <= windowSeconds * 1000,
      ({ input }) =>
        `has the year ${yearOf(input)}, and is not within ${windowSeconds} seconds of the time of the server: correct the clock, or write the date ${FORMAT}`,
    ),
    v.transform(({ normalForm }) => normalForm),
  );
}

function yearOf(date: unknown): number {
  return Number((date as ParsedDate).normalForm.slice(0, 4));
}

/** A parsed `Request-Date`. */
interface ParsedDate {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /**
   * The time as `Date.prototype.toISOString` writes it, plus any digits beyond the millisecond that
   * are not zero. Two times have the same normal form if and only if they are equal.
   */
  readonly normalForm: string;
}

/**
 * Parses a `Request-Date`: ISO 8601 date and time in UTC, extended format, offset `Z`, `+00:00`,
 * `+0000` or `+00`, optional fraction (up to nanoseconds). Seconds are optional too: `java.time`
 * omits them if zero. `-00:00` says that the offset is unknown (RFC 3339 section 4.3).
 *
 * @returns undefined if the text has another format, or names a day or time that does not exist.
 */
export function parseRequestDate(text: string): ParsedDate | undefined {
  const match = ISO_8601_UTC.exec(text);
  if (!match) return undefined;
  const [, minute, second = '00', fraction = ''] = match;
  const digits = fraction.padEnd(3, '0');
  const milliseconds = `${minute}:${second}.${digits.slice(0, 3)}`;
  const time = Date.parse(`${milliseconds}Z`);
  // Date.parse rolls 30 February over to March, and 24:00 to the next day. Only a date that exists
  // reads back unchanged.
  if (Number.isNaN(time) || new Date(time).toISOString() !== `${milliseconds}Z`) return undefined;
  return { time, normalForm: `${milliseconds}${digits.slice(3).replace(/0+$/, '')}Z` };
}
