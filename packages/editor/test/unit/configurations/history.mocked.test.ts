import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient, type QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitForContent, waitForVersion } from '../../../configurations/history.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn() }));

const CHANGE = { id: 'change', by: 'ann', at: '2026-11-21T09:30:00Z', message: '' };
const STORED = { source: 'published', problems: 0, keys: { appIds: [] } };
const WANTED = { ...STORED, version: 2, changeId: 'change', digest: 'new' };
// A manual edit keeps the id of the change before.
const LATER = { ...WANTED, version: 3, source: 'outside' };
const EARLIER = { ...STORED, version: 1, changeId: 'earlier', digest: 'old' };

/** The milliseconds of each pause. */
let pauses: number[];
beforeEach(() => {
  pauses = [];
  vi.spyOn(performance, 'now').mockImplementation(() => pauses.reduce((sum, one) => sum + one, 0));
  vi.mocked(setTimeout).mockImplementation(async (milliseconds = 0) => {
    pauses.push(milliseconds);
  });
});
afterEach(() => void vi.restoreAllMocks());

/**
 * A table in which the queries find these versions, one after the other; the last one and all after
 * it find the same.
 */
function tableWith(...queries: object[][]) {
  const dynamodb: DynamoDBClient = Object.create(DynamoDBClient.prototype);
  const answer = async ({ input }: QueryCommand) => {
    // Only a few of a long history are read.
    if (input.Limit !== undefined) expect(input.Limit).toBe(10);
    const [found = []] = queries.length > 1 ? queries.splice(0, 1) : queries;
    return { Items: found.map((version) => marshall(version)) };
  };
  return { versionsTableName: 'Versions', dynamodb: Object.assign(dynamodb, { send: answer }) };
}

test.each<[string, queries: object[][], found: number | undefined, waitedMs: number]>([
  ['is there is not waited for', [[LATER, WANTED, EARLIER]], 2, 0],
  ['comes later is waited for', [[], [EARLIER], [], [WANTED]], 2, 100 + 150 + 225],
  ['is earlier is waited for half a minute', [[EARLIER]], undefined, 30_000],
  ['is a manual edit is waited for half a minute', [[LATER]], undefined, 30_000],
])('a version that %s, with pauses of two seconds at most', async (_, queries, found, waitedMs) => {
  expect((await waitForVersion(tableWith(...queries), 'pizza', CHANGE))?.version).toBe(found);
  expect(performance.now()).toBe(waitedMs);
  expect(Math.max(0, ...pauses)).toBeLessThanOrEqual(2000);
});

test('a content is that of the newest version, and waited for as long as the caller says', async () => {
  const table = tableWith([WANTED, EARLIER]);
  expect(await waitForContent(table, 'pizza', 'new', 500)).toMatchObject({ version: 2 });
  expect(pauses).toEqual([]);
  expect(await waitForContent(table, 'pizza', 'old', 500)).toBeUndefined();
  expect(pauses).toEqual([100, 150, 225, 25]);
});
