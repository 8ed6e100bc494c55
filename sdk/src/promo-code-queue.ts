import { isDateRefused, now, retries, send } from './send.ts';
import { type Answer, canRetryHelp } from './send-once.ts';
import { lockOf, openChannel, type QueueLock } from './tabs.ts';
import type { ApplyPromoCodeRequest, PromoCodeApplied, Result, Session } from './types.ts';

/** The default of the setting `requestDateWindowSeconds`. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** Enough to find and correct a wrong setting of a deployment. */
const MAX_REFUSED_MS = 7 * MAX_AGE_MS;
/** With the longest tokens, they need half a megabyte. */
const MAX_CODES = 100;
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
  /** The customer of the session. The queue does not touch the codes of others in the storage. */
  readonly userId: string;
  /**
   * Called once for each code that leaves the queue after an attempt, whichever call or tab sent
   * it. A code that the service refuses with `Unauthorized` or `ForbiddenException` stays for seven
   * days before, because a setting may be wrong. A queue of the customer in another tab calls its
   * own, too.
   */
  readonly onResult?: (result: QueuedResult) => void;
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
  /** Time for which `send` retries, in milliseconds; default: 60,000. */
  readonly retryMs?: number;
}

/** A promo code in the queue. */
export interface QueuedCode {
  readonly id: string;
  readonly request: ApplyPromoCodeRequest;
  /** The result of the last attempt of this queue; undefined before the first one. */
  readonly lastResult: Result<PromoCodeApplied> | undefined;
}

/** The final result of a promo code, which is no longer in the queue. */
export interface QueuedResult {
  readonly id: string;
  readonly request: ApplyPromoCodeRequest;
  /**
   * `tooOld`: the service may have accepted the code, and would now refuse its date. So it was not
   * sent again.
   */
  readonly result:
    | Result<PromoCodeApplied>
    | { readonly outcome: 'tooOld'; readonly requestDate: Date; readonly requestId: undefined };
}

/** The promo codes of a customer, which wait in a storage until they can be sent. */
export interface PromoCodeQueue {
  /**
   * Stores a request with the current date. Once it resolves, the request survives the app.
   *
   * @returns the id of the code in the queue.
   * @throws Error if 100 codes of the customer wait.
   */
  readonly add: (request: Omit<ApplyPromoCodeRequest, 'userId'>) => Promise<string>;
  /**
   * Sends the codes in the order in which they were added. Call it after `add`, when the app
   * starts, and when the phone is online again, and do not await it: `onResult` tells what became
   * of each code. A code that fails by itself does not hold up the others. While no code can be
   * sent, such as without a connection, it pauses and tries again. Another call, or the event
   * `online` of a browser, ends a pause. The signal stops it.
   */
  readonly send: (signal?: AbortSignal) => Promise<void>;
  /** Returns the codes in the queue, in order. */
  readonly waiting: () => Promise<readonly QueuedCode[]>;
  /** Removes a code. If it was sent, the service may have accepted it. */
  readonly remove: (id: string) => Promise<void>;
  /** Removes all codes of the customer. */
  readonly clear: () => Promise<void>;
}

interface Entry {
  readonly id: string;
  readonly request: ApplyPromoCodeRequest;
  readonly requestDate: string;
  /** The phone's time when the entry got its date, in milliseconds since 1970. */
  readonly datedAt: number;
  /** True if it was sent. Its date can then not change: the service may have accepted it. */
  readonly isSent: boolean;
  /** The phone's time when the service first refused the entry. */
  readonly refusedAt?: number;
}

/**
 * Makes a queue of promo codes. Its functions reject if the storage, the lock or `onResult` fails.
 */
