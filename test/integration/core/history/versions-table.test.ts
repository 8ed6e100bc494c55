import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
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

test('the newest 300 versions are kept: the oldest is deleted before the newest is written', async () => {
  for (const number of [1, 2, 300, 301]) await writeVersion(table, version('busy', number));
  expect(await numbersOf('busy')).toEqual([301, 300, 2]);
  const calls: unknown[] = [];
  const send = async (...[command, options]: Parameters<DynamoDBClient['send']>) => {
    calls.push([command.constructor.name, options]);
    return tables.dynamodb.send(command, options);
  };
  const watched = { ...table, dynamodb: { send } as unknown as DynamoDBClient };
  const { signal: abortSignal } = new AbortController();
  await writeVersion(watched, version('busy', 302), abortSignal);
  expect(await numbersOf('busy')).toEqual([302, 301, 300]);
  expect(calls).toEqual(
    ['DeleteItemCommand', 'PutItemCommand'].map((name) => [name, { abortSignal }]),
  );
});
