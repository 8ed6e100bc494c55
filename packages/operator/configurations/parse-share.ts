import { normalDevice } from 'customer-data-api/configuration';

/** Reads a share: 0 to 100, with at most two decimals. */
export function parsePercent(text: string): number | undefined {
  const percent = Number(text);
  return /^\d{1,3}(?:\.\d{1,2})?$/.test(text) && percent <= 100 ? percent : undefined;
}

/** Reads the id of a single device: a UUID becomes lower case. */
export function parseDevice(text: string): string | undefined {
  const device = normalDevice(text);
  return device !== undefined && device.length <= 128 ? device : undefined;
}
