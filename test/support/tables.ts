import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { close, databaseClient } from 'customer-data-api-deployment/local';
import { embeddedDynamoDb, readCloudAssembly, startDatabase } from 'customer-data-api-local';
import { inject } from 'vitest';
import { readItem } from '../../core/aws/attribute-values.ts';

export type Tables = Awaited<ReturnType<typeof startTables>>;

/**
 * Creates the tables of the stack, without its functions and streams. The Configs table has the
 * example clients.
 */
export async function startTables() {
  const { template } = await readCloudAssembly(inject('cloudAssembly'));
  const {
    ConfigsTableName = '',
    ConfigVersionsTableName = '',
    PromoEventsTableName = '',
    ErasuresTableName = '',
  } = template.outputs();
  const { endpoint, server } = await startDatabase(
    await embeddedDynamoDb(),
    template.tables(),
    ConfigsTableName,
    ['app'],
  );
  const dynamodb = databaseClient(endpoint);
  return {
    endpoint,
    server,
    dynamodb,
    /** The tables of the configurations and of their versions. */
    configurations: {
      dynamodb,
      configsTableName: ConfigsTableName,
      versionsTableName: ConfigVersionsTableName,
    },
    promoEventsTableName: PromoEventsTableName,
    erasuresTableName: ErasuresTableName,
    /** The items of the clients, as somebody edits them by hand. */
    clients: {
      put: (clientId: string, item: object) =>
        dynamodb.send(
          new PutItemCommand({
            TableName: ConfigsTableName,
            Item: marshall({ clientId, ...item }),
          }),
        ),
      remove: (clientId: string) =>
        dynamodb.send(
          new DeleteItemCommand({ TableName: ConfigsTableName, Key: marshall({ clientId }) }),
        ),
      read: async (clientId: string): Promise<Record<string, unknown> | undefined> => {
        const { Item } = await dynamodb.send(
          new GetItemCommand({
            TableName: ConfigsTableName,
            Key: marshall({ clientId }),
            ConsistentRead: true,
          }),
        );
        return Item && readItem(Item);
      },
    },
    stop: async () => {
      dynamodb.destroy();
      await close(server);
    },
  };
}
