import { afterAll, expect, test } from 'vitest';
import { writeVersion } from '../../../../core/history/versions-table.ts';
import { historyOf } from '../../../support/history.ts';
import { startTables } from '../../../support/tables.ts';

const tables = await startTables();
const table = tables.configurations;
afterAll(() => tables.stop());

test('the newest 300 versions are kept, and those of the last 30 days', async () => {
  const numbers = async () =>
    (await historyOf(table, 'busy')).map(({ version }) => version).toReversed();
  const write = (version: number, daysAgo: number) =>
    writeVersion(table, {
      ...{ clientId: 'busy', version, digest: '', source: 'outside', highestId: 0, problems: 0 },
      ...{ eventId: '', keys: { appIds: [] }, content: {} },
      position: { stream: '', sequenceNumber: '' },
      at: new Date(Date.now() - daysAgo * 24 * 3600 * 1000).toISOString(),
    });
  for (const number of [1, 2, 3]) await write(number, 31);
  await write(4, 29);
  await write(300, 3);
  await write(301, 3);
  expect(await numbers()).toEqual([301, 300, 4, 3, 2]);
  // 2 to 4 were not deleted in time.
  await write(310, 2);
  expect(await numbers()).toEqual([310, 301, 300, 4]);
  await write(311, 1);
  expect(await numbers()).toEqual([311, 310, 301, 300, 4]);
});
