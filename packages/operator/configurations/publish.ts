import { type LastChange, newLastChange } from 'customer-data-api/clients';
import { contentDigest } from 'customer-data-api/history';
import { updateClient } from '../clients/update-client.ts';
import { ConfigurationConflict } from '../errors.ts';
import type { PlannedChange } from './plan-change.ts';
import { changesSince } from './recent-changes.ts';
import { type ConfigurationTables, readStored } from './stored-configuration.ts';

/**
 * Writes a planned change in one call, if the content has not changed since the plan was made.
 * Nothing else in the item changes.
 *
 * @returns the new `lastChange`; `waitForVersion` finds the version by its id.
 * @throws ConfigurationConflict if the content has changed since. If the changes cannot be read,
 *   throws the error of the read with DynamoDB's refusal as its cause.
 */
export async function publish(
  tables: ConfigurationTables,
  { before, after, restores }: PlannedChange,
  { by, message }: Pick<LastChange, 'by' | 'message'>,
): Promise<LastChange> {
  const { clientId, content } = before;
  const lastChange = newLastChange({ by, message, ...(restores && { restores }) });
  const refusal = await updateClient(tables, clientId, lastChange, {
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
