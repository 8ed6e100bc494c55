import { afterAll, expect, test } from 'vitest';
import type { ConfigVersion } from '../../../../core/history/version.ts';
import {
  newestVersion,
  readVersion,
  writeVersion,
} from '../../../../core/history/versions-table.ts';
import { historyOf } from '../../../support/history.ts';
import { startTables } from '../../../support/tables.ts';

const tables = await startTables();
const table = tables.configurations;
afterAll(() => tables.stop());

const version = (clientId: string, number: number): ConfigVersion => ({
  ...{ clientId, version: number, digest: `digest ${number}`, at: '2026-11-21T09:30:00Z' },
  ...{ source: 'outside', highestId: 0, problems: 0, eventId: `event ${number}` },
  keys: { appIds: ['12345678'], userPoolClientIds: undefined },
  position: { stream: 'arn', sequenceNumber: String(number) },
  content: { fields: { L: [{ S: 'Pizza' }] }, lastFieldId: { N: '12345678901234567890123' } },
});

test('a version is read as it was written, with every digit of its numbers, and never replaced', async () => {
  const written: ConfigVersion = {
    ...version('pizza', 1),
    ...{ source: 'published', by: 'arn:aws:iam::123456789012:user/ann', message: 'More pizza' },
    ...{ restores: 1, changeId: 'c1', isDeleted: true },
    keys: { appIds: [], userPoolClientIds: ['app'] },
  };
  expect(await writeVersion(table, written)).toBe(true);
  expect(await writeVersion(table, version('pizza', 1))).toBe(false);
  expect(await readVersion(table, 'pizza', 1)).toEqual(written);
  expect(await readVersion(table, 'pizza', 2)).toBeUndefined();
  const { content: _, ...summary } = written;
  expect(await newestVersion(table, 'pizza')).toEqual(summary);
  expect(await newestVersion(table, 'pasta')).toBeUndefined();
});

test('the newest 300 versions are kept, and those of the last 30 days', async () => {
  const numbers = async () =>
    (await historyOf(table, 'busy')).map(({ version: number }) => number).toReversed();
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();
  const write = (number: number, days: number) =>
    writeVersion(table, { ...version('busy', number), at: daysAgo(days) });
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
