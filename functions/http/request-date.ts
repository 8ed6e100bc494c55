/**
 * The form of a `Request-Date`. The OpenAPI document has it too. It avoids `\d`, which matches more
 * than ASCII digits in other languages.
 */
export const ISO_8601_UTC =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?:Z|\+00:00)$/;

/** The time that a `Request-Date` header names. */
export interface RequestDate {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /**
   * The time as `Date.prototype.toISOString` writes it, followed by the digits beyond the
   * millisecond if they are not zero. Two spellings of the same time have the same normal form, and
   * different times have different ones.
   */
  readonly normalForm: string;
}

/**
 * Reads a `Request-Date`: ISO 8601 date and time in UTC, extended format, offset `Z` or `+00:00`,
 * fraction (up to nanoseconds) optional. Seconds are optional too: `java.time` leaves them out if
 * they are zero.
 *
 * @returns undefined if the text is not such a date, or names a day or time that does not exist.
 */
export function parseRequestDate(text: string): RequestDate | undefined {
  const match = ISO_8601_UTC.exec(text);
  if (!match) return undefined;
  const [, minute, second = '00', fraction = ''] = match;
  const digits = fraction.padEnd(3, '0');
  const milliseconds = `${minute}:${second}.${digits.slice(0, 3)}`;
  const time = Date.parse(`${milliseconds}Z`);
  // Date.parse rolls 30 February over to March, and 24:00 to the next day. A date that exists reads
  // back the same.
  if (Number.isNaN(time) || new Date(time).toISOString() !== `${milliseconds}Z`) return undefined;
  return { time, normalForm: `${milliseconds}${digits.slice(3).replace(/0+$/, '')}Z` };
}
