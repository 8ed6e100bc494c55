import { lockOf, openChannel, type QueueLock, storageLock } from './queue-lock.ts';
import { elapsed, now, PAGE, retries, send, wait } from './send.ts';
import { type Answer, canRetryHelp } from './send-once.ts';
import {
  type ChangeCodes,
  comparableId,
  type Entry,
  identityOf,
  isEntry,
  MAX_CODES,
  openCodes,
} from './stored-codes.ts';
import type {
  ApplyPromoCodeRequest,
  AppStorage,
  PromoCodeApplied,
  Result,
  Session,
} from './types.ts';

/** Enough to find and correct a wrong setting of a deployment. */
const MAX_REFUSED_MS = 7 * 24 * 60 * 60 * 1000;
const KEY = 'promo-codes';
/** A pause that another call of `send` ends has lasted as long: apps call it in loops, too. */
const MIN_PAUSE_MS = 1_000;

export interface PromoCodeQueueOptions {
  readonly session: Session;
  readonly storage: AppStorage;
  /** The client and the customer of the session. The queue does not touch the codes of others. */
  readonly clientId: string;
  readonly userId: string;
  /**
   * Called once for each code that leaves the queue after an attempt: in the queue whose `send`
   * made it, and in the queues of the customer in other tabs, but in no other one of the same tab.
   * If the code cannot be removed from the storage, the next start sends and tells it again.
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
  /** The key of the codes in the storage. Queues with the same key take turns to change them. */
  readonly key?: string;
  /**
   * Makes queues take turns. Default: the Web Locks API, for tabs of a browser, which also need
   * `indexedDbStorage`. Without it, such as in React Native, the queues of the app take turns. A
   * tab that the system suspends keeps a lock of your own: all others wait until it goes on.
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
   * Stores a request with the current date. Once it resolves, the request survives the app. If the
   * same request waits already, such as after two taps, it stays alone. Another `promoCodeToken`
   * makes another request.
   *
   * @returns the id of the code in the queue.
   * @throws Error if a property is not a string, or if 100 codes of the customer wait, or if the
   *   storage does not answer in ten seconds. It may still store the request.
   */
  readonly add: (request: Omit<ApplyPromoCodeRequest, 'clientId' | 'userId'>) => Promise<string>;
  /**
   * Sends the codes in the order in which they were added. Call it after `add`, when the app
   * starts, and when the phone is online again, and do not await it: `onResult` and `onKept` tell
   * what became of each code. A code that fails by itself does not hold up the others. While no
   * code can be sent, such as without a connection, it pauses and tries again. Another call ends a
   * pause that has lasted a second, and the event `online` of a browser each. The signal stops it
   * for now. Rejects after `close`.
   */
  readonly send: (signal?: AbortSignal) => Promise<void>;
  /** Returns the codes of the customer, in order. */
  readonly waiting: () => Promise<readonly QueuedCode[]>;
  /** Removes a code of the customer. If it was sent, the service may have accepted it. */
  readonly remove: (id: string) => Promise<void>;
  /** Removes all codes of the customer. */
  readonly clear: () => Promise<void>;
  /**
   * Ends the queue: call it when the customer signs out. It ends the request in flight, as a signal
   * does, and calls no callback from then on: a result that comes later is the next sign-in's.
   * `send` then rejects. The other functions go on: a code that `add` stores waits.
   */
  readonly close: () => void;
}

/** Changes the stored codes. Resolves to false if the storage fails. */
type TryChange = (...change: Parameters<ChangeCodes>) => Promise<boolean>;

/** The outcome of an attempt. */
type Attempt = readonly [step: Step, result: Result<PromoCodeApplied>, retryAfterMs: number];

