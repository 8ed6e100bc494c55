import { isDateRefused, now, send } from './send.ts';
import type { Answer } from './send-once.ts';
import type { ApplyPromoCodeRequest, PromoCodeApplied, Result, Session } from './types.ts';

/** The default of the setting `requestDateWindowSeconds`. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const KEY = 'promo-codes';

/**
 * The storage of a queue: `indexedDbStorage` in browsers, React Native's `AsyncStorage`, or
 * `localStorage` of a web view.
 */
export interface QueueStorage {
  readonly getItem: (key: string) => MaybePromise<string | null | undefined>;
  readonly setItem: (key: string, value: string) => unknown;
}

type MaybePromise<T> = T | Promise<T>;

export interface PromoCodeQueueOptions {
  readonly session: Session;
  readonly storage: QueueStorage;
  /** The key of the entries in the storage. Queues with the same key and storage take turns. */
  readonly key?: string;
  /**
   * Makes queues that share a storage, but not its object, take turns. Default: the Web Locks API,
   * for tabs of a browser, which also need `indexedDbStorage`. React Native has and needs none.
   */
  readonly lock?: QueueLock;
  /**
   * Time for which a sent entry keeps its date, in milliseconds; default: 24 hours. It must not
   * exceed the request-date window of the deployment.
   */
  readonly maxAgeMs?: number;
  /** Time for which `send` retries each entry, in milliseconds; default: 60,000. */
  readonly retryMs?: number;
}

/** Runs functions of the same name one after the other, and returns their results. */
export type QueueLock = <T>(name: string, run: () => Promise<T>) => Promise<T>;

/** The result of sending an entry. */
export interface QueuedResult {
  readonly request: ApplyPromoCodeRequest;
  /** True if the entry is still in the queue. */
  readonly isKept: boolean;
  /**
   * `tooOld`: the entry was removed without sending it again. The service may have accepted it, and
   * would now refuse its date.
   */
  readonly result:
    | Result<PromoCodeApplied>
    | { readonly outcome: 'tooOld'; readonly requestDate: Date; readonly requestId: undefined };
}

/** Promo codes that wait in a storage until they can be sent. */
export interface PromoCodeQueue {
  /** Stores a request with the current date. Once it resolves, the request survives the app. */
  readonly add: (request: ApplyPromoCodeRequest) => Promise<void>;
  /**
   * Sends the requests in the order in which they were added. Call it after `add`, when the app
   * starts, and when the phone is online again. It stops at the first request that has to wait for
   * a connection, a token or the service. A request that fails by itself, such as that of a
   * customer who is not signed in, stays in the queue, and the next ones are sent. Calls run one
   * after the other.
   *
   * @returns the result of each request sent. It removes those that succeeded, cannot succeed or
   *   are too old.
   */
  readonly send: (signal?: AbortSignal) => Promise<readonly QueuedResult[]>;
}

interface Entry {
  readonly id: string;
  readonly request: ApplyPromoCodeRequest;
  readonly requestDate: string;
  /** The phone's time when the entry got its date, in milliseconds since 1970. */
  readonly datedAt: number;
  /** True if it was sent. Its date can then not change: the service may have accepted it. */
  readonly isSent: boolean;
}

