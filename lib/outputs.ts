import { Aws, CfnOutput, type Stack } from 'aws-cdk-lib';
import packageJson from '../package.json' with { type: 'json' };
import type { Users } from './api/user-pool.ts';
import type { ConfigurationHistory } from './dynamodb/configuration-history.ts';
import type { Tables } from './dynamodb/tables.ts';
import type { GradualDeployment } from './gradual-deployment.ts';
import type { ServiceBus } from './promo-events/bus.ts';
import type { PromoEventsQueue } from './promo-events/queue.ts';
import type { Stage } from './settings/stage-file.ts';

/** Adds the outputs by which the tools find the parts of a deployment, and apps its API. */
export function addOutputs(
  stack: Stack,
  apiUrl: string,
  {
    stage: { settings },
    tables,
    queue,
    bus,
    history,
    users,
    versions,
  }: {
    readonly stage: Stage;
    readonly tables: Tables;
    readonly queue: PromoEventsQueue;
    readonly bus: ServiceBus;
    readonly history: ConfigurationHistory;
    readonly users: Users;
    readonly versions: GradualDeployment;
  },
): void {
  const outputs = {
    ApiUrl: apiUrl,
    ConfigsTableName: tables.configs.tableName,
    ConfigVersionsTableName: tables.configVersions.tableName,
    PromoEventsTableName: tables.promoEvents.tableName,
    ErasuresTableName: tables.erasures.tableName,
    PromoEventsQueueUrl: queue.queue.queueUrl,
    PromoEventsDeadLetterQueueUrl: queue.deadLetterQueue.queueUrl,
    PromoEventsBusQueueUrl: bus.queue.queueUrl,
    PromoEventsBusDeadLetterQueueUrl: bus.deadLetterQueue.queueUrl,
    ConfigVersionsDeadLetterQueueUrl: history.deadLetterQueue.queueUrl,
    Region: Aws.REGION,
    Release: packageJson.version,
    RequiresUserPoolClientIds: String(settings.requireUserPoolClientIds ?? false),
    RetainsData: String(settings.retainData),
    StoresDeviceIds: String(settings.storeDeviceIds),
    PromoEventRetentionDays: String(settings.promoEventRetentionDays ?? 0),
    ConfigCacheSeconds: String(settings.configCacheSeconds),
    UserPoolId: users.userPoolId,
    UserPoolClientId: users.userPoolClientIds.join(','),
    UserIdClaim: settings.userIdClaim,
    ...(versions.application && {
      CodeDeployApplicationName: versions.application.applicationName,
      CodeDeployDeploymentGroupNames: versions.deploymentGroups.join(','),
    }),
  };
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
  for (const [name, value] of users.appClients) {
    new CfnOutput(stack, `UserPoolClientId${name}`, { value });
  }
  new CfnOutput(stack, 'PromoEventsBusName', {
    value: bus.eventBus.eventBusName,
    exportName: `${stack.stackName}-PromoEventsBusName`,
  });
}
