import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientRecords, type ReadClientData } from '../../../../core/clients/client-records.ts';
import { logger } from '../../../../core/platform/logger.ts';

type Item = Record<string, unknown>;

const send =
  vi.fn<(command: GetItemCommand) => Promise<{ Item?: Record<string, AttributeValue> }>>();

/** The maximum size of a DynamoDB item, in bytes. */
const LARGEST = 400 * 1024;

let items: Record<string, Item>;
let down: Error | undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  vi.spyOn(logger, 'error').mockReturnValue();
  items = { demo: { appIds: ['key'], color: 'red' } };
  down = undefined;
  send.mockReset();
  send.mockImplementation(async ({ input }) => {
    if (down) throw down;
    const item = items[input.Key?.clientId?.S ?? ''];
    return item ? { Item: marshall(item) } : {};
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function records<TData>(clientData: ReadClientData<TData>) {
  return clientRecords({
    dynamodb: { send },
    tableName: 'Configs',
    cacheSeconds: 10,
    requiresUserPoolClientIds: false,
    clientData,
  });
}
const load = () => records(({ color }) => ({ color }));

/** Counts the reads of items from this call on. */
function countReads(): () => number {
  const before = send.mock.calls.length;
  return () => send.mock.calls.length - before;
}

test('reads the whole item, with a consistent read: a misspelled attribute matters too', async () => {
  expect(await load()('demo')).toMatchObject({
    stale: false,
    value: {
      appIdDigests: [expect.any(Buffer)],
      userPoolClientIds: undefined,
      data: { color: 'red' },
    },
  });
  const [[command] = []] = send.mock.calls;
  expect(command).toBeInstanceOf(GetItemCommand);
  expect(command?.input).toEqual({
    TableName: 'Configs',
    Key: { clientId: { S: 'demo' } },
    ConsistentRead: true,
  });
});

test('the record of an item that has not changed stays the same object', async () => {
  items.demo = { appIds: new Set(['key']), color: 'red' };
  const read = vi.fn();
  const demo = records(read);
  const { value } = await demo('demo');
  vi.setSystemTime(10_000);
  items.demo = { appIds: new Set(['key']), color: 'red' };
  expect((await demo('demo')).value).toBe(value);
  expect(read).toHaveBeenCalledOnce();
});

test.each<[string, Item]>([
  ['an attribute', { appIds: new Set(['key']), color: 'blue' }],
  ['an App-Id in a set', { appIds: new Set(['other']), color: 'red' }],
  ['a new attribute', { appIds: new Set(['key']), color: 'red', userPoolClientIds: ['app'] }],
])('a change of %s makes a new record', async (_, changed) => {
  items.demo = { appIds: new Set(['key']), color: 'red' };
  const demo = load();
  const { value } = await demo('demo');
  vi.setSystemTime(10_000);
  items.demo = changed;
  const after = await demo('demo');
  expect(after.value).not.toEqual(value);
  expect(after.value?.data.color).toBe(changed.color);
});

test('a client that does not exist has no record', async () => {
  expect(await load()('unknown')).toMatchObject({ value: undefined, stale: false });
});

test('an item is read again after the cache time', async () => {
  const demo = load();
  const reads = countReads();
  await demo('demo');
  vi.setSystemTime(9_999);
  await demo('demo');
  expect(reads()).toBe(1);
  vi.setSystemTime(10_000);
  await demo('demo');
  expect(reads()).toBe(2);
});

test('while the table cannot be read, a record is served for 15 minutes, and the error is logged', async () => {
  const demo = load();
  await demo('demo');
  down = new Error('down');
  vi.setSystemTime(15 * 60 * 1000);
  expect(await demo('demo')).toMatchObject({ stale: true, value: { data: { color: 'red' } } });
  expect(logger.error).toHaveBeenCalledExactlyOnceWith(
    'The client could not be read; its last good copy is served',
    { clientId: 'demo', error: expect.objectContaining({ cause: down }) },
  );
  vi.setSystemTime(15 * 60 * 1000 + 1);
  await expect(demo('demo')).rejects.toMatchObject({ name: 'UnavailableError', cause: down });
});

/** Loads this many clients with the same item, and returns how many of them are still cached. */
async function cachedOf(count: number, item: Item): Promise<number> {
  const names = Array.from({ length: count }, (_, number) => `client-${number}`);
  items = Object.fromEntries(names.map((name) => [name, item]));
  const one = records(() => undefined);
  for (const name of names) await one(name);
  const reads = countReads();
  // From the newest to the oldest, so that a repeated read evicts none that is not counted yet.
  for (const name of names.toReversed()) await one(name);
  return count - reads();
}

test('of the largest items, 81 fit into 32 MB', async () => {
  expect(await cachedOf(85, { appIds: ['key'], color: 'é'.repeat(LARGEST / 2) })).toBe(81);
});

test('with a quarter of the memory, a quarter of them fit, also if they are long because of a string set', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_MEMORY_SIZE', '128');
  expect(await cachedOf(25, { appIds: new Set(['x'.repeat(LARGEST)]) })).toBe(20);
  vi.unstubAllEnvs();
});

test('a record counts as 256 bytes more than its item', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_MEMORY_SIZE', '64');
  const color = 'x'.repeat(2000 - '{"color":""}'.length);
  expect(await cachedOf(1900, { color })).toBe(Math.floor((4 * 1024 * 1024) / 2256));
  vi.unstubAllEnvs();
});

test('the absence of 1,000 clients is cached', async () => {
  const unknown = load();
  const names = Array.from({ length: 1001 }, (_, number) => `unknown-${number}`);
  for (const name of names) await unknown(name);
  const reads = countReads();
  for (const name of names.toReversed()) await unknown(name);
  expect(reads()).toBe(1);
});
