import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { indexedDbStorage } from '../../../sdk/src/index.ts';

/*
 * The tests in a browser show that pages can use it. These control when a transaction commits, and
 * whether it does.
 */

/** A request or a transaction, with the handlers that were set. */
type Events = Partial<
  Record<'onsuccess' | 'onerror' | 'onupgradeneeded' | 'oncomplete' | 'onabort', () => void>
>;

let items: Map<string, string>;
let stores: Set<string>;
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
  [items, stores, openDatabases, transactions] = [new Map(), new Set(), 0, []];
  const only = (isAllowed: boolean, error: string) => {
    if (!isAllowed) throw new Error(error);
  };
  const database = {
    createObjectStore: (name: string) => stores.add(name),
    transaction: (scope: string, mode: string) => {
      only(stores.has(scope), 'NotFoundError');
      const transaction: Events & { objectStore: (name: string) => object } = {
        objectStore: (name) => {
          only(name === scope, 'NotFoundError');
          return {
            get: (key: string) => request(items.get(key), 'onsuccess'),
            put: (value: string, key: string) => {
              only(mode === 'readwrite', 'ReadOnlyError');
              return request(items.set(key, value), 'onsuccess');
            },
          };
        },
      };
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
  // The store that the database of an app has since its first version.
  expect([...stores]).toEqual(['items']);
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
  expect(open.mock.calls).toEqual([['customer-data-api'], ['mine']]);
});
