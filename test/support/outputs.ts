import { REGION } from 'customer-data-api-deployment/local';
import type { Outputs } from 'customer-data-api-deployment/outputs';

/** The URL of a queue. */
export const queueUrl = (queueName: string) =>
  `https://sqs.${REGION}.amazonaws.com/000000000000/${queueName}`;

/** The outputs of a deployment. */
export const OUTPUTS = {
  ApiUrl: 'https://api.example.com',
  ConfigsTableName: 'Configs',
  ConfigVersionsTableName: 'ConfigVersions',
  PromoEventsTableName: 'PromoEvents',
  ErasuresTableName: 'Erasures',
  PromoEventsQueueUrl: queueUrl('queue'),
  PromoEventsDeadLetterQueueUrl: queueUrl('dead-letters'),
  PromoEventsBusName: 'bus',
  PromoEventsBusQueueUrl: queueUrl('bus-queue'),
  PromoEventsBusDeadLetterQueueUrl: queueUrl('bus-dead-letters'),
  ConfigVersionsDeadLetterQueueUrl: queueUrl('history-dead-letters'),
  Region: REGION,
  Release: '0.0.0',
  RequiresUserPoolClientIds: 'false',
  RetainsData: 'true',
  StoresDeviceIds: 'false',
  PromoEventRetentionDays: '0',
  ConfigCacheSeconds: '10',
  UserIdClaim: 'sub',
  UserPoolId: `${REGION}_Pool`,
  UserPoolClientId: 'client',
} satisfies Outputs;
