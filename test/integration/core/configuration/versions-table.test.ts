import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conflictSince } from '../../../../core/configuration/conflict.ts';
import { contentDigest } from '../../../../core/configuration/content-digest.ts';
import type { ConfigVersion } from '../../../../core/configuration/version.ts';
import {
  listVersions,
  newestVersion,
  readVersion,
  type VersionsTable,
  writeVersion,
} from '../../../../core/configuration/versions-table.ts';
import { waitForContent, waitForVersion } from '../../../../core/configuration/wait-for-version.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

let tables: Tables;
let table: VersionsTable;

beforeAll(async () => {
  tables = await startTables();
  table = tables.configurations;
});
afterAll(() => tables.stop());

const version = (clientId: string, number: number, text = ''): ConfigVersion => ({
  clientId,
  version: number,
  digest: `digest ${number}`,
  at: '2026-11-21T09:30:00Z',
  source: 'outside',
  highestId: 0,
  problems: 0,
  keys: { appIds: ['12345678'], userPoolClientIds: undefined },
  eventId: `event ${number}`,
  position: { stream: 'arn', sequenceNumber: String(number) },
  content: { fields: { L: [{ S: text }] }, lastFieldId: { N: '12345678901234567890123' } },
});

async function numbersOf(clientId: string): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { version: number } of listVersions(table, clientId)) numbers.push(number);
  return numbers;
}

test('a version is read as it was written, with every digit of its numbers', async () => {
  const written: ConfigVersion = {
    ...version('pizza', 1, 'Pizza'),
    source: 'published',
    by: 'arn:aws:iam::123456789012:user/ann',
    message: 'More pizza',
    restores: 1,
    changeId: 'c1',
    isDeleted: true,
    keys: { appIds: [], userPoolClientIds: ['app'] },
  };
  expect(await writeVersion(table, written)).toBe(true);
  expect(await readVersion(table, 'pizza', 1)).toEqual(written);
  expect(await readVersion(table, 'pizza', 2)).toBeUndefined();
  const { content: _, ...summary } = written;
  expect(await newestVersion(table, 'pizza')).toEqual(summary);
  expect(await newestVersion(table, 'pasta')).toBeUndefined();
});

test('a version is not replaced', async () => {
  expect(await writeVersion(table, version('once', 1, 'first'))).toBe(true);
  expect(await writeVersion(table, version('once', 1, 'second'))).toBe(false);
  expect((await readVersion(table, 'once', 1))?.content.fields).toEqual({ L: [{ S: 'first' }] });
});

test('versions are listed from the newest one on, over several pages', async () => {
  // DynamoDB reads 1 MB at a time.
  const text = 'x'.repeat(300 * 1024);
  for (let number = 1; number <= 8; number++) {
    await writeVersion(table, version('large', number, text));
  }
  expect(await numbersOf('large')).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
});

test('the newest 300 versions are kept', async () => {
  for (const number of [1, 2, 300, 301]) await writeVersion(table, version('busy', number));
  expect(await numbersOf('busy')).toEqual([301, 300, 2]);
  await writeVersion(table, version('busy', 302));
  expect(await numbersOf('busy')).toEqual([302, 301, 300]);
});

test('the oldest version is deleted before the newest is written, while the caller has time', async () => {
  const calls: unknown[] = [];
  const send = async (command: object, options: object) => {
    calls.push([command.constructor.name, options]);
    return {};
  };
  const watched = { ...table, dynamodb: { send } as unknown as VersionsTable['dynamodb'] };
  const { signal: abortSignal } = new AbortController();
  await writeVersion(watched, version('ended', 301), abortSignal);
  expect(calls).toEqual([
    ['DeleteItemCommand', { abortSignal }],
    ['PutItemCommand', { abortSignal }],
  ]);
});