/** Makes a queue of promo codes. `add` and `send` reject only if the storage or the lock fails. */
export function promoCodeQueue({
  session,
  storage,
  key = KEY,
  lock = lockOf(storage),
  maxAgeMs = MAX_AGE_MS,
  ...options
}: PromoCodeQueueOptions): PromoCodeQueue {
  async function read(): Promise<Entry[]> {
    try {
      const stored: unknown = JSON.parse((await storage.getItem(key)) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isEntry) : [];
    } catch (error) {
      // Invalid JSON cannot be recovered. It must not stop all later promo codes.
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  }

  function change(changed: (entries: Entry[]) => Entry[]): Promise<void> {
    // Each change writes all entries.
    return lock(`${key} change`, async () => {
      await storage.setItem(key, JSON.stringify(changed(await read())));
    });
  }

  function remove({ id }: Entry): Promise<void> {
    return change((entries) => entries.filter((one) => one.id !== id));
  }

  function store(entry: Entry, isSent: boolean): Promise<void> {
    const stored = { ...entry, isSent };
    return change((entries) => entries.map((one) => (one.id === entry.id ? stored : one)));
  }

  const dated = (entry: Entry, requestDate: Date): Entry => ({
    ...entry,
    requestDate: requestDate.toISOString(),
    datedAt: Date.now(),
  });
  const isTooOld = ({ datedAt }: Entry) => Date.now() - datedAt > maxAgeMs;

  async function sendOne(
    stored: Entry,
    signal: AbortSignal | undefined,
  ): Promise<QueuedResult & Next> {
    const { request, isSent } = stored;
    let entry = isTooOld(stored) ? dated(stored, now(session)) : stored;
    const storeDate = (requestDate: Date) => {
      entry = dated(entry, requestDate);
      return store(entry, true);
    };
    // Stored before it is sent, because the app can end at any time.
    if (!isSent) await store(entry, true);
    const answer = await send<PromoCodeApplied>(session, '/promoCode/apply', request, {
      ...options,
      ...(signal && { signal }),
      ...(!isSent && { onNewDate: storeDate }),
      requestDate: new Date(entry.requestDate),
      retry: true,
    });
    const mayBeAccepted = isSent || answer.mayBeAccepted;
    const next = nextStep({ ...answer, mayBeAccepted });
    if (next === 'remove') await remove(entry);
    else if (!mayBeAccepted) await store(entry, false);
    return { request, isKept: next !== 'remove', result: answer.result, next };
  }

  async function sendAll(signal: AbortSignal | undefined): Promise<QueuedResult[]> {
    const results: QueuedResult[] = [];
    for (const entry of await read()) {
      if (signal?.aborted) break;
      if (entry.isSent && isTooOld(entry)) {
        await remove(entry);
        const requestDate = new Date(entry.requestDate);
        const result = { outcome: 'tooOld', requestDate, requestId: undefined } as const;
        results.push({ request: entry.request, isKept: false, result });
        continue;
      }
      const { next, ...result } = await sendOne(entry, signal);
      results.push(result);
      if (next === 'stop') break;
    }
    return results;
  }

  return {
    add: (request) =>
      change((entries) => [
        ...entries,
        {
          // React Native has no `crypto`. The id only has to be unique in the queue.
          id: `${Date.now()}-${Math.random()}`,
          request,
          requestDate: now(session).toISOString(),
          datedAt: Date.now(),
          isSent: false,
        },
      ]),
    send: (signal) => lock(`${key} send`, () => sendAll(signal)),
  };
}

interface Next {
  /** The next step after an entry: remove it, skip it, or stop, because others would fail. */
  readonly next: 'remove' | 'skip' | 'stop';
}

function nextStep({ result, serverTime, mayBeAccepted }: Answer<unknown>): Next['next'] {
  if (result.outcome === 'success') return 'remove';
  if (result.outcome !== 'error') return 'stop';
  const { code, retryable } = result.error;
  if (code === 'ThrottlingException' || code === 'ServiceUnavailableException') return 'stop';
  if (isDateRefused(result)) {
    // A future date may be accepted later. A past date stays refused, and may only change if the
    // request was never accepted.
    const isAhead = serverTime !== undefined && result.requestDate.getTime() > serverTime;
    return isAhead || !mayBeAccepted ? 'skip' : 'remove';
  }
  return retryable || code === 'ForbiddenException' || code === 'Unauthorized' ? 'skip' : 'remove';
}

function isEntry(value: Partial<Entry> | null): boolean {
  return (
    typeof value?.id === 'string' &&
    typeof value.request === 'object' &&
    typeof value.datedAt === 'number' &&
    typeof value.isSent === 'boolean' &&
    !Number.isNaN(Date.parse(value.requestDate ?? ''))
  );
}

/** The part of `navigator` with the Web Locks API. Its types differ between TypeScript versions. */
interface Navigator {
  readonly locks?: { readonly request: QueueLock };
}

function lockOf(storage: QueueStorage): QueueLock {
  const { locks } = (globalThis.navigator ?? {}) as Navigator;
  return locks ? (name, run) => locks.request(name, run) : turnsOf(storage);
}

/** The last function of each name that runs or waits. */
const turns = new WeakMap<QueueStorage, Map<string, Promise<unknown>>>();

function turnsOf(storage: QueueStorage): QueueLock {
  const last = turns.get(storage) ?? new Map<string, Promise<unknown>>();
  turns.set(storage, last);
  return (name, run) => {
    const done = (last.get(name) ?? Promise.resolve()).then(run);
    last.set(
      name,
      done.catch(() => undefined),
    );
    return done;
  };
}
