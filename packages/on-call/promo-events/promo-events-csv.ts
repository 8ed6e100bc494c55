import { LISTED } from 'customer-data-api/promo-events';
import { csvLine } from 'customer-data-api-editor/csv';
import type { ListedPromoEvent } from './search.ts';

/** The columns that are there only if an event has a value. */
const OPTIONAL: readonly string[] = ['deviceId', 'importedAt'];

/** Lines of CSV (RFC 4180): a header row, and the events in the order of time. */
export function promoEventsToCsv(events: readonly ListedPromoEvent[]): string[] {
  const timeOf = ({ receivedAt = '' }: ListedPromoEvent) => receivedAt;
  const columns = LISTED.filter(
    (name) => !OPTIONAL.includes(name) || events.some((event) => event[name] !== undefined),
  );
  const lines = events
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .map((event) => csvLine(columns.map((name) => event[name] ?? '')));
  return [columns.join(), ...lines];
}
