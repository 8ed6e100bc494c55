import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { breachFinder } from '../../../../core/promo-events/breaches.ts';

test('an application that only a consistent read finds is not missing', async () => {
  // The local engines have no other reads.
  const send = async ({ input }: { readonly input: { readonly ConsistentRead?: boolean } }) =>
    input.ConsistentRead ? { Item: { clientId: 'demo' } } : {};
  const table = { documentClient: { send } as unknown as DynamoDBDocumentClient, tableName: '' };
  const breachOf = breachFinder(
    { promoEvents: table, erasures: table },
    new Date(),
    new AbortController().signal,
  );
  const eventId = 'user#CODE#repeated#2026-11-20T09:30:00Z';
  expect(await breachOf({ eventName: 'INSERT', clientId: 'demo', eventId })).toBeUndefined();
});
