import type { ConfigsTable } from '../../../admin/clients/configs-table.ts';
import { dynamodbClient } from '../../deployment/aws-clients.ts';
import type { Deployment } from '../../deployment/deployment.ts';

/** The Configs table of a deployment. Its connections are closed at the end of the block that declares it with `using`. */
export function configsTable({ outputs }: Pick<Deployment, 'outputs'>): ConfigsTable & Disposable {
  const dynamodb = dynamodbClient(outputs);
  return {
    dynamodb,
    tableName: outputs.ConfigsTableName,
    [Symbol.dispose]: () => dynamodb.destroy(),
  };
}
