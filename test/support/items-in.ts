import { type DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';

// biome-ignore lint/suspicious/noExplicitAny: as the SDK types the attributes of an item
type Stored = Record<string, any>;

/**
 * Reads the items of a table, or those of one client. All of its pages: a check that reads only the
 * first judges a part of what is stored.
 */
export async function itemsIn(
  TableName: string,
  client: DynamoDBDocumentClient,
  clientId?: string,
): Promise<Stored[]> {
  const input = { TableName, ConsistentRead: true };
  const ofClient = {
    KeyConditionExpression: 'clientId = :clientId',
    ExpressionAttributeValues: { ':clientId': clientId },
  };
  const pages =
    clientId === undefined
      ? paginateScan({ client }, input)
      : paginateQuery({ client }, { ...input, ...ofClient });
  const items: Stored[] = [];
  for await (const { Items = [] } of pages) items.push(...Items);
  return items;
}
