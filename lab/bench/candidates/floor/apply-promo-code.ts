import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { verifyIdToken } from './id-token.ts';

const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = process.env.PROMO_EVENTS_TABLE_NAME;

const NAMES = [
  'userId',
  'promoCode',
  'eventType',
  'source',
  'deviceId',
  'requestDate',
  'receivedAt',
  'kind',
];
const UpdateExpression = `SET ${NAMES.map((name) => `#${name} = if_not_exists(#${name}, :${name})`)}`;
const ExpressionAttributeNames = Object.fromEntries(NAMES.map((name) => [`#${name}`, name]));

export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  verifyIdToken(event.headers.authorization);
  const { clientId, userId, promoCode, eventType, source } = JSON.parse(event.body ?? '');
  await dynamodb.send(
    new UpdateCommand({
      TableName,
      Key: { clientId, eventId: `${userId}#${promoCode}#applied` },
      UpdateExpression,
      ExpressionAttributeNames,
      ExpressionAttributeValues: {
        ':userId': userId,
        ':promoCode': promoCode,
        ':eventType': eventType,
        ':source': source,
        ':deviceId': event.headers['device-id'],
        ':requestDate': event.headers['request-date'],
        ':receivedAt': new Date().toISOString(),
        ':kind': 'applied',
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  const data = { message: 'The promo code was applied.', outcome: 'applied' };
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ errors: [], warnings: [], notices: [], data }),
  };
}
