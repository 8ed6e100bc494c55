import { newestVersion } from 'customer-data-api/history';
import { readClient } from '../clients/configs-table.ts';
import { NoSuchClient } from '../errors.ts';
import type { ConfigurationTables } from './stored-configuration.ts';

/** Throws NoSuchClient if a client never existed. Promo events outlive their client. */
export async function expectKnownClient(
  tables: ConfigurationTables,
  clientId: string,
): Promise<void> {
  if (await readClient(tables, clientId)) return;
  if (await newestVersion(tables, clientId)) return;
  throw new NoSuchClient(clientId);
}
