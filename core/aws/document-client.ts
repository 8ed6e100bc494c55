import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamoDbClient } from './dynamodb-client.ts';

/** Creates a DynamoDB client as `createDynamoDbClient` does, but with plain JavaScript values. */
export function createDocumentClient(endpoint: string): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(createDynamoDbClient(endpoint), {
    marshallOptions: { removeUndefinedValues: true },
    // By default, a number with too many digits for JavaScript is an error: a typing error in one
    // field would make the whole item unreadable.
    unmarshallOptions: { wrapNumbers: Number },
  });
}
