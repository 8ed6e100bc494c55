const ISO_8601_UTC =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|\+00:00)$/;

/** A moment that a `Request-Date` header names. */
export interface RequestDate {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /**
   * The one form of this moment: as `Date.prototype.toISOString` writes it, with the digits beyond the
   * millisecond added when they are not zero. Two spellings of one moment have the same normal form, and two
   * moments never do.
   */
  readonly normalForm: string;
}

/**
 * Reads a `Request-Date`: ISO 8601 date and time in UTC, extended format, offset `Z` or `+00:00`, fraction
 * (up to nanoseconds) optional. Seconds may be left out, as `java.time` does when they are zero.
 *
 * @returns undefined when the text is not such a date, or names a day or time that does not exist.
 */
export function parseRequestDate(text: string): RequestDate | undefined {
  const match = ISO_8601_UTC.exec(text);
  if (!match) return undefined;
  const [, minute, second = '00', fraction = ''] = match;
  const digits = fraction.padEnd(3, '0');
  const milliseconds = `${minute}:${second}.${digits.slice(0, 3)}`;
  const time = Date.parse(`${milliseconds}Z`);
  // Date.parse rolls 30 February over to March and 24:00 to the next day: only what reads back the same existed.
  if (Number.isNaN(time) || new Date(time).toISOString() !== `${milliseconds}Z`) return undefined;
  return { time, normalForm: `${milliseconds}${digits.slice(3).replace(/0+$/, '')}Z` };
}
