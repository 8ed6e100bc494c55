import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamoDbClient } from './dynamodb-client.ts';

/**
 * Creates a DynamoDB client, as `createDynamoDbClient` does. Keys, items and values are plain
 * JavaScript.
 *
 * @param endpoint the URL of DynamoDB, unless a variable of the SDKs moves it.
 */
export function createDocumentClient(endpoint: string): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(createDynamoDbClient(endpoint), {
    marshallOptions: { removeUndefinedValues: true },
    // The default turns a number with more digits than a JavaScript number holds into an error: a
    // typing error in one field would make the whole item unreadable.
    unmarshallOptions: { wrapNumbers: Number },
  });
}
