import type { ConfigurationTables } from '../../admin/configuration/stored-configuration.ts';
import { dynamodbClient } from './aws-clients.ts';
import type { Outputs } from './outputs.ts';

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
