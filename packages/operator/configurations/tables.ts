import { dynamodbClient } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import type { ConfigurationTables } from './stored-configuration.ts';

/** The tables of configurations and of their versions. Dispose of them after use. */
export function configurationTables(outputs: Outputs): ConfigurationTables & Disposable {
  const dynamodb = dynamodbClient(outputs);
  return {
    dynamodb,
    configsTableName: outputs.ConfigsTableName,
    tableName: outputs.ConfigVersionsTableName,
    [Symbol.dispose]: () => dynamodb.destroy(),
  };
}
