import { offlineDynamoDb } from 'customer-data-api/testing/offline-dynamodb';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { expect, test } from 'vitest';
import { listPromoEvents } from '../../../promo-events/search.ts';

test('promo events are read as they were stored last', async () => {
  const { inputs, dynamodb } = offlineDynamoDb();
  const table = { dynamodb, tableName: OUTPUTS.PromoEventsTableName };
  const events = listPromoEvents(table, { clientId: 'pizza' });
  expect(await Array.fromAsync(events)).toEqual([]);
  expect(inputs).toEqual([expect.objectContaining({ ConsistentRead: true })]);
});
