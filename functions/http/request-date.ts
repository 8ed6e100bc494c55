/** Also a pattern of the OpenAPI document: in other languages, `\d` matches more than ASCII. */
export const ISO_8601_UTC =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?:Z|\+00:00)$/;

/** A parsed `Request-Date`. */
export interface RequestDate {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /**
   * The time as `Date.prototype.toISOString` writes it, plus any digits beyond the millisecond that
   * are not zero. Two times have the same normal form if and only if they are equal.
   */
  readonly normalForm: string;
}

/**
 * Parses a `Request-Date`: ISO 8601 date and time in UTC, extended format, offset `Z` or `+00:00`,
 * optional fraction (up to nanoseconds). Seconds are optional too: `java.time` omits them if zero.
 *
 * @returns undefined if the text has another format, or names a day or time that does not exist.
 */
export function parseRequestDate(text: string): RequestDate | undefined {
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
