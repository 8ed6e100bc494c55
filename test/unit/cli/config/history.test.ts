import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { historyLines } from '../../../../cli/config/history.ts';
import type { VersionSummary } from '../../../../core/configuration/version.ts';

const FIXTURES = new URL('../../../fixtures/history/', import.meta.url);

const VERSION: VersionSummary = {
  ...{ clientId: 'pizza', version: 1, digest: 'digest', at: '2026-11-21T23:56:10.123Z' },
  ...{ source: 'published', by: 'jane', message: 'Created', problems: 0, highestId: 0 },
  eventId: 'event',
  keys: { appIds: ['0a1b2c3d'], userPoolClientIds: ['app'] },
  position: { stream: 'stream', sequenceNumber: '1' },
};

test('a history is a table that fits into the terminal', async () => {
  const changes: object[] = parse(await readFile(new URL('versions.yaml', FIXTURES), 'utf8'));
  const versions = changes.map((change, at) => ({ ...VERSION, version: at + 1, ...change }));
  const tables = [];
  for (const columns of [20, 80, Number.POSITIVE_INFINITY]) {
    const newestFirst = ReadableStream.from(versions.toReversed());
    const lines: string[] = [];
    for await (const line of historyLines('pizza', newestFirst, columns)) lines.push(line);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    if (columns !== 20) tables.push(`${columns} columns`, ...lines);
  }
  const golden = fileURLToPath(new URL('lines.txt', FIXTURES));
  await expect(`${tables.join('\n')}\n`).toMatchFileSnapshot(golden);
});

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
  const lines = historyLines('pizza', ReadableStream.from([]), 80);
  expect(await lines.next()).toMatchObject({ done: true });
});
