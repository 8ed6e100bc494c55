import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConfigVersion } from '../../../../core/history/version.ts';
import {
  listVersions,
  newestVersion,
  readVersion,
  type VersionsTable,
  writeVersion,
} from '../../../../core/history/versions-table.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

let tables: Tables;
let table: VersionsTable;

beforeAll(async () => {
  tables = await startTables();
  table = tables.configurations;
});
afterAll(() => tables.stop());

const version = (clientId: string, number: number, text = ''): ConfigVersion => ({
  ...{ clientId, version: number, digest: `digest ${number}`, at: '2026-11-21T09:30:00Z' },
  ...{ source: 'outside', highestId: 0, problems: 0, eventId: `event ${number}` },
  keys: { appIds: ['12345678'], userPoolClientIds: undefined },
  position: { stream: 'arn', sequenceNumber: String(number) },
  content: { fields: { L: [{ S: text }] }, lastFieldId: { N: '12345678901234567890123' } },
});

async function numbersOf(clientId: string): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { version: number } of listVersions(table, clientId)) numbers.push(number);
  return numbers;
}

test('a version is read as it was written, with every digit of its numbers, and never replaced', async () => {
  const written: ConfigVersion = {
    ...version('pizza', 1, 'Pizza'),
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

test('versions are listed from the newest one on, over several pages', async () => {
  // DynamoDB reads 1 MB at a time.
  const text = 'x'.repeat(300 * 1024);
  for (let number = 1; number <= 8; number++)
    await writeVersion(table, version('large', number, text));
  expect(await numbersOf('large')).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
});

test('the newest 300 versions are kept, and those of the last 30 days', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();
  const write = (number: number, days: number) =>
    writeVersion(table, { ...version('busy', number), at: daysAgo(days) });
  for (const number of [1, 2, 3]) await write(number, 31);
  await write(4, 29);
  await write(300, 3);
  await write(301, 3);
  expect(await numbersOf('busy')).toEqual([301, 300, 4, 3, 2]);
  // 2 to 4 were not deleted in time.
  await write(310, 2);
  expect(await numbersOf('busy')).toEqual([310, 301, 300, 4]);
  await write(311, 1);
  expect(await numbersOf('busy')).toEqual([311, 310, 301, 300, 4]);
});
