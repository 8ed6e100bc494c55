import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { MAX_BODY_BYTES } from '../../functions/api/validate-body.ts';
import * as peers from '../candidates/peers/request-body.ts';
import { erasePromoEventsOfCalls, storePromoEvents } from '../environment/promo-events.ts';
import { documentClient, environment } from './stand-ins.ts';

/* What all candidates share. */

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
  const erased = batches(sent).flatMap((batch) => batch.map((one) => one.DeleteRequest?.Key));
  expect(erased).toEqual(page('a', 'b', 'c'));
});
