import { type LastChange, newLastChange } from '../../core/clients/last-change.ts';
import { contentDigest } from '../../core/history/content-digest.ts';
import { updateClient } from '../clients/update-client.ts';
import { ConfigurationConflict } from '../errors.ts';
import type { PlannedChange } from './plan-change.ts';
import { changesSince } from './recent-changes.ts';
import { type ConfigurationTables, readStored } from './stored-configuration.ts';

/**
 * Writes a planned change with one call, on the condition that the content is still what the plan
 * was made for. Nothing else in the item changes.
 *
 * @returns the item's new `lastChange`, by whose id `waitForVersion` finds the version.
 * @throws ConfigurationConflict if somebody has changed the content since. If what they changed
 *   cannot be read, it throws the error of the read, whose cause is DynamoDB's refusal of the
 *   write.
 */
export async function publish(
  tables: ConfigurationTables,
  { before, after, restores }: PlannedChange,
  { by, message }: Pick<LastChange, 'by' | 'message'>,
): Promise<LastChange> {
  const { clientId, content } = before;
  const lastChange = newLastChange({ by, message, ...(restores && { restores }) });
  const configs = { dynamodb: tables.dynamodb, tableName: tables.configsTableName };
  const refusal = await updateClient(configs, clientId, lastChange, {
    set: after,
    unchanged: { fields: content.fields, lastFieldId: content.lastFieldId },
  });
  if (!refusal) return lastChange;
  try {
    const stored = await readStored(tables, clientId);
    const since = await changesSince(tables, contentDigest(content), stored);
    throw new ConfigurationConflict(clientId, { kind: 'changed', since });
  } catch (error) {
    throw Object.assign(error as Error, { cause: refusal });
  }
}
