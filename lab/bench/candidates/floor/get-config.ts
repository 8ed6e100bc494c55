import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { verifyIdToken } from './id-token.ts';

const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = process.env.CONFIGS_TABLE_NAME;

export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  verifyIdToken(event.headers.authorization);
  const { clientId } = JSON.parse(event.body ?? '');
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName, Key: { clientId }, ConsistentRead: true }),
  );
  const data = { fields: Item?.fields, lastFieldId: Item?.lastFieldId };
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ errors: [], warnings: [], notices: [], data }),
  };
}
