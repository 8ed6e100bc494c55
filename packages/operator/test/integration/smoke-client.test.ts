import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { historyOf } from 'customer-data-api/testing/history';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { startService } from 'customer-data-api/testing/service';
import { expect, test, vi } from 'vitest';
import { Cleanup } from '../../smoke/cleanup.ts';
import { createClient } from '../../smoke/test-client-record.ts';

test('the client of the smoke checks comes and goes without harm, so that no alarm is raised', async () => {
  await using service = await startService();
  const { lines } = service.watchLog();
  const created = new Cleanup(() => {});
  const { clientId } = await createClient(service.outputs, created);
  const Item = { ...eventOf('jane', { clientId }), eventId: 'jane#CODE#applied', kind: 'applied' };
  await service.documentClient.send(
    new PutCommand({ TableName: service.outputs.PromoEventsTableName, Item }),
  );
  await created[Symbol.asyncDispose]();
  const { dynamodb, outputs } = service;
  const table = { dynamodb, tableName: outputs.ConfigVersionsTableName };
  await vi.waitFor(
    async () =>
      expect(await historyOf(table, clientId)).toMatchObject([
        { source: 'published', by: 'customer-data smoke' },
        { source: 'published', by: 'customer-data smoke', isDeleted: true },
      ]),
    { timeout: 100_000, interval: 20 },
  );
  expect(lines().join()).not.toMatch(/harm|ManualEdit|guarantee/);
});
