import { comparable } from 'customer-data-api/configuration';

/** Returns the number that people read in an id; undefined for another text. */
export function idNumber(id: unknown): number | undefined {
  const text = typeof id === 'string' ? canonical(id) : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Returns an id without zeros, spaces and widths, which people do not tell apart. */
export function canonical(id: string): string {
  return comparable(id)
    .replaceAll(' ', '')
    .replace(/^0+(?=.)/, '');
}
