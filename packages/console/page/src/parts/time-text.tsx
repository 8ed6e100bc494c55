/** Shows a time as the operator's clock does, as short as it is clear. */
export function Time({ at }: { readonly at: string | undefined }) {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={localTime(date)}>
      {shortTime(date)}
    </time>
  );
}

function shortTime(date: Date): string {
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleString(undefined, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

/** Writes a time with seconds and the zone, as the operator's clock does. */
export function localTime(date: Date): string {
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}

/** Names the zone of the operator's clock. */
export function timeZone(): string {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
