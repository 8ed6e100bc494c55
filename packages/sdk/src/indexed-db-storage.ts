import { STORAGE_MS, within } from './time-limit.ts';
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
  readonly version: number;
  readonly objectStoreNames: { readonly contains: (name: string) => boolean };
  readonly createObjectStore: (name: string) => unknown;
  readonly transaction: (store: string, mode: 'readonly' | 'readwrite') => Transaction;
  readonly close: () => void;
  onversionchange: unknown;
}
declare const indexedDB: {
  readonly open: (name: string, version?: number) => Pending<Database>;
};

const STORE = 'items';

/**
 * Makes a storage in IndexedDB, for pages of a browser. A tab sees at once what another one stored.
 * `localStorage` does not promise that: two tabs could lose a code. `name` is the database's, which
 * may exist and have other stores.
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

/** Opens the database, by default in the version that it has. */
async function open(name: string, version?: number): Promise<Database> {
  const opened = (signal: AbortSignal) =>
    new Promise<Database>((resolve, reject) => {
      const opening = indexedDB.open(name, version);
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
      opening.onsuccess = () => {
        const { result } = opening;
        // An open database keeps other tabs from opening a newer version.
        result.onversionchange = () => result.close();
        if (signal.aborted) result.close();
        else resolve(result);
      };
      opening.onerror = () => reject(opening.error);
    });
  const database = await within(STORAGE_MS, opened);
  if (database.objectStoreNames.contains(STORE)) return database;
  // The page has made a database of this name. Its own stores stay.
  database.close();
  return open(name, database.version + 1);
}
