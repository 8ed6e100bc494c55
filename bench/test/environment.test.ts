import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { HEADERS } from '../../functions/api/request-headers.ts';
import { MAX_BODY_BYTES } from '../../functions/api/validate-body.ts';
import * as peers from '../candidates/peers/request-body.ts';
import { apiGatewayEvent } from '../environment/api-gateway-event.ts';
import { clientRecord } from '../environment/client-record.ts';
import type { Environment } from '../environment/environment.ts';
import { erasePromoEventsOfCalls, storePromoEvents } from '../environment/promo-events.ts';

/* What all candidates share. */

const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({ region: 'us-east-1', endpoint: 'http://127.0.0.1:1' }),
);
const environment = {
  documentClient,
  outputs: { ConfigsTableName: 'Configs', PromoEventsTableName: 'PromoEvents' },
} as unknown as Environment;

/** Answers the commands in turn, and returns what was sent. */
function answering(...answers: readonly object[]) {
  const sent: unknown[] = [];
  vi.spyOn(documentClient, 'send').mockImplementation(async (command: unknown) => {
    sent.push(command);
    return answers[sent.length - 1] ?? {};
  });
  return sent;
}

/** The requests of the batches among the commands. */
const batches = (sent: readonly unknown[]) =>
  sent
    .filter((command) => command instanceof BatchWriteCommand)
    .map(({ input }) => input.RequestItems?.PromoEvents ?? []);

test('peers accept request bodies up to the same size as our functions', () => {
  expect(peers.MAX_BODY_BYTES).toBe(MAX_BODY_BYTES);
});

test('an event has the path of its operation, and every header', () => {
  const event = apiGatewayEvent('apply-promo-code', 'a.b.c', { clientId: 'demo' });
  expect(event).toMatchObject({ path: '/promoCode/apply', body: '{"clientId":"demo"}' });
  const names = Object.keys((event as { headers: object }).headers);
  for (const { name } of Object.values(HEADERS)) expect(names).toContain(name.toLowerCase());
});

test('a client with 1,000 fields has nearly the most bytes of an item', () => {
  const { fields, lastFieldId } = clientRecord('bench', 1000);
  expect(new Set(fields.map(({ id }) => id)).size).toBe(lastFieldId);
  // JSON has about an eighth more bytes than DynamoDB counts, which takes at most 400 KB.
  const kilobytes = JSON.stringify(clientRecord('bench', 1000)).length / 1024;
  expect(kilobytes).toBeGreaterThan(430);
  expect(kilobytes).toBeLessThan(460);
});

test('promo events are stored once each, in batches, of users who send no events', async () => {
  const sent = answering();
  await storePromoEvents(environment, 'with-60', 60);
  expect(batches(sent).map(({ length }) => length)).toEqual([25, 25, 10]);
  const ids = batches(sent).flatMap((batch) => batch.map((one) => one.PutRequest?.Item?.eventId));
  expect(new Set(ids).size).toBe(60);
  expect(ids.filter((id) => id.startsWith('user-'))).toEqual([]);
});

test('what calls have added is erased from all pages, and nothing else', async () => {
  const page = (...eventIds: string[]) =>
    eventIds.map((eventId) => ({ clientId: 'with-60', eventId }));
  const LastEvaluatedKey = { clientId: 'with-60', eventId: 'b' };
  const sent = answering({ Items: page('a', 'b'), LastEvaluatedKey }, {}, { Items: page('c') }, {});
  await erasePromoEventsOfCalls(environment, 'with-60');
  const queries = sent.filter((command) => command instanceof QueryCommand);
  expect(queries).toHaveLength(2);
  expect(queries[1]?.input.ExclusiveStartKey).toEqual(LastEvaluatedKey);
  expect(queries[0]?.input.ExpressionAttributeValues).toEqual({
    ...{ ':clientId': 'with-60', ':user': 'user-' },
  });
  const erased = batches(sent).flatMap((batch) => batch.map((one) => one.DeleteRequest?.Key));
  expect(erased).toEqual(page('a', 'b', 'c'));
});
