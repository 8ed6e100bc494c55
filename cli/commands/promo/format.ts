import { LISTED, type ListedPromoEvent } from '../../../admin/promo-events/list-promo-events.ts';
import { printable } from '../../../core/text.ts';
import { rowsOf } from '../../terminal/table.ts';

/** A promo event as it is printed. */
export interface PrintedPromoEvent extends ListedPromoEvent {
  /** Only if its user or code is only similar to what was asked for. */
  readonly similar?: true;
}

const row = rowsOf(24, 8, 16);

/** The line above those of events. */
export const HEADINGS = row('RECEIVED', 'KIND', 'CODE', 'USER');

/** An event in a line of a table. */
export function rowOf({
  receivedAt = '',
  kind = '',
  promoCode = '',
  userId = '',
  similar,
}: PrintedPromoEvent) {
  // Nobody would see the spaces around an id.
  const shown = userId === userId.trim() ? userId : JSON.stringify(userId);
  const user = similar ? `${shown} (only similar)` : shown;
  return row(...[receivedAt, kind, promoCode, user].map(printable));
}

/** Lines of CSV (RFC 4180): a header row, and the events in the order of time. */
export function csvOf(events: readonly PrintedPromoEvent[]): string[] {
  const timeOf = ({ receivedAt = '' }: PrintedPromoEvent) => receivedAt;
  const lines = events
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .map(({ similar = '', ...event }) => [
      localTime(event.receivedAt),
      ...[...LISTED.map((name) => event[name] ?? ''), String(similar)],
    ])
    .map((values) => values.map(csvValue).join());
  return [['localTime', ...LISTED, 'similar'].join(), ...lines];
}

/**
 * A value in CSV. Apps chose it, and spreadsheets run formulas: a value that looks like one gets an
 * apostrophe in front.
 */
function csvValue(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A time in the time zone of this machine, as spreadsheets read it: `2026-11-21 10:30:00`. */
function localTime(time = ''): string {
  const date = new Date(time);
  // The Swedish form is ISO 8601 with a space.
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString('sv-SE');
}
