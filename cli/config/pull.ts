import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ConfigsItem } from '../../core/clients/client-record.ts';
import { CommandError } from '../../core/platform/command-error.ts';
import { documentClient } from '../aws-clients.ts';
import type { Outputs } from '../outputs.ts';

/** Keys are managed apart from the configuration. */
const KEYS = ['appIds', 'userPoolClientIds'];

/**
 * Reads the configuration of a client as it is stored, without its keys.
 *
 * @throws CommandError if there is no such client.
 */
export async function pullConfiguration(outputs: Outputs, clientId: string): Promise<ConfigsItem> {
  const client = documentClient(outputs);
  try {
    const { Item } = await client.send(
      new GetCommand({
        TableName: outputs.ConfigsTableName,
        Key: { clientId },
        ConsistentRead: true,
      }),
    );
    if (!Item) throw new CommandError(`There is no client ${clientId}.`);
    const content = Object.entries(Item).filter(([name]) => !KEYS.includes(name));
    return Object.fromEntries(content);
  } finally {
    client.destroy();
  }
}