describe('waiting for a version', () => {
  const CHANGE = { id: 'change', by: 'ann', at: '2026-11-21T09:30:00Z', message: '' };

  /** How many versions each query may read, while something is done. */
  async function limitsOf(act: () => Promise<unknown>): Promise<(number | undefined)[]> {
    const limits: (number | undefined)[] = [];
    const { middlewareStack } = tables.dynamodb;
    middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          if (commandName === 'QueryCommand') limits.push((args.input as QueryCommandInput).Limit);
          return next(args);
        },
      { name: 'limits' },
    );
    await act().finally(() => middlewareStack.remove('limits'));
    return limits;
  }

  test('finds it among later ones, and reads only a few of a long history', async () => {
    for (let number = 1; number <= 30; number++) {
      const published = { source: 'published', changeId: CHANGE.id } as const;
      await writeVersion(table, {
        ...version('long', number),
        ...(number === 28 && published),
        // A later change from outside keeps the id.
        ...(number > 28 && { changeId: CHANGE.id }),
      });
    }
    const limits = await limitsOf(async () => {
      expect(await waitForVersion(table, 'long', CHANGE)).toMatchObject({ version: 28 });
      expect(await waitForContent(table, 'long', 'digest 30', 0)).toMatchObject({ version: 30 });
    });
    expect(limits).toEqual([10, 10]);
  });

  test('takes no earlier version with the same content for the newest', async () => {
    await writeVersion(table, version('again', 1));
    await writeVersion(table, version('again', 2));
    expect(await waitForContent(table, 'again', 'digest 1', 0)).toBeUndefined();
  });
});

describe('a conflict', () => {
  /** What is stored, and its digest. */
  const live = { lastFieldId: { N: '9' } };
  const digest = contentDigest(live);
  const conflict = (clientId: string, base: string) =>
    conflictSince(table, base, { clientId, content: live, misspelled: {} });
  const recorded = (clientId: string, number: number) =>
    writeVersion(table, version(clientId, number));
  const line = (clientId: string, number: number) =>
    `  ${clientId}@${number} at 2026-11-21T09:30:00Z, edited outside the tools`;

  test('names the newest changes, and the number of the others', async () => {
    for (let number = 1; number <= 7; number++) await recorded('often', number);
    await writeVersion(table, { ...version('often', 8), digest });
    const { message, base, changes, isMergeable } = await conflict('often', 'digest 1');
    expect(message.split('\n')).toEqual([
      'often has changed meanwhile, so nothing was published:',
      ...[8, 7, 6, 5, 4].map((number) => line('often', number)),
      '  and 2 earlier changes',
    ]);
    expect([base?.version, changes.length, isMergeable]).toEqual([1, 7, true]);
  });

  test('says that a change is not recorded yet, beside those that are', async () => {
    for (const number of [1, 2]) await recorded('late', number);
    const [second, first] = await Promise.all([
      conflict('late', 'digest 2'),
      conflict('late', 'digest 1'),
    ]);
    const unrecorded = [
      'late has changed meanwhile, so nothing was published:',
      '  a change that is not in the history yet',
      '    A field without an id is removed: customers keep values that no app shows.',
      '    lastFieldId is 9 instead of 12345678901234567890123.',
    ];
    expect(second.message.split('\n')).toEqual(unrecorded);
    expect(first.message.split('\n')).toEqual([...unrecorded, line('late', 2)]);
  });

  test('about an attribute that no version has says so much', async () => {
    await writeVersion(table, { ...version('beside', 1), digest });
    const { message, changes } = await conflict('beside', digest);
    expect(message).toBe('The item of beside has changed meanwhile, so nothing was published.');
    expect(changes).toEqual([]);
  });

  test('with a draft from elsewhere says where it may come from, and what is live', async () => {
    await writeVersion(table, { ...version('known', 1), digest });
    const { message, base, isMergeable } = await conflict('known', 'digest 7');
    expect(message.split('\n')).toEqual([
      'The draft is based on no recorded version of known, so nothing was published.',
      'It was pulled from another client or deployment, or it is older than the history.',
      'What apps get is known@1 at 2026-11-21T09:30:00Z, edited outside the tools',
    ]);
    expect([base, isMergeable]).toEqual([undefined, false]);
  });
});