/**
 * Makes a queue of promo codes. Its functions reject if the storage, the lock or a callback fails,
 * or the storage hangs.
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
  lock,
  retryMs,
}: PromoCodeQueueOptions): PromoCodeQueue {
  const isOwn = ({ request }: { readonly request: ApplyPromoCodeRequest }) =>
    request.clientId === clientId && comparableId(request.userId) === comparableId(userId);
  const closing = new AbortController();
  const closed = closing.signal;
  const lastResults = new Map<string, Result<PromoCodeApplied>>();
  /** The ids of the entries that were reported. One stays in the storage if a write fails. */
  const finished = new Set<string>();
  const report = (result: QueuedResult) => {
    if (isOwn(result)) onResult?.(result);
  };
  const tellOthers = openChannel(`${key} results`, report, closed);
  const [read, change] = openCodes(storage, key, lock ?? storageLock, finished, onUnreadable);
  const readOwn = async () => (await read())[0].filter(isOwn);
  const inRounds = roundsOf(retryMs);
  /** The time until which the server wants no request, by `elapsed`. */
  let notBefore = 0;
  /** The time of the last attempt that left a code in the queue, and the call that made it. */
  let [keptAt, keptBy]: [number, unknown?] = [-MIN_PAUSE_MS];

  /**
   * Sends an entry once, and reports what became of it. Returns undefined if another tab has taken
   * it over.
   */
  async function sendOne(
    entry: Entry,
    tryChange: TryChange,
    signal: AbortSignal,
    call: unknown,
  ): Promise<Attempt | undefined> {
    const attempt = await attemptOf(session, entry, tryChange, signal);
    if (!attempt) return undefined;
    const [step, result, retryAfterMs] = attempt;
    notBefore = elapsed() + retryAfterMs;
    const { id, request } = entry;
    const queued = { id, request, result };
    if (step === 'finish') {
      const isRemoved = await removeOne(id, tryChange);
      if (isRemoved && closed.aborted) {
        // The next sign-in sends it under the same date, and gets the same result.
        const requestDate = result.requestDate.toISOString();
        await tryChange((entries) => [{ ...entry, requestDate }, ...entries]);
        return attempt;
      }
      finished.add(id);
      if (isRemoved) {
        tellOthers(queued);
        report(queued);
      }
    } else {
      lastResults.set(id, result);
      [keptAt, keptBy] = [elapsed(), call];
      if (!signal.aborted) onKept?.(queued);
    }
    return attempt;
  }

  return {
    add: async (request) => {
      const entry = {
        // React Native has no `crypto`. The id only has to be unique in the queue.
        id: `${Date.now()}-${Math.random()}`,
        request: { ...request, clientId, userId },
        requestDate: now(session).toISOString(),
      };
      if (!isEntry(entry)) throw new Error('Send strings only.');
      let { id } = entry;
      await change((entries) => {
        const own = entries.filter(isOwn);
        const same = own.find((one) => identityOf(one) === identityOf(entry));
        if (same) {
          id = same.id;
          return entries;
        }
        if (own.length < MAX_CODES) return [...entries, entry];
        throw new Error(`${MAX_CODES} codes are waiting.`);
      });
      return id;
    },
    send: async (signal) => {
      if (closed.aborted) throw new Error('The queue is closed: make another one.');
      const stopping = new AbortController();
      const stop = () => stopping.abort(signal?.reason);
      const stops = [closed, signal];
      for (const one of stops) {
        one?.addEventListener('abort', stop);
        if (one?.aborted) stop();
      }
      /** The ids of the entries that need no further attempt in this call. */
      const tried = new Set<string>();
      const failures: unknown[] = [];
      /** Reports a failure when the call ends: it must not keep codes from being sent. */
      const tryChange: TryChange = (changed) =>
        change(changed).then(
          () => true,
          (failure) => !failures.push(failure),
        );
      // Not the lock of all storages: each would wait for the network of the others.
      const inTurn = lock ?? lockOf(storage, true);
      const earlyMs = () => (keptBy === tried ? 0 : keptAt + MIN_PAUSE_MS - elapsed());
      const sendNext = () =>
        inTurn(`${key} send`, async () => {
          if (earlyMs() > 0) return 'early';
          // Read each time: entries may be added and removed while one is sent.
          const entry = (await readOwn()).find(({ id }) => !tried.has(id));
          if (!entry || stopping.signal.aborted) return undefined;
          tried.add(entry.id);
          const attempt = await sendOne(entry, tryChange, stopping.signal, tried);
          return { id: entry.id, attempt };
        });
      try {
        await inRounds(
          stopping.signal,
          async () => {
            const [, unreadable] = await read();
            if (finished.size + unreadable.length > 0) await tryChange((entries) => entries);
          },
          () => notBefore,
          async (pause) => {
            for (;;) {
              const early = earlyMs();
              if (early > 0) {
                if (!pause.aborted) await wait(early, pause, PAGE);
                if (pause.aborted) return false;
                keptBy = tried;
              }
              const canRetry = await sendEach(sendNext, tried);
              if (canRetry !== 'early') return canRetry;
            }
          },
        );
      } finally {
        for (const one of stops) one?.removeEventListener('abort', stop);
      }
      if (failures.length > 0) throw failures[0];
    },
    waiting: async () =>
      (await readOwn()).map(({ id, request }) => ({
        id,
        request,
        lastResult: lastResults.get(id),
      })),
    remove: (id) => change((entries) => entries.filter((one) => one.id !== id || !isOwn(one))),
    clear: () => change((entries) => entries.filter((one) => !isOwn(one))),
    close: () => closing.abort(),
  };
}

