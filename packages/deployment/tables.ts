import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { VersionsTable } from 'customer-data-api/history';
import { dynamodbClient } from './aws-clients.ts';
import type { Outputs } from './outputs.ts';

/** The Configs table. */
export interface ConfigsTable {
  readonly dynamodb: DynamoDBClient;
  readonly configsTableName: string;
}

/** The tables of the configurations and their versions. */
export interface ConfigurationTables extends ConfigsTable, VersionsTable {}

/** The tables of configurations and of their versions. Dispose of them after use. */
export function configurationTables(outputs: Outputs): ConfigurationTables & Disposable {
  const dynamodb = dynamodbClient(outputs);
  return {
    dynamodb,
    configsTableName: outputs.ConfigsTableName,
    versionsTableName: outputs.ConfigVersionsTableName,
    [Symbol.dispose]: () => dynamodb.destroy(),
  };
}
