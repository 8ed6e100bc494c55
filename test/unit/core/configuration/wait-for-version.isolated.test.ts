import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { conflictSince } from '../../../../core/configuration/conflict.ts';
import type { VersionSummary } from '../../../../core/configuration/version.ts';
import {
  listVersions,
  newestVersions,
  type VersionsTable,
} from '../../../../core/configuration/versions-table.ts';
import { waitForContent, waitForVersion } from '../../../../core/configuration/wait-for-version.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn() }));
vi.mock('../../../../core/configuration/versions-table.ts', () => ({
  listVersions: vi.fn(),
  newestVersions: vi.fn(),
}));

const TABLE = { tableName: 'Versions' } as VersionsTable;
const CHANGE = { id: 'change', by: 'ann', at: '2026-11-21T09:30:00Z', message: '' };
const WANTED = { version: 2, source: 'published', changeId: 'change', digest: 'new' } as const;
const EARLIER = { version: 1, source: 'published', changeId: 'earlier', digest: 'old' } as const;

/** How long each pause was, in milliseconds. */
let pauses: number[];
beforeEach(() => {
  pauses = [];
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.mocked(setTimeout).mockImplementation(async (milliseconds = 0) => {
    now += milliseconds;
    pauses.push(milliseconds);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

/** What the queries find; the last one and all after it find the same. */
function find(...queries: Partial<VersionSummary>[][]): void {
  vi.mocked(newestVersions).mockImplementation(
    async () => (queries.length > 1 ? queries.shift() : queries[0]) as VersionSummary[],
  );
}

test('a version that is there is not waited for, and costs one query of the newest', async () => {
  find([WANTED, EARLIER]);
  expect(await waitForVersion(TABLE, 'pizza', CHANGE)).toEqual(WANTED);
  expect(await waitForContent(TABLE, 'pizza', 'new', 1000)).toEqual(WANTED);
  const query = [TABLE, 'pizza', 10];
  expect(vi.mocked(newestVersions).mock.calls).toEqual([query, query]);
  expect(pauses).toEqual([]);
});

test('the pauses grow while a version is waited for', async () => {
  find([EARLIER], [EARLIER], [EARLIER], [WANTED, EARLIER]);
  expect(await waitForVersion(TABLE, 'pizza', CHANGE)).toEqual(WANTED);
  expect(pauses).toEqual([100, 150, 225]);
});

test('a version is waited for half a minute, with pauses of two seconds at most', async () => {
  find([EARLIER]);
  expect(await waitForVersion(TABLE, 'pizza', CHANGE)).toBeUndefined();
  expect(pauses.reduce((sum, pause) => sum + pause)).toBe(30_000);
  expect(pauses.filter((pause) => pause === 2000).length).toBeGreaterThan(5);
  expect(Math.max(...pauses)).toBe(2000);
});

test('a content is waited for as long as the caller says', async () => {
  find([]);
  expect(await waitForContent(TABLE, 'pizza', 'new', 500)).toBeUndefined();
  expect(pauses).toEqual([100, 150, 225, 25]);
});

test.each<[what: string, versions: Partial<VersionSummary>[]]>([
  ['a change from outside, which keeps the id', [{ ...WANTED, source: 'outside' }]],
  ['another publication', [{ ...WANTED, changeId: 'another' }]],
])('%s is not the version of a change', async (_, versions) => {
  find(versions);
  expect(await waitForVersion(TABLE, 'pizza', CHANGE)).toBeUndefined();
});

test('an earlier version with the same content is not the newest one', async () => {
  find([WANTED, EARLIER]);
  expect(await waitForContent(TABLE, 'pizza', 'old', 0)).toBeUndefined();
});

test("the version of somebody else's change is waited for three seconds, only to name it", async () => {
  find([EARLIER]);
  vi.mocked(listVersions).mockImplementation(async function* () {});
  await conflictSince(TABLE, 'base', { clientId: 'pizza', content: {}, misspelled: {} });
  expect(pauses.reduce((sum, pause) => sum + pause)).toBe(3000);
});
