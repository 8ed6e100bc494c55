import { LISTED, type ListedPromoEvent } from '../../../admin/promo-events/list-promo-events.ts';
import { printable } from '../../../core/text.ts';
import { rowsOf } from '../../terminal/table.ts';
import { csvLine } from './csv.ts';

/** A promo event as it is printed. */
export interface PrintedPromoEvent extends ListedPromoEvent {
  /** Only if its user or code differs in case or spaces from what was asked for. */
  readonly similar?: true;
}

/** How promo events are printed. */
export interface Format {
  /** The line before the first of them. */
  readonly headings?: string;
  /** True for a file: headings even without events, and events in the order of time. */
  readonly isFile?: boolean;
  readonly line: (event: PrintedPromoEvent) => string;
}

export const AS_JSON: Format = { line: (event) => JSON.stringify(event) };

export const AS_CSV: Format = {
  headings: csvLine(['localTime', ...LISTED]),
  isFile: true,
  line: (event) =>
    csvLine([localTime(event.receivedAt), ...LISTED.map((name) => event[name] ?? '')]),
};

const row = rowsOf(24, 8, 16);

export const AS_TEXT: Format = {
  headings: row('RECEIVED', 'KIND', 'CODE', 'USER'),
  line: ({ receivedAt = '', kind = '', promoCode = '', userId = '' }) =>
    row(...[receivedAt, kind, promoCode, withVisibleSpaces(userId)].map(printable)),
};

/** A time in the time zone of this machine, as spreadsheets read it: `2026-11-21 10:30:00`. */
function localTime(time = ''): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  // The Swedish form is ISO 8601 with a space.
  return date.toLocaleString('sv-SE');
}

/** An id in quotes if there are spaces around it, which nobody would see. */
function withVisibleSpaces(id: string): string {
  return id === id.trim() ? id : JSON.stringify(id);
}
