import { DeleteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { databaseClient } from 'customer-data-api-deployment/local';
import type { TableDefinition } from '../template.ts';
import { EXPIRY_HEADER } from './streaming-database.ts';

/** Removes the items that have expired. DynamoDB does so within days. */
export async function expireItems(
  endpoint: string,
  tables: readonly TableDefinition[],
): Promise<void> {
  // People may have stored any number.
  const unmarshallOptions = { wrapNumbers: true };
  const client = DynamoDBDocumentClient.from(databaseClient(endpoint), { unmarshallOptions });
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, { [EXPIRY_HEADER]: 'true' });
      return next(args);
    },
    { step: 'build' },
  );
  try {
    for (const { tableName: TableName, timeToLiveAttribute, keySchema } of tables) {
      if (!timeToLiveAttribute) continue;
      const hasExpired = {
        TableName,
        ExpressionAttributeNames: { '#time': timeToLiveAttribute },
        ExpressionAttributeValues: { ':now': Math.floor(Date.now() / 1000) },
      };
      const FilterExpression = '#time < :now';
      for await (const { Items = [] } of paginateScan(
        { client },
        { ...hasExpired, FilterExpression },
      )) {
        for (const item of Items) {
          const Key = Object.fromEntries(
            keySchema.map(({ AttributeName = '' }) => [AttributeName, item[AttributeName]]),
          );
          const ConditionExpression = FilterExpression;
          await client.send(new DeleteCommand({ ...hasExpired, Key, ConditionExpression }));
        }
      }
    }
  } finally {
    client.destroy();
  }
}
