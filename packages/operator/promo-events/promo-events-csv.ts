import { LISTED } from 'customer-data-api/promo-events';
import { csvLine } from '../csv.ts';
import type { ListedPromoEvent } from './search.ts';

/** Lines of CSV (RFC 4180): a header row, and the events in the order of time. */
export function promoEventsToCsv(events: readonly ListedPromoEvent[]): string[] {
  const timeOf = ({ receivedAt = '' }: ListedPromoEvent) => receivedAt;
  const lines = events
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .map((event) => csvLine(LISTED.map((name) => event[name] ?? '')));
  return [LISTED.join(), ...lines];
}
