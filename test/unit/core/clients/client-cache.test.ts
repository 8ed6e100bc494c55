import type { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientCache } from '../../../../core/clients/client-cache.ts';
import { RULES } from '../../../support/access-rules.ts';

type Item = Record<string, unknown>;

/** The maximum size of a DynamoDB item, in bytes. */
const LARGEST = 400 * 1024;

let items: Record<string, Item>;
let reads: GetItemCommand['input'][];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  [items, reads] = [{ demo: { appIds: new Set(['key']) } }, []];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

function load() {
  const send = async ({ input }: GetItemCommand) => {
    reads.push(input);
    const item = items[input.Key?.clientId?.S ?? ''];
    return { ...(item && { Item: marshall(item) }) };
  };
  return clientCache({
    dynamodb: { send: send as never },
    tableName: 'Configs',
    configCacheSeconds: 10,
    rules: RULES,
    clientData: ({ raw: { color } }, grow) => ({ color: color?.S, grow }),
  });
}

test('reads the whole item, with a consistent read', async () => {
  await load()('demo');
  expect(reads).toEqual([
    { TableName: 'Configs', Key: { clientId: { S: 'demo' } }, ConsistentRead: true },
  ]);
});

test('the record of an item that has not changed stays the same object', async () => {
  const demo = load();
  const { value } = await demo('demo');
  vi.setSystemTime(10_000);
  items.demo = { appIds: new Set(['key']) };
  expect((await demo('demo')).value).toBe(value);
  expect(reads).toHaveLength(2);
});

test.each<[string, Item]>([
  ['an attribute', { appIds: new Set(['key']), color: 'blue' }],
  ['an App-Id in a set', { appIds: new Set(['other']) }],
  ['the app clients', { appIds: new Set(['key']), userPoolClientIds: ['app'] }],
])('a change of %s makes a new record, after the cache time', async (_, changed) => {
  const demo = load();
  const { value } = await demo('demo');
  items.demo = changed;
  vi.setSystemTime(9_999);
  expect((await demo('demo')).value).toBe(value);
  vi.setSystemTime(10_000);
  expect((await demo('demo')).value).not.toEqual(value);
});

/** Makes an item that has this many bytes as JSON. */
const itemOf = (bytes: number) => ({
  color: 'é'.repeat((bytes - '{"color":{"S":""}}'.length) / 2),
});

test.each<[what: string, memory: string | undefined, item: Item | undefined, fit: number]>([
  ['of the largest items, 81 fit into 32 MB', undefined, itemOf(LARGEST), 81],
  [
    'with an eighth of the memory, an eighth fits; a record counts as 256 bytes more than its item',
    '64',
    itemOf(2000),
    Math.floor(2 ** 22 / 2256),
  ],
  ['the absence of 1,000 clients is cached', undefined, undefined, 1000],
])('%s', async (_, memory, item, fit) => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_MEMORY_SIZE', memory);
  const names = Array.from({ length: fit + 5 }, (__, number) => `client-${number}`);
  items = item ? Object.fromEntries(names.map((name) => [name, item])) : {};
  const one = load();
  for (const name of names) await one(name);
  reads = [];
  // From the newest to the oldest, so that a repeated read evicts none that is not counted yet.
  for (const name of names.toReversed()) await one(name);
  expect(names.length - reads.length).toBe(fit);
});

test('what a record grows by counts, also after its item is read again', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_MEMORY_SIZE', '64');
  const names = ['a', 'b', 'c'];
  items = Object.fromEntries(names.map((name) => [name, itemOf(2000)]));
  const one = load();
  const isKept = async (name: string) => {
    const before = reads.length;
    await one(name);
    return reads.length === before;
  };
  for (const name of names) await one(name);
  const third = 2 ** 22 / 3;
  for (const name of names) (await one(name)).value?.data.grow(third - 3000);
  vi.setSystemTime(10_000);
  for (const name of names) await one(name);
  for (const name of names) expect(await isKept(name)).toBe(true);
  (await one('c')).value?.data.grow(10_000);
  expect(await isKept('c')).toBe(true);
  expect(await isKept('b')).toBe(true);
  expect(await isKept('a')).toBe(false);
});
