import { offlineDynamoDb } from 'customer-data-api/testing/offline-dynamodb';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { expect, test } from 'vitest';
import { listPromoEvents, tableToList } from '../../../promo-events/search.ts';

test('promo events are read as they were stored last', async () => {
  const { inputs, dynamodb } = offlineDynamoDb();
  const events = listPromoEvents(tableToList(OUTPUTS, dynamodb), { clientId: 'pizza' });
  expect(await Array.fromAsync(events)).toEqual([]);
  expect(inputs).toEqual([expect.objectContaining({ ConsistentRead: true })]);
});

test('a policy of an earlier release permits the list of promo events', async () => {
  const { PromoEventRetentionDays: _, ...former } = OUTPUTS;
  const { inputs, dynamodb } = offlineDynamoDb();
  for (const outputs of [OUTPUTS, former]) {
    await Array.fromAsync(listPromoEvents(tableToList(outputs, dynamodb), { clientId: 'pizza' }));
  }
  expect(inputs.map((input) => JSON.stringify(input).includes('importedAt'))).toEqual([
    true,
    false,
  ]);
});
