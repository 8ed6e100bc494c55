import { LISTED } from 'customer-data-api/promo-events';
import { csvLine } from '../csv.ts';
import type { ListedPromoEvent } from './search.ts';

/** A promo event as it is printed. */
export interface PrintedPromoEvent extends ListedPromoEvent {
  /** Only if its user or code is only similar to what was asked for. */
  readonly similar?: true;
}

/** Lines of CSV (RFC 4180): a header row, and the events in the order of time. */
export function csvOf(events: readonly PrintedPromoEvent[]): string[] {
  const timeOf = ({ receivedAt = '' }: PrintedPromoEvent) => receivedAt;
  const lines = events
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .map(({ similar = '', ...event }) => [
      localTime(event.receivedAt),
      ...LISTED.map((name) => event[name] ?? ''),
      String(similar),
    ])
    .map(csvLine);
  return [['localTime', ...LISTED, 'similar'].join(), ...lines];
}

/** A time in the time zone of this machine, as spreadsheets read it: `2026-11-21 10:30:00`. */
function localTime(time = ''): string {
  const date = new Date(time);
  // The Swedish form is ISO 8601 with a space.
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString('sv-SE');
}