export function promoCodeQueue({
  session,
  storage,
  userId,
  onResult,
  key = KEY,
  lock = lockOf(storage),
  maxAgeMs = MAX_AGE_MS,
  retryMs,
}: PromoCodeQueueOptions): PromoCodeQueue {
  const isOwn = ({ request }: { readonly request: ApplyPromoCodeRequest }) =>
    request.userId === userId;
  const lastResults = new Map<string, Result<PromoCodeApplied>>();
  const tellOthers = openChannel<QueuedResult>(`${key} results`, (result) => {
    if (isOwn(result)) onResult?.(result);
  });
  let endPause = () => {};

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

  const readOwn = async () => (await read()).filter(isOwn);

  function change(changed: (entries: Entry[]) => Entry[]): Promise<void> {
    // Each change writes all entries.
    return lock(`${key} change`, async () => {
      await storage.setItem(key, JSON.stringify(changed(await read())));
    });
  }

  function store(entry: Entry): Promise<void> {
    return change((entries) => entries.map((one) => (one.id === entry.id ? entry : one)));
  }

  /** Removes an entry and reports it, unless it was removed before. */
  async function finish({ id, request }: Entry, result: QueuedResult['result']): Promise<void> {
    let isRemoved = false;
    await change((entries) => {
      const others = entries.filter((one) => one.id !== id);
      isRemoved = others.length < entries.length;
      return others;
    });
    if (!isRemoved) return;
    tellOthers({ id, request, result });
    onResult?.({ id, request, result });
  }

  const datesOf = (requestDate: Date) => ({
    requestDate: requestDate.toISOString(),
    datedAt: Date.now(),
  });
  const isTooOld = ({ datedAt }: Entry) => Date.now() - datedAt > maxAgeMs;

  /** Sends an entry once. `canRetry` is true if another attempt can help after a pause. */
  async function sendOne(
    stored: Entry,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly step: Step; readonly canRetry: boolean }> {
    const { id, request, isSent } = stored;
    if (isSent && isTooOld(stored)) {
      const requestDate = new Date(stored.requestDate);
      await finish(stored, { outcome: 'tooOld', requestDate, requestId: undefined });
      return { step: 'finish', canRetry: false };
    }
    let entry: Entry = { ...stored, ...(isTooOld(stored) && datesOf(now(session))), isSent: true };
    const storeDate = (requestDate: Date) => {
      entry = { ...entry, ...datesOf(requestDate) };
      return store(entry);
    };
    // Stored before it is sent, because the app can end at any time.
    if (!isSent) await store(entry);
    const answer = await send<PromoCodeApplied>(session, '/promoCode/apply', request, {
      ...(signal && { signal }),
      ...(!isSent && { onNewDate: storeDate }),
      requestDate: new Date(entry.requestDate),
      // Refreshes an expired token and corrects a wrong clock at once. Pauses are between entries.
      retry: true,
      retryMs: 0,
    });
    const { result } = answer;
    const mayBeAccepted = isSent || answer.mayBeAccepted;
    let step = nextStep({ ...answer, mayBeAccepted });
    if (step === 'refused') {
      const { refusedAt = Date.now() } = entry;
      entry = { ...entry, refusedAt };
      if (Date.now() - refusedAt > MAX_REFUSED_MS) step = 'finish';
    }
    lastResults.set(id, result);
    await (step === 'finish' ? finish(entry, result) : store({ ...entry, isSent: mayBeAccepted }));
    return { step, canRetry: canRetryHelp(result) };
  }

  /** Sends each entry once, except those already tried. Returns true if a retry can help. */
  async function sendEach(tried: Set<string>, signal: AbortSignal | undefined): Promise<boolean> {
    const retried: string[] = [];
    while (!signal?.aborted) {
      // Read each time: entries may be added and removed while one is sent.
      const entry = (await readOwn()).find(({ id }) => !tried.has(id));
      if (!entry) break;
      tried.add(entry.id);
      const { step, canRetry } = await sendOne(entry, signal);
      if (canRetry) retried.push(entry.id);
      if (step === 'stop') break;
    }
    for (const id of retried) tried.delete(id);
    return retried.length > 0;
  }

  return {
    add: async (request) => {
      // React Native has no `crypto`. The id only has to be unique in the queue.
      const id = `${Date.now()}-${Math.random()}`;
      const entry = {
        id,
        request: { ...request, userId },
        ...datesOf(now(session)),
        isSent: false,
      };
      await change((entries) => {
        if (entries.filter(isOwn).length < MAX_CODES) return [...entries, entry];
        throw new Error(`${MAX_CODES} promo codes are waiting.`);
      });
      return id;
    },
    send: async (signal) => {
      // This call takes over from one that pauses.
      endPause();
      const pause = new AbortController();
      const end = () => pause.abort();
      endPause = end;
      signal?.addEventListener('abort', end);
      const mayRetry = retries(retryMs);
      const tried = new Set<string>();
      try {
        // Other tabs may send during a pause.
        while (await lock(`${key} send`, () => sendEach(tried, signal))) {
          if (!(await mayRetry(pause.signal))) return;
        }
      } finally {
        signal?.removeEventListener('abort', end);
      }
    },
    waiting: async () =>
      (await readOwn()).map(({ id, request }) => ({
        id,
        request,
        lastResult: lastResults.get(id),
      })),
    remove: (id) => change((entries) => entries.filter((one) => one.id !== id)),
    clear: () => change((entries) => entries.filter((one) => !isOwn(one))),
  };
}

/**
 * The next step after an attempt. `finish`: remove the entry and report its result. `refused`: keep
 * it for a while, because a setting or the customer's token may be wrong. `retry`: keep it. `stop`:
 * keep it and those after it, because they would fail too.
 */
type Step = 'finish' | 'refused' | 'retry' | 'stop';

function nextStep({ result, serverTime, mayBeAccepted }: Answer<unknown>): Step {
  if (result.outcome === 'success') return 'finish';
  if (result.outcome !== 'error') return 'stop';
  const { code, retryable } = result.error;
  if (code === 'ThrottlingException' || code === 'ServiceUnavailableException') return 'stop';
  if (isDateRefused(result)) {
    // A future date may be accepted later. A past date stays refused, and may only change if the
    // request was never accepted.
    const isAhead = serverTime !== undefined && result.requestDate.getTime() > serverTime;
    return isAhead || !mayBeAccepted ? 'refused' : 'finish';
  }
  if (retryable) return 'retry';
  return code === 'ForbiddenException' || code === 'Unauthorized' ? 'refused' : 'finish';
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
