import { LISTED, type ListedPromoEvent } from '../../../admin/promo-events/list-promo-events.ts';
import { printable } from '../../../core/text.ts';
import { csvLine } from './csv.ts';

/** A promo event as it is printed. */
export interface PrintedPromoEvent extends ListedPromoEvent {
  /** Only if its user or code differs in case or spaces from what was asked for. */
  readonly similar?: true;
}

/** How promo events are printed. */
export interface Format {
  readonly headings?: string;
  readonly line: (event: PrintedPromoEvent) => string;
}

export const AS_JSON: Format = { line: (event) => JSON.stringify(event) };

export const AS_CSV: Format = {
  headings: csvLine(LISTED),
  line: (event) => csvLine(LISTED.map((name) => event[name] ?? '')),
};

export const AS_TEXT: Format = {
  line: ({ receivedAt = '', kind = '', promoCode = '', userId = '' }) =>
    [receivedAt.padEnd(24), kind.padEnd(8), promoCode.padEnd(10), withVisibleSpaces(userId)]
      .map(printable)
      .join('  ')
      .trimEnd(),
};

/** An id in quotes if there are spaces around it, which nobody would see. */
function withVisibleSpaces(id: string): string {
  return id === id.trim() ? id : JSON.stringify(id);
}
