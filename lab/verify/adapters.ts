import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { databaseClient } from '../../packages/deployment/local/aws-clients.ts';
import { createTable } from '../../packages/local/dynamodb/database.ts';
import { itemsIn } from '../../test/support/items-in.ts';
import { formOf, storedForm } from './codes.ts';
import type { Outcome } from './history.ts';
import type { StoredItem, System } from './system.ts';

/**
 * A service that teams write, with a table of its own: it tells that a code is used, and stores
 * nothing.
 */
type Adapter = (table: Table, item: StoredItem) => Promise<Outcome>;

interface Table {
  readonly documents: DynamoDBDocumentClient;
  readonly TableName: string;
}

/** Looks whether the code is used, and stores it if it is not. */
export const getThenPut: Adapter = async ({ documents, TableName }, item) => {
  const { userId, codeIdentity } = item;
  const Key = { userId, codeIdentity };
  const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  if (Item) return 'used';
  await documents.send(new PutCommand({ TableName, Item: item }));
  return 'applied';
};

/** Stores the code on the condition that it is not used. */
export const conditionalPut: Adapter = async ({ documents, TableName }, item) => {
  const ConditionExpression = 'attribute_not_exists(userId)';
  try {
    await documents.send(new PutCommand({ TableName, Item: item, ConditionExpression }));
    return 'applied';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'used';
    throw error;
  }
};

/** Does the same, and notes the device that sent the code last. */
export const conditionalPutThenUpdate: Adapter = async (table, item) => {
  const outcome = await conditionalPut(table, item);
  if (outcome === 'used') {
    const { TableName, documents } = table;
    const { userId, codeIdentity, deviceId } = item;
    const update = new UpdateCommand({
      TableName,
      Key: { userId, codeIdentity },
      UpdateExpression: 'SET deviceId = :deviceId',
      ExpressionAttributeValues: { ':deviceId': deviceId },
    });
    await documents.send(update);
  }
  return outcome;
};

/** Creates a table in a DynamoDB of this machine, and a system that uses it. */
export async function createAdapter(
  endpoint: string,
  TableName: string,
  adapter: Adapter,
): Promise<System & Disposable> {
  const client = databaseClient(endpoint);
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  // A read of a table that is still being created fails.
  await createTable(client, {
    tableName: TableName,
    keySchema: [
      { AttributeName: 'userId', KeyType: 'HASH' },
      { AttributeName: 'codeIdentity', KeyType: 'RANGE' },
    ],
    attributeDefinitions: ['userId', 'codeIdentity'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
  });
  return {
    users: ['jane', 'joe'],
    storesDeviceIds: () => true,
    apply: ({ user, code, date, ...attributes }) => {
      const item = {
        ...attributes,
        userId: user,
        codeIdentity: formOf(code),
        promoCode: storedForm(code),
        requestDate: date.replace('+00:00', 'Z').replace(/0Z$/, 'Z'),
        receivedAt: new Date().toISOString(),
        kind: 'applied',
      };
      return adapter({ documents, TableName }, item);
    },
    read: async () => (await itemsIn(TableName, documents)) as StoredItem[],
    drain: async () => {},
    [Symbol.dispose]: () => client.destroy(),
  };
}
