import { lockOf, openChannel, type QueueLock } from './queue-lock.ts';
import { elapsed, now, retries, send } from './send.ts';
import { type Answer, canRetryHelp } from './send-once.ts';
import type {
  ApplyPromoCodeRequest,
  AppStorage,
  PromoCodeApplied,
  Result,
  Session,
} from './types.ts';

/** Enough to find and correct a wrong setting of a deployment. */
const MAX_REFUSED_MS = 7 * 24 * 60 * 60 * 1000;
/** With the longest tokens, they need half a megabyte. */
const MAX_CODES = 100;
const KEY = 'promo-codes';

export interface PromoCodeQueueOptions {
  readonly session: Session;
  readonly storage: AppStorage;
  /** The client and the customer of the session. The queue does not touch the codes of others. */
  readonly clientId: string;
  readonly userId: string;
  /**
   * Called once for each code that leaves the queue after an attempt, whichever call or tab sent
   * it. A queue of the customer in another tab calls its own, too.
   */
  readonly onResult?: (result: QueuedResult) => void;
  /**
   * Called after each attempt that leaves a code in the queue. If the outcome is `noAnswer`,
   * `notUnderstood`, or an error that is `retryable`, time can help. Otherwise something is wrong:
   * the token, the App-Id, the URL or a setting.
   */
  readonly onKept?: (result: QueuedResult) => void;
  /**
   * Called with each part of the stored queue that is not a code, such as after a damage or an
   * experiment. It is moved to the key `<key> unreadable`, which keeps the last 100, so that it
   * does not stop the codes.
   */
  readonly onUnreadable?: (stored: unknown) => void;
  /** The key of the codes in the storage. Queues with the same key and storage take turns. */
  readonly key?: string;
  /**
   * Makes queues that share a storage, but not its object, take turns. Default: the Web Locks API,
   * for tabs of a browser, which also need `indexedDbStorage`. React Native has and needs none.
   */
  readonly lock?: QueueLock;
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

/** The result of an attempt to apply a promo code. */
export interface QueuedResult {
  readonly id: string;
  readonly request: ApplyPromoCodeRequest;
  readonly result: Result<PromoCodeApplied>;
}

/** The promo codes of a customer, which wait in a storage until they can be sent. */
export interface PromoCodeQueue {
  /**
   * Stores a request with the current date. Once it resolves, the request survives the app.
   *
   * @returns the id of the code in the queue.
   * @throws Error if a property is not a string, or if 100 codes of the customer wait.
   */
  readonly add: (request: Omit<ApplyPromoCodeRequest, 'clientId' | 'userId'>) => Promise<string>;
  /**
   * Sends the codes in the order in which they were added. Call it after `add`, when the app
   * starts, and when the phone is online again, and do not await it: `onResult` and `onKept` tell
   * what became of each code. A code that fails by itself does not hold up the others. While no
   * code can be sent, such as without a connection, it pauses and tries again. Another call, or the
   * event `online` of a browser, ends a pause. The signal stops it: abort it when the customer
   * signs out.
   */
  readonly send: (signal?: AbortSignal) => Promise<void>;
  /** Returns the codes of the customer, in order. */
  readonly waiting: () => Promise<readonly QueuedCode[]>;
  /** Removes a code of the customer. If it was sent, the service may have accepted it. */
  readonly remove: (id: string) => Promise<void>;
  /** Removes all codes of the customer. */
  readonly clear: () => Promise<void>;
}

interface Entry {
  readonly id: string;
  readonly request: ApplyPromoCodeRequest;
  readonly requestDate: string;
  /** The server's time when it first refused the entry, in milliseconds since 1970. */
  readonly refusedAt?: number;
}

/** A call of `send`. */
interface Run {
  readonly signal: AbortSignal | undefined;
  /** The ids of the entries that need no further attempt in this call. */
  readonly tried: Set<string>;
  /** What the storage threw. It must not keep codes from being sent. */
  readonly failures: unknown[];
}

/**
 * Makes a queue of promo codes. Its functions reject if the storage, the lock or a callback fails.
 */
export function promoCodeQueue({
  session,
  storage,
  clientId,
  userId,
  onResult,
  onKept,
  onUnreadable,
  key = KEY,
  lock = lockOf(storage),
  retryMs,
}: PromoCodeQueueOptions): PromoCodeQueue {
  const isOwn = ({ request }: { readonly request: ApplyPromoCodeRequest }) =>
    request.clientId === clientId && request.userId === userId;
  const lastResults = new Map<string, Result<PromoCodeApplied>>();
  /** The ids of the entries that were reported. One stays in the storage if a write fails. */
  const finished = new Set<string>();
  const tellOthers = openChannel<QueuedResult>(`${key} results`, (result) => {
    if (isOwn(result)) onResult?.(result);
  });
  let endPause = () => {};
  /** The time until which the server wants no request, by `elapsed`. */
  let notBefore = 0;

  async function read() {
    const { entries, unreadable } = sorted(listOf(await storage.getItem(key)));
    return { entries: entries.filter(({ id }) => !finished.has(id)), unreadable };
  }

  const readOwn = async () => (await read()).entries.filter(isOwn);

  async function change(changed: (entries: Entry[]) => Entry[]): Promise<void> {
    const found = await lock(`${key} change`, async () => {
      const { entries, unreadable } = await read();
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

  /** Changes entries during `send`. A failure is reported when it ends. */
  async function tryChange(
    { failures }: Run,
    changed: (entries: Entry[]) => Entry[],
  ): Promise<void> {
    try {
      await change(changed);
    } catch (failure) {
      failures.push(failure);
    }
  }

  function store(run: Run, entry: Entry): Promise<void> {
    return tryChange(run, (entries) => entries.map((one) => (one.id === entry.id ? entry : one)));
  }

  /** Removes an entry and reports it, unless it was removed before. */
  async function finish(run: Run, report: QueuedResult): Promise<void> {
    let isRemoved = true;
    await tryChange(run, (entries) => {
      const others = entries.filter(({ id }) => id !== report.id);
      isRemoved = others.length < entries.length;
      return others;
    });
    finished.add(report.id);
    if (!isRemoved) return;
    tellOthers(report);
    onResult?.(report);
  }

  /** Sends an entry once. `canRetry` is true if another attempt can help after a pause. */
  async function sendOne(
    run: Run,
    stored: Entry,
  ): Promise<{ readonly step: Step; readonly canRetry: boolean }> {
    const { id, request } = stored;
    const { signal } = run;
    let entry = stored;
    const answer = await send<PromoCodeApplied>(session, '/promoCode/apply', request, {
      ...(signal && { signal }),
      // Stored before it is sent, because the app can end at any time.
      onNewDate: (date) => {
        entry = { ...entry, requestDate: date.toISOString() };
        return store(run, entry);
      },
      requestDate: new Date(entry.requestDate),
      // Refreshes an expired token and corrects the date at once. Pauses are between entries.
      retry: true,
      retryMs: 0,
    });
    const { result, serverTime, retryAfterMs } = answer;
    notBefore = elapsed() + retryAfterMs;
    let step = nextStep(answer);
    if (step === 'refused' && serverTime !== undefined) {
      // The phone's clock may have been wrong at either time.
      const { refusedAt = serverTime } = entry;
      if (serverTime - refusedAt > MAX_REFUSED_MS) step = 'finish';
      else if (entry.refusedAt === undefined) await store(run, { ...entry, refusedAt });
    }
    if (step === 'finish') {
      await finish(run, { id, request, result });
    } else {
      lastResults.set(id, result);
      if (!signal?.aborted) onKept?.({ id, request, result });
    }
    return { step, canRetry: canRetryHelp(result) };
  }

  /** Sends each entry once, except those already tried. Returns true if a retry can help. */
  async function sendEach(run: Run): Promise<boolean> {
    const { signal, tried } = run;
    const retried: string[] = [];
    while (!signal?.aborted) {
      // Read each time: entries may be added and removed while one is sent.
      const entry = (await readOwn()).find(({ id }) => !tried.has(id));
      if (!entry) break;
      tried.add(entry.id);
      const { step, canRetry } = await sendOne(run, entry);
      if (canRetry) retried.push(entry.id);
      if (step === 'stop') break;
    }
    for (const id of retried) tried.delete(id);
    return retried.length > 0;
  }

  return {
    add: async (request) => {
      const entry = {
        // React Native has no `crypto`. The id only has to be unique in the queue.
        id: `${Date.now()}-${Math.random()}`,
        request: { ...request, clientId, userId },
        requestDate: now(session).toISOString(),
      };
      if (!isEntry(entry)) throw new Error('Each property must be a string.');
      await change((entries) => {
        if (entries.filter(isOwn).length < MAX_CODES) return [...entries, entry];
        throw new Error(`${MAX_CODES} promo codes are waiting.`);
      });
      return entry.id;
    },
    send: async (signal) => {
      // This call takes over from one that pauses.
      endPause();
      const pause = new AbortController();
      const end = () => pause.abort();
      endPause = end;
      signal?.addEventListener('abort', end);
      const mayRetry = retries(retryMs);
      const run: Run = { signal, tried: new Set(), failures: [] };
      try {
        const { unreadable } = await read();
        if (finished.size + unreadable.length > 0) await tryChange(run, (entries) => entries);
        let isRetry = false;
        do {
          // Other tabs may send during a pause.
          const rest = Math.max(0, notBefore - elapsed());
          if ((isRetry || rest > 0) && !(await mayRetry(pause.signal, rest))) break;
          isRetry = true;
        } while (await lock(`${key} send`, () => sendEach(run)));
      } finally {
        signal?.removeEventListener('abort', end);
      }
      if (run.failures.length > 0) throw run.failures[0];
    },
    waiting: async () =>
      (await readOwn()).map(({ id, request }) => ({
        id,
        request,
        lastResult: lastResults.get(id),
      })),
    remove: (id) => change((entries) => entries.filter((one) => one.id !== id || !isOwn(one))),
    clear: () => change((entries) => entries.filter((one) => !isOwn(one))),
  };
}

/**
 * The next step after an attempt. `finish`: remove the entry and report its result. `refused`: keep
 * it for a while, because a setting or the customer's token may be wrong. `retry`: keep it. `stop`:
 * keep it and those after it, because they would fail too.
 */
type Step = 'finish' | 'refused' | 'retry' | 'stop';

function nextStep({ result, retryAfterMs }: Answer<unknown>): Step {
  if (result.outcome === 'success') return 'finish';
  if (result.outcome !== 'error' || retryAfterMs > 0) return 'stop';
  const { code, retryable } = result.error;
  // A defect may concern one code; another retryable error is that of the whole service.
  if (retryable) return code === 'InternalServerError' ? 'retry' : 'stop';
  // Only the code itself can be refused for ever. A gateway refuses headers and paths without a
  // pointer into the body.
  const isBodyWrong =
    code === 'PayloadTooLargeException' ||
    (code === 'ValidationException' && result.errors.some(({ pointer }) => pointer));
  return isBodyWrong ? 'finish' : 'refused';
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
function sorted(stored: readonly unknown[]) {
  const entries = new Map<string, Entry>();
  const unreadable = stored.filter((one) => {
    if (!isEntry(one) || entries.has(one.id)) return true;
    entries.set(one.id, one);
    return false;
  });
  return { entries: [...entries.values()], unreadable };
}

function isEntry(value: unknown): value is Entry {
  const { id, request, requestDate, refusedAt = 0 } = (value ?? {}) as Partial<Entry>;
  const { clientId, promoCode, userId, eventType, source, promoCodeToken = '' } = request ?? {};
  const texts = [id, clientId, promoCode, userId, eventType, source, promoCodeToken, requestDate];
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof refusedAt === 'number' &&
    !Number.isNaN(Date.parse(String(requestDate)))
  );
}
