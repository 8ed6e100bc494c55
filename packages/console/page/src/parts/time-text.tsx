interface Props {
  readonly at: string | undefined;
  /** True below the name of its day. */
  readonly isDayKnown?: boolean;
}

/** Shows a time as the operator's clock does, as short as it is clear. */
export function Time({ at, isDayKnown }: Props) {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={date.toLocaleString(undefined, PRECISE)}>
      {isDayKnown ? timeOfDay(date) : shortTime(date)}
    </time>
  );
}

const PRECISE = { dateStyle: 'medium', timeStyle: 'long' } as const;
const TIME_OF_DAY = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Writes a time as in a row. */
export function shortTime(date: Date): string {
  return date.toLocaleString(undefined, { ...dayOf(date), ...TIME_OF_DAY });
}

/** The parts of a day: the year only if it is not this one. */
function dayOf(date: Date): Intl.DateTimeFormatOptions {
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) };
}

/** Writes a time in a sentence. Its zone stands once on the page. */
export function sentenceTime(at: string): string {
  return `${dayName(at)}, ${timeOfDay(new Date(at))}`;
}

/** Writes the end of a minute by which something has happened. */
export function latestTime(at: string): string {
  return sentenceTime(new Date(Math.ceil(Date.parse(at) / 60_000) * 60_000).toISOString());
}

/** Names a day, with the day of the week. */
export function dayName(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { weekday: 'long', ...dayOf(new Date(at)) });
}

function timeOfDay(date: Date): string {
  return date.toLocaleTimeString(undefined, TIME_OF_DAY);
}

/** Names the zone of the operator's clock. */
export function timeZone(): string {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
