import { LISTED } from 'customer-data-api/promo-events';
import { csvLine } from 'customer-data-api-editor/csv';
import type { ListedPromoEvent } from './search.ts';

/**
 * Lines of CSV (RFC 4180): a header row, and the events in the order of time. The column of devices
 * is there if an event has one.
 */
export function promoEventsToCsv(events: readonly ListedPromoEvent[]): string[] {
  const timeOf = ({ receivedAt = '' }: ListedPromoEvent) => receivedAt;
  const hasDevices = events.some(({ deviceId }) => deviceId !== undefined);
  const columns = LISTED.filter((name) => name !== 'deviceId' || hasDevices);
  const lines = events
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .map((event) => csvLine(columns.map((name) => event[name] ?? '')));
  return [columns.join(), ...lines];
}
