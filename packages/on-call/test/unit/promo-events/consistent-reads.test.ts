import { offlineDynamoDb } from 'customer-data-api/testing/offline-dynamodb';
import { expect, test } from 'vitest';
import { listPromoEvents } from '../../../promo-events/search.ts';

test('promo events are read as they were stored last', async () => {
  const { inputs, dynamodb } = offlineDynamoDb();
  const events = listPromoEvents({ dynamodb, tableName: 'Table' }, { clientId: 'pizza' });
  expect(await Array.fromAsync(events)).toEqual([]);
  expect(inputs).toEqual([expect.objectContaining({ ConsistentRead: true })]);
});
