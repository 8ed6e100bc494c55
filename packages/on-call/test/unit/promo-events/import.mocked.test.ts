import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { offlineDynamoDb } from 'customer-data-api/testing/offline-dynamodb';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { expect, test, vi } from 'vitest';
import { importEvents } from '../../../promo-events/import/import-events.ts';

const pauses: (number | undefined)[] = [];
vi.mock('node:timers/promises', () => ({
  setTimeout: async (delayMs?: number) => void pauses.push(delayMs),
}));

/** Imports 25 codes, ten a second. */
async function importCodes(onDone: (count: number) => void, signal: AbortSignal) {
  const { dynamodb } = offlineDynamoDb();
  const documentClient = DynamoDBDocumentClient.from(dynamodb);
  const tables = {
    table: { documentClient, tableName: 'PromoEvents' },
    erasures: { documentClient, tableName: 'Erasures' },
  };
  const terms = { clientId: 'demo', retentionDays: 0, now: new Date(), rate: 10, writes: true };
  const events = Array.from({ length: 25 }, (_, n) => eventOf(`user-${n}`));
  const counts = { imported: 0, there: 0, erased: 0, expired: 0 };
  const importing = importEvents({ ...tables, ...terms, onDone, signal }, events, counts);
  return { counts, result: await importing.catch((error) => error) };
}

test('an import stays below its rate, and ends after the batch in which it is interrupted', async () => {
  using _ = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { signal } = new AbortController();
  expect((await importCodes(() => {}, signal)).counts.imported).toBe(25);
  expect(pauses).toEqual([1000, 1000, 500]);
  const interrupted = new AbortController();
  const reason = new Error('Interrupted');
  const { counts, result } = await importCodes(() => interrupted.abort(reason), interrupted.signal);
  expect([counts.imported, result]).toEqual([10, reason]);
});
