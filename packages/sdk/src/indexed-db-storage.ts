import type { AppStorage } from './types.ts';

/* The parts of IndexedDB that are used. Node has no types for it. */

interface Pending<T> {
  readonly result: T;
  readonly error: unknown;
  onsuccess: unknown;
  onerror: unknown;
  onupgradeneeded?: unknown;
}
interface Items {
  readonly get: (key: string) => Pending<string | undefined>;
  readonly put: (value: string, key: string) => Pending<unknown>;
}
interface Transaction {
  readonly error: unknown;
  readonly objectStore: (name: string) => Items;
  oncomplete: unknown;
  onabort: unknown;
}
interface Database {
  readonly createObjectStore: (name: string) => unknown;
  readonly transaction: (store: string, mode: 'readonly' | 'readwrite') => Transaction;
  readonly close: () => void;
}
declare const indexedDB: { readonly open: (name: string) => Pending<Database> };

const STORE = 'items';

/**
 * Makes a storage in IndexedDB, for pages of a browser. A tab sees at once what another one stored.
 * `localStorage` does not promise that: two tabs could lose a code. `name` is the database's.
 */
export function indexedDbStorage(name = 'customer-data-api'): AppStorage {
  async function inTransaction<T>(
    mode: 'readonly' | 'readwrite',
    run: (items: Items) => Pending<T>,
  ): Promise<T> {
    // Opened each time: browsers may close an open database, such as that of a background page.
    const database = await open(name);
    try {
      const transaction = database.transaction(STORE, mode);
      const pending = run(transaction.objectStore(STORE));
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
      return pending.result;
    } finally {
      database.close();
    }
  }

  return {
    getItem: (key) => inTransaction('readonly', (items) => items.get(key)),
    setItem: (key, value) => inTransaction('readwrite', (items) => items.put(value, key)),
  };
}

function open(name: string): Promise<Database> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}
