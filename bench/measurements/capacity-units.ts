import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { CLIENT, type Environment } from '../environment/environment.ts';
import { promoEventItem } from '../environment/promo-events.ts';

/**
 * What DynamoDB counts for one consistent read of a client's item and for one write of a promo
 * event.
 */
export interface CapacityUnits {
  readonly read: number;
  readonly write: number;
}

/** Makes one read and one write, and returns their capacity units. */
export async function capacityUnits({
  documentClient,
  outputs,
}: Environment): Promise<CapacityUnits> {
  const { ConsumedCapacity: read } = await documentClient.send(
    new GetCommand({
      TableName: outputs.ConfigsTableName,
      Key: { clientId: CLIENT.clientId },
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  const { ConsumedCapacity: write } = await documentClient.send(
    new PutCommand({
      TableName: outputs.PromoEventsTableName,
      Item: promoEventItem(CLIENT.clientId, 0),
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  return { read: read?.CapacityUnits ?? Number.NaN, write: write?.CapacityUnits ?? Number.NaN };
}
