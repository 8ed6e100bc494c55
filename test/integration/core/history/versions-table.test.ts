import { afterAll, expect, test } from 'vitest';
import { writeVersion } from '../../../../core/history/versions-table.ts';
import { historyOf } from '../../../support/history.ts';
import { startTables } from '../../../support/tables.ts';

const tables = await startTables();
const table = tables.configurations;
afterAll(() => tables.stop());

const write = (clientId: string, version: number, daysAgo: number, digest = '') =>
  writeVersion(table, {
    clientId,
    version,
    digest,
    source: 'manualEdit',
    highestId: 0,
    findings: 0,
    errors: 0,
    eventId: '',
    access: { fingerprints: [] },
    content: {},
    position: { stream: '', sequenceNumber: '' },
    at: new Date(Date.now() - daysAgo * 24 * 3600 * 1000).toISOString(),
  });

test('a version is never replaced', async () => {
  expect(await write('pizza', 1, 0, 'first')).toMatchObject({ digest: 'first' });
  expect(await write('pizza', 1, 0, 'second')).toBeUndefined();
  expect(await historyOf(table, 'pizza')).toMatchObject([{ version: 1, digest: 'first' }]);
});

test('the newest 300 versions are kept, and those of the last 30 days', async () => {
  const numbers = async () =>
    (await historyOf(table, 'busy')).map(({ version }) => version).toReversed();
  for (const number of [1, 2, 3]) await write('busy', number, 31);
  await write('busy', 4, 29);
  await write('busy', 300, 3);
  await write('busy', 301, 3);
  expect(await numbers()).toEqual([301, 300, 4, 3, 2]);
  // 2 to 4 were not deleted in time.
  await write('busy', 310, 2);
  expect(await numbers()).toEqual([310, 301, 300, 4]);
  await write('busy', 311, 1);
  expect(await numbers()).toEqual([311, 310, 301, 300, 4]);
});
