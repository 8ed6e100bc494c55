import { describe, expect, test } from 'vitest';
import { historyLines } from '../../../../cli/config/history.ts';
import type { VersionSummary } from '../../../../core/configuration/version.ts';

const LONG =
  'Funghi are sold out until the end of the season, and Quattro Stagioni takes their place in all apps';

const VERSION: VersionSummary = {
  ...{ clientId: 'pizza', version: 1, digest: 'digest', at: '2026-11-21T23:56:10.123Z' },
  ...{ source: 'published', by: 'jane', message: 'Created', problems: 0, highestId: 0 },
  eventId: 'event',
  keys: { appIds: ['0a1b2c3d'], userPoolClientIds: ['app'] },
  position: { stream: 'stream', sequenceNumber: '1' },
};

/** The lines about versions, each of which differs from `VERSION` in some attributes. The newest is first. */
async function linesOf(changes: readonly Partial<VersionSummary>[], columns = 80) {
  const versions = changes.map((change, index) => ({
    ...VERSION,
    version: changes.length - index,
    ...change,
  }));
  const lines: string[] = [];
  for await (const line of historyLines('pizza', ReadableStream.from(versions), columns)) {
    lines.push(line);
  }
  return lines;
}

test('a row has a version, its time, source, problems, author and message', async () => {
  expect(await linesOf([{ message: 'Funghi', problems: 2, restores: 7 }, {}], 200)).toEqual([
    'VERSION    WHEN                  SOURCE     PROBLEMS  WHO               MESSAGE',
    'pizza@2    2026-11-21T23:56:10Z  published         2  jane              Funghi; brings back @7',
    'pizza@1    2026-11-21T23:56:10Z  published         0  jane              Created',
  ]);
});

describe('a message that is too long for its row', () => {
  test('stands below it, in lines that fit', async () => {
    const lines = await linesOf([{ message: LONG }, {}]);
    expect(lines).toEqual([
      'VERSION    WHEN                  SOURCE     PROBLEMS  WHO               MESSAGE',
      'pizza@2    2026-11-21T23:56:10Z  published         0  jane',
      '    Funghi are sold out until the end of the season, and Quattro Stagioni takes',
      '    their place in all apps',
      'pizza@1    2026-11-21T23:56:10Z  published         0  jane              Created',
    ]);
  });

  test.each([
    [79, ['Created']],
    [78, [undefined, '    Created']],
  ])('is below it in %d columns if it must be', async (columns, [inRow, below]) => {
    const row = 'pizza@1    2026-11-21T23:56:10Z  published         0  jane';
    expect((await linesOf([{ by: 'jane', message: 'Created' }], columns)).slice(-2)).toEqual(
      inRow ? [expect.any(String), `${row.padEnd(72)}Created`] : [row, below],
    );
  });

  test('is no line if there is none', async () => {
    const by = 'jane.doe@example.com';
    const lines = await linesOf([{ by, message: '' }], 70);
    expect(lines.slice(-2)).toEqual([
      'pizza@1    2026-11-21T23:56:10Z  published         0',
      'jane.doe@example.com',
    ]);
  });

  test('is whole in a pipe', async () => {
    const [, row] = await linesOf([{ message: LONG }], Number.POSITIVE_INFINITY);
    expect(row).toMatch(new RegExp(`  jane              ${LONG}$`));
  });
});

test.each([20, 80, 200])('no line is longer than %d columns', async (columns) => {
  const by = 'arn:aws:sts::000000000000:assumed-role/AWSReservedSSO_Editor/jane.doe@example.com';
  const lines = await linesOf([{ by, message: LONG }, { message: 'x'.repeat(300) }], columns);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
});

describe('a change from outside', () => {
  const outside = { source: 'outside' } as const;

  test.each<[string, VersionSummary['keys'], string]>([
    ['a key less', { appIds: [], userPoolClientIds: ['app'] }, 'key 0a1b2c3d removed'],
    [
      'another key',
      { appIds: ['0a1b2c3d', '11111111'], userPoolClientIds: ['app'] },
      'key 11111111 added',
    ],
    ['no app clients', { appIds: ['0a1b2c3d'] }, 'app clients: any instead of app'],
    [
      'an unreadable app client',
      { appIds: ['0a1b2c3d'], userPoolClientIds: [] },
      'app clients: none instead of app',
    ],
  ])('with %s names it', async (_, keys, remark) => {
    const [, row] = await linesOf([{ ...outside, keys }, {}], 200);
    expect(row?.split(/ {2,}/)).toEqual([
      ...['pizza@2', '2026-11-21T23:56:10Z', 'outside', '0', '-', remark],
    ]);
  });

  test('names each app client, without its control characters', async () => {
    const appIds = VERSION.keys.appIds;
    const keys = { appIds, userPoolClientIds: ['one', 'two\u001b'] };
    const older = { ...outside, keys: { appIds, userPoolClientIds: [] } };
    const [, row] = await linesOf([{ ...outside, keys }, older], 200);
    expect(row).toMatch(/ {2}app clients: one, two\\u001b instead of none$/);
  });

  test('that removes the client says only that, as the command that removes it does', async () => {
    const [, row] = await linesOf([{ ...outside, isDeleted: true, keys: { appIds: [] } }, {}], 200);
    expect(row).toMatch(/ {2}- {2,}the client was removed$/);
    const [, ours] = await linesOf([{ message: 'Removed', isDeleted: true }, {}], 200);
    expect(ours).toMatch(/ {2}jane {2,}the client was removed$/);
  });
});

test.each([
  ['arn:aws:iam::000000000000:user/jane', 'jane'],
  ['arn:aws:sts::000000000000:assumed-role/Editor/jane@example.com', 'Editor/jane@example.com'],
  ['jane/doe', 'jane/doe'],
  ['\u001b[2J', '\\u001b[2J'],
  [undefined, '-'],
])('the author %j is shown as %j', async (by, shown) => {
  const [, row] = await linesOf([{ by, message: '' }], 200);
  expect(row).toBe(`pizza@1    2026-11-21T23:56:10Z  published         0  ${shown}`);
});

test('the message of a command names the keys that it changed, and is all that is said of them', async () => {
  const [, row] = await linesOf([{ keys: { appIds: [] }, message: 'Revoked the key' }, {}], 200);
  expect(row).toMatch(/ {2}Revoked the key$/);
});

test.each(['published', 'outside'] as const)(
  'a version that is %s and too large says that its content is missing',
  async (source) => {
    const [, row] = await linesOf([{ source, message: '', isTooLarge: true }, {}], 200);
    expect(row).toMatch(/ {2}its content was too large to be recorded$/);
  },
);

test('a row is there once the version before it is read, and not after all of them', async () => {
  let read = 0;
  async function* versions() {
    for (const version of [3, 2, 1]) {
      read += 1;
      yield { ...VERSION, version };
    }
  }
  const lines = historyLines('pizza', versions(), 200);
  await lines.next();
  expect(read).toBe(1);
  expect((await lines.next()).value).toMatch(/^pizza@3 /);
  expect(read).toBe(2);
});

test('without versions there is no header', async () => {
  expect(await linesOf([])).toEqual([]);
});
