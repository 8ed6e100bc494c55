import { printable, tableRows } from 'customer-data-api-deployment/program';
import type { PrintedPromoEvent } from '../../promo-events-csv.ts';

const row = tableRows(24, 8, 16);

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
