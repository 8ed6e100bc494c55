import { promoError } from './words.ts';

const MINUTE_MS = 60_000;
const UNITS_MS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS } as const;
const DURATION = /^(\d{1,4})([mhd])$/;
/**
 * Commands print `2026-11-21T09:30:00.412Z`, `2026-11-21 09:30:00Z`, and `09:30:00Z` of today.
 * Other programs print `9:30`, ` UTC` and `+0100`.
 */
const TIME =
  /^(?:(\d{4}-\d\d-\d\d|today|yesterday)(?:$|[T ](?=\d)))?(?:((?:[01]?\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?)(Z| ?(?:UTC|[+-]\d\d:?\d\d))?)?$/i;
/** The end of a sentence, after a time. */
const AFTER_TIME = /[\s.,:;]+$/;

/** A day, or a moment, whose start and end are the same. */
interface ReadTime {
  /** The start in ISO 8601, UTC. */
  readonly start: string;
  /** The beginning of what comes after it. */
  readonly end: string;
}

/**
 * Reads a day or a time, those of this machine without Z or an offset; a time of today; `today`,
 * `yesterday`; or how long ago it was, such as `24h`. Undefined for any other text.
 */
export function readTime(text: string, now: Date): ReadTime | undefined {
  const trimmed = text.trim().replace(AFTER_TIME, '');
  const [, count, unit] = DURATION.exec(trimmed) ?? [];
  if (count !== undefined) {
    return momentOf(new Date(now.getTime() - Number(count) * UNITS_MS[unit as 'm']));
  }
  const [, name = 'today', time, zone] = TIME.exec(trimmed) ?? [];
  if (trimmed === '' || !TIME.test(trimmed)) return undefined;
  const offset = zone
    ?.trim()
    .replace(/^UTC$/i, 'Z')
    .replace(/(?<=^...)(?=..$)/, ':');
  const day = dayOf(name.toLowerCase(), now, offset);
  const start = new Date(`${day}T${time?.replace(/^(?=\d:)/, '0') ?? '00:00'}${offset ?? ''}`);
  // JavaScript takes February 30 for a day in March.
  const isDay = new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8));
  if (!isDay || Number.isNaN(start.getTime())) return undefined;
  if (time !== undefined) return momentOf(start);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { start: start.toISOString(), end: end.toISOString() };
}

/** Fails if a time has not come yet. Throws UsageError. */
function expectPast(time: string): void {
  const now = new Date().toISOString();
  if (time > now) throw promoError('timeInFuture', { time, now });
}

/** Fails if no event can be in a range: it would look like a code that was never applied. */
export function expectRange({
  since,
  until,
}: {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}): void {
  if (since === undefined) return;
  expectPast(since);
  if (until !== undefined && since >= until) throw promoError('emptyRange', { since, until });
}

function momentOf(time: Date): ReadTime {
  return { start: time.toISOString(), end: time.toISOString() };
}

/** Returns the date of a day, in a zone or in that of this machine. */
function dayOf(name: string, now: Date, zone: string | undefined): string {
  if (name !== 'today' && name !== 'yesterday') return name;
  const before = name === 'today' ? 0 : UNITS_MS.d;
  return new Date(now.getTime() + offsetOf(now, zone) - before).toISOString().slice(0, 10);
}

function offsetOf(now: Date, zone: string | undefined): number {
  if (zone === undefined) return -now.getTimezoneOffset() * MINUTE_MS;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}
