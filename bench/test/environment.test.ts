import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  type GetCommand,
  type PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { HEADERS } from '../../functions/api/request-headers.ts';
import { apiGatewayEvent } from '../environment/api-gateway-event.ts';
import { APP_ID, clientRecord } from '../environment/client-record.ts';
import type { Environment } from '../environment/environment.ts';
import { erasePromoEventsOfCalls, storePromoEvents } from '../environment/promo-events.ts';
import { capacityUnits } from '../measurements/capacity-units.ts';

/* What all candidates share. */

const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({ region: 'us-east-1', endpoint: 'http://127.0.0.1:1' }),
);
const environment = {
  documentClient,
  outputs: { ConfigsTableName: 'Configs', PromoEventsTableName: 'PromoEvents' },
} as unknown as Environment;

type Sent = BatchWriteCommand | GetCommand | PutCommand | QueryCommand;

/** Answers the commands in turn, and returns what was sent. */
function answering(...answers: readonly object[]): Sent[] {
  const sent: Sent[] = [];
  vi.spyOn(documentClient, 'send').mockImplementation(async (command: unknown) => {
    sent.push(command as Sent);
    return answers[sent.length - 1] ?? {};
  });
  return sent;
}

test.each([
  ['get-config', '/customerData/getConfig'],
  ['apply-promo-code', '/promoCode/apply'],
] as const)('an event of %s has its path, all headers and its body', (operation, path) => {
  const event = apiGatewayEvent(operation, 'a.b.c', { clientId: 'demo' });
  expect(event).toMatchObject({
    ...{ path, resource: path, httpMethod: 'POST', body: '{"clientId":"demo"}' },
    headers: { authorization: 'Bearer a.b.c', 'app-id': APP_ID },
    multiValueHeaders: { authorization: ['Bearer a.b.c'], 'app-id': [APP_ID] },
  });
  const names = Object.keys((event as { headers: object }).headers);
  for (const { name } of Object.values(HEADERS)) expect(names).toContain(name.toLowerCase());
});

test('a client has as many fields as it should, and with 1,000 nearly the most bytes of an item', () => {
  const { fields, lastFieldId, ...client } = clientRecord('bench', 1000);
  expect(client).toEqual({ clientId: 'bench', appIds: [APP_ID] });
  expect(lastFieldId).toBe(1000);
  expect(fields.map(({ id }) => id)).toEqual(
    Array.from({ length: 1000 }, (_, index) => String(index + 1)),
  );
  // JSON has about an eighth more bytes than DynamoDB counts, which takes at most 400 KB.
  const kilobytes = JSON.stringify(clientRecord('bench', 1000)).length / 1024;
  expect(kilobytes).toBeGreaterThan(430);
  expect(kilobytes).toBeLessThan(460);
});

test('promo events are stored once each, in batches of at most 25, of users who send no events', async () => {
  const sent = answering() as BatchWriteCommand[];
  await storePromoEvents(environment, 'with-60', 60);
  const batches = sent.map(({ input }) => input.RequestItems?.PromoEvents ?? []);
  expect(batches.map(({ length }) => length)).toEqual([25, 25, 10]);
  const items = batches.flat().map(({ PutRequest }) => PutRequest?.Item ?? {});
  expect(new Set(items.map(({ eventId }) => eventId)).size).toBe(60);
  for (const { clientId, eventId } of items) {
    expect(clientId).toBe('with-60');
    expect(eventId).not.toMatch(/^user-/);
  }
});

test('what calls have added is erased from all pages, and nothing else', async () => {
  const page = (...eventIds: string[]) =>
    eventIds.map((eventId) => ({ clientId: 'with-60', eventId }));
  const LastEvaluatedKey = { clientId: 'with-60', eventId: 'b' };
  const sent = answering({ Items: page('a', 'b'), LastEvaluatedKey }, {}, { Items: page('c') }, {});
  await erasePromoEventsOfCalls(environment, 'with-60');
  const queries = sent.filter((command) => command instanceof QueryCommand);
  expect(queries.map(({ input }) => input)).toEqual(
    [undefined, LastEvaluatedKey].map((ExclusiveStartKey) =>
      expect.objectContaining({
        TableName: 'PromoEvents',
        KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :user)',
        ExpressionAttributeValues: { ':clientId': 'with-60', ':user': 'user-' },
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
        Limit: 25,
      }),
    ),
  );
  const erased = sent
    .filter((command) => command instanceof BatchWriteCommand)
    .flatMap(({ input }) => input.RequestItems?.PromoEvents ?? [])
    .map(({ DeleteRequest }) => DeleteRequest?.Key);
  expect(erased).toEqual(page('a', 'b', 'c'));
});

test('DynamoDB counts one consistent read of the client and one write of a promo event', async () => {
  const sent = answering(
    { ConsumedCapacity: { CapacityUnits: 2 } },
    { ConsumedCapacity: { CapacityUnits: 3 } },
  );
  expect(await capacityUnits(environment)).toEqual({ read: 2, write: 3 });
  expect(sent.map(({ input }) => input)).toEqual([
    {
      ...{ TableName: 'Configs', Key: { clientId: 'bench' } },
      ...{ ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' },
    },
    {
      TableName: 'PromoEvents',
      Item: expect.objectContaining({ clientId: 'bench' }),
      ReturnConsumedCapacity: 'TOTAL',
    },
  ]);
});
