import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { indexedDbStorage } from '../../src/index.ts';

/*
 * The tests in a browser show that pages can use it. These control when a transaction commits, and
 * whether it does.
 */

/** A request or a transaction, with the handlers that were set. */
type Events = Partial<
  Record<'onsuccess' | 'onerror' | 'onupgradeneeded' | 'oncomplete' | 'onabort', () => void>
>;

let items: Map<string, string>;
let openDatabases: number;
/** The transactions that have neither committed nor aborted. */
let transactions: (Events & { error?: Error })[];

/** Lets everything run that waits for no transaction. */
const settled = () => new Promise(setImmediate);

function request<T>(result: T, ...events: (keyof Events)[]): Events & { result: T } {
  const made: Events & { result: T } = { result };
  queueMicrotask(() => {
    for (const event of events) made[event]?.();
  });
  return made;
}

beforeEach(() => {
  [items, openDatabases, transactions] = [new Map(), 0, []];
  const store = {
    get: (key: string) => request(items.get(key), 'onsuccess'),
    put: (value: string, key: string) => request(items.set(key, value), 'onsuccess'),
  };
  const database = {
    version: 1,
    objectStoreNames: { contains: (name: string) => name === 'items' },
    // That of the databases of all versions.
    createObjectStore: (name: string) => expect(name).toBe('items'),
    transaction: () => {
      const transaction: Events & { objectStore: () => object } = { objectStore: () => store };
      transactions.push(transaction);
      return transaction;
    },
    close: () => openDatabases--,
  };
  vi.stubGlobal('indexedDB', {
    open: () => {
      openDatabases++;
      return request(database, 'onupgradeneeded', 'onsuccess');
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Ends the transaction that was begun, by its event. */
async function end(event: 'oncomplete' | 'onabort', error?: Error): Promise<void> {
  await settled();
  const transaction = transactions.shift();
  Object.assign(transaction ?? {}, { error })[event]?.();
}

test('an item is set when its transaction has committed, then it can be read, and no database stays open', async () => {
  const storage = indexedDbStorage();
  let isSet = false;
  const set = Promise.resolve(storage.setItem('key', 'value')).then(() => {
    isSet = true;
  });
  await settled();
  expect([isSet, openDatabases]).toEqual([false, 1]);
  await end('oncomplete');
  await set;
  const read = storage.getItem('key');
  await end('oncomplete');
  expect(await read).toBe('value');
  expect(openDatabases).toBe(0);
});

test('it says why a transaction was aborted, such as a full disk, and closes the database', async () => {
  const set = expect(indexedDbStorage().setItem('key', 'value')).rejects.toThrow('full');
  await end('onabort', new Error('full'));
  await set;
  expect(openDatabases).toBe(0);
});

test('it says why the database cannot be opened, and has a name of its own unless the app names it', async () => {
  const open = vi.fn(() =>
    Object.assign(request(undefined, 'onerror'), { error: new Error('private') }),
  );
  vi.stubGlobal('indexedDB', { open });
  for (const storage of [indexedDbStorage(), indexedDbStorage('mine')]) {
    await expect(storage.getItem('key')).rejects.toThrow('private');
  }
  expect(open.mock.calls).toEqual([
    ['customer-data-api', undefined],
    ['mine', undefined],
  ]);
});
