import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { HttpResponse } from '@smithy/core/protocols';
import { createDocumentClient } from './document-client.ts';

/**
 * A DynamoDB client for a rehearsal: it sends nothing, and answers each call itself.
 *
 * @param answer the answer to each call, in DynamoDB's JSON.
 */
export function rehearsalClient(answer: object): DynamoDBDocumentClient {
  const documentClient = createDocumentClient('https://rehearsal.invalid');
  const body = Buffer.from(JSON.stringify(answer));
  documentClient.config.requestHandler = {
    ...documentClient.config.requestHandler,
    handle: async () => ({ response: new HttpResponse({ statusCode: 200, body }) }),
  };
  return documentClient;
}
