/** An App-Id whose digest, `0000001c`, is before those of all others. */
export const FIRST_KEY = 'first-key-18256120';

/**
 * A client as somebody puts it into the table: without fields, with one App-Id and one app client.
 */
export function client(clientId: string, changed: object = {}): Record<string, unknown> {
  const item = { clientId, fields: [], lastFieldId: 0, appIds: new Set([FIRST_KEY]), ...changed };
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}