/** Removes an entry. Returns false if it was removed before. */
async function removeOne(removed: string, tryChange: TryChange): Promise<boolean> {
  let isGone = false;
  await tryChange((entries) => {
    const others = entries.filter(({ id }) => id !== removed);
    isGone = others.length === entries.length;
    return others;
  });
  return !isGone;
}

/**
 * Sends an entry, and stores what the service says about its date and its refusal. Returns
 * undefined if it is gone or has a date of somebody else: another tab has taken it over from this
 * one, which the system had suspended.
 */
async function attemptOf(
  session: Session,
  { id, request, requestDate, refusedAt }: Entry,
  tryChange: TryChange,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  let isTakenOver = false;
  const dates = [requestDate];
  const store = async (changed: Partial<Entry>) => {
    // Also if the storage hangs: the tab that was suspended may have its turn.
    isTakenOver = true;
    const isStored = await tryChange((entries) => {
      const isOwn = (one: Entry) => one.id === id && dates.includes(one.requestDate);
      isTakenOver = !entries.some(isOwn);
      return entries.map((one) => (isOwn(one) ? { ...one, ...changed } : one));
    });
    return isStored;
  };
  const answer = await send<PromoCodeApplied>(session, '/promoCode/apply', request, {
    signal,
    // Stored before it is sent, because the app can end at any time.
    mayResend: async (date) => {
      const changed = date.toISOString();
      // With another token, the date may be stored already.
      const isStored = (await store({ requestDate: changed })) || dates.includes(changed);
      if (isStored) dates.push(changed);
      return isStored && !isTakenOver;
    },
    requestDate: new Date(requestDate),
    // Refreshes an expired token and corrects the date at once. Pauses are between entries.
    retry: true,
    retryMs: 0,
  });
  const { result, serverTime, retryAfterMs } = answer;
  let step = nextStep(answer);
  if (step === 'refused' && !isTakenOver && serverTime !== undefined) {
    // The phone's clock may have been wrong at either time.
    if (serverTime - (refusedAt ?? serverTime) > MAX_REFUSED_MS) step = 'finish';
    else if (refusedAt === undefined) await store({ refusedAt: serverTime });
  }
  if (isTakenOver) return undefined;
  return [step, result, retryAfterMs];
}

/**
 * Sends each entry once, except those already tried. Returns true if a retry can help, and `early`
 * if another call has just made an attempt in vain.
 */
async function sendEach(
  sendNext: () => Promise<{ id: string; attempt: Attempt | undefined } | 'early' | undefined>,
  tried: Set<string>,
): Promise<boolean | 'early'> {
  const retried: string[] = [];
  for (;;) {
    // A turn for each entry, so that another tab waits for one attempt only.
    const sent = await sendNext();
    if (!sent) break;
    if (sent === 'early') return sent;
    const [step, result] = sent.attempt ?? [];
    if (!result || canRetryHelp(result)) retried.push(sent.id);
    if (step === 'stop') break;
  }
  for (const id of retried) tried.delete(id);
  return retried.length > 0;
}

/**
 * Returns a function that makes rounds, with pauses between them, until one returns false. It takes
 * over from a call that pauses.
 */
function roundsOf(retryMs: number | undefined) {
  let endPause = () => {};
  return async (
    signal: AbortSignal,
    prepare: () => Promise<void>,
    notBefore: () => number,
    round: (pause: AbortSignal) => Promise<boolean>,
  ): Promise<void> => {
    endPause();
    const pause = new AbortController();
    endPause = () => pause.abort();
    signal.addEventListener('abort', endPause);
    if (signal.aborted) endPause();
    const mayRetry = retries(retryMs);
    await prepare();
    for (let isRetry = false; ; isRetry = true) {
      // Other tabs may send during a pause.
      const rest = Math.max(0, notBefore() - elapsed());
      if ((isRetry || rest > 0) && !(await mayRetry(pause.signal, rest))) break;
      if (!(await round(pause.signal))) break;
    }
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
