import type { QueueLock } from './queue-lock.ts';
import type { ApplyPromoCodeRequest, AppStorage } from './types.ts';

/** With the longest tokens, they need half a megabyte. */
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
) {
  async function read(): Promise<[entries: Entry[], unreadable: unknown[]]> {
    const [entries, unreadable] = sorted(listOf(await storage.getItem(key)));
    return [entries.filter(({ id }) => !finished.has(id)), unreadable];
  }

  const change: ChangeCodes = async (changed) => {
    const found = await lock(`${key} change`, async () => {
      const [entries, unreadable] = await read();
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
  };

  return [read, change] as const;
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

export function isEntry(value: unknown): value is Entry {
  const { id, request, requestDate, refusedAt = 0 } = (value ?? {}) as Partial<Entry>;
  const { clientId, promoCode, userId, eventType, source, promoCodeToken = '' } = request ?? {};
  const texts = [id, clientId, promoCode, userId, eventType, source, promoCodeToken, requestDate];
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof refusedAt === 'number' &&
    !Number.isNaN(Date.parse(String(requestDate)))
  );
}
