import type { QueueLock } from './queue-lock.ts';
import { STORAGE_MS, within } from './time-limit.ts';
import type { ApplyPromoCodeRequest, AppStorage } from './types.ts';

/** The most codes: with the longest tokens, they need half a megabyte. */
export const MAX_CODES = 100;

/** A promo code as it is stored. */
export interface Entry {
  readonly id: string;
  readonly request: ApplyPromoCodeRequest;
  readonly requestDate: string;
  /** The server's time when it first refused the entry, in milliseconds since 1970. */
  readonly refusedAt?: number;
}

/** Changes the stored entries. */
export type ChangeCodes = (changed: (entries: Entry[]) => Entry[]) => Promise<void>;

/**
 * Opens the stored codes, of all customers.
 *
 * @param finished the ids of the entries that count as removed.
 * @param onUnreadable called with each part that is not a code, which is moved to another key.
 * @returns two functions: one reads the entries and what is unreadable, the other changes entries.
 */
export function openCodes(
  storage: AppStorage,
  key: string,
  lock: QueueLock,
  finished: ReadonlySet<string>,
  onUnreadable: ((stored: unknown) => void) | undefined,
): readonly [read: () => Promise<[entries: Entry[], unreadable: unknown[]]>, change: ChangeCodes] {
  async function readAll(): Promise<[entries: Entry[], unreadable: unknown[]]> {
    const [entries, unreadable] = sorted(listOf(await storage.getItem(key)));
    return [entries.filter(({ id }) => !finished.has(id)), unreadable];
  }

  async function changeAll(changed: (entries: Entry[]) => Entry[]): Promise<void> {
    const found = await lock(`${key} change`, async () => {
      const [entries, unreadable] = await readAll();
      if (unreadable.length > 0) {
        const aside = `${key} unreadable`;
        const all = [...listOf(await storage.getItem(aside)), ...unreadable];
        await storage.setItem(aside, JSON.stringify(all.slice(-MAX_CODES)));
      }
      // Each change writes all entries.
      await storage.setItem(key, JSON.stringify(changed(entries)));
      return unreadable;
    });
    for (const one of found) onUnreadable?.(one);
  }

  const read = () => within(STORAGE_MS, readAll);
  // The turn itself has no limit: a write that comes late would overwrite a newer list.
  const change: ChangeCodes = (changed) => within(STORAGE_MS, () => changeAll(changed));
  return [read, change];
}

/** Returns the elements of a stored list; what is none counts as its only element. */
function listOf(text: string | null | undefined): readonly unknown[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text || '[]');
  } catch {
    stored = text;
  }
  return Array.isArray(stored) ? stored : [stored];
}

/** Separates entries from what else is stored. */
function sorted(stored: readonly unknown[]): [entries: Entry[], unreadable: unknown[]] {
  const entries = new Map<string, Entry>();
  const unreadable = stored.filter((one) => {
    if (!isEntry(one) || entries.has(one.id)) return true;
    entries.set(one.id, one);
    return false;
  });
  return [[...entries.values()], unreadable];
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns a user id as the service compares it: without the case of a UUID. */
export function comparableId(userId: string): string {
  return UUID.test(userId) ? userId.toLowerCase() : userId;
}

/** Returns what two requests of a customer have in common if they are the same but for the date. */
export function identityOf({ request }: Entry): string {
  const promoCode = request.promoCode.trim().normalize('NFC');
  const properties = Object.entries({ ...request, promoCode, userId: '' });
  // An empty token counts as none.
  return JSON.stringify(properties.filter(([, value]) => value).sort());
}

export function isEntry(value: unknown): value is Entry {
  const { id, request, requestDate, refusedAt = 0 } = (value ?? {}) as Partial<Entry>;
  const { clientId, promoCode, userId, eventType, source, promoCodeToken } = request ?? {};
  const texts = [
    id,
    clientId,
    promoCode,
    userId,
    eventType,
    source,
    promoCodeToken ?? '',
    requestDate,
  ];
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof refusedAt === 'number' &&
    // Not NaN.
    Date.parse(String(requestDate)) < Infinity
  );
}
