import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, throwUnavailable } from './document-client.ts';

/** An item of the Configs table. */
export type ConfigsItem = Readonly<Record<string, unknown>>;

/**
 * Reads a client's item.
 *
 * @throws ServiceUnavailableError
 */
export async function readConfigsItem(clientId: string): Promise<ConfigsItem | undefined> {
  const TableName = process.env.CONFIGS_TABLE_NAME;
  const { Item } = await documentClient
    .send(new GetCommand({ TableName, Key: { clientId }, ConsistentRead: true }))
    .catch(throwUnavailable);
  return Item;
}
