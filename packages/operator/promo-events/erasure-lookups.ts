import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { erasureLookup, type IsErased } from 'customer-data-api/promo-events';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { awsTime } from './aws-time.ts';

/**
 * Returns the function that creates a lookup of the erasures of a deployment. A lookup knows the
 * markers of a client as they are at the first event of the client.
 */
export async function erasureLookups(
  documentClient: DynamoDBDocumentClient,
  { ErasuresTableName, PromoEventsTableName }: Outputs,
): Promise<() => IsErased> {
  const now = await awsTime(documentClient, PromoEventsTableName);
  return () => erasureLookup({ documentClient, tableName: ErasuresTableName }, now);
}
