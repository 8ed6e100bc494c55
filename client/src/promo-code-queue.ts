import { isOfDate, now, send } from './send.ts';
import type { ApplyPromoCodeRequest, PromoCodeApplied, Result, Session } from './types.ts';

/** The default of the setting `requestDateWindowSeconds`. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const KEY = 'promo-codes';

/** What a queue stores its entries in, such as `localStorage` or React Native's `AsyncStorage`. */
export interface QueueStorage {
  readonly getItem: (key: string) => MaybePromise<string | null | undefined>;
  readonly setItem: (key: string, value: string) => unknown;
}

type MaybePromise<T> = T | Promise<T>;

export interface PromoCodeQueueOptions {
  readonly session: Session;
  readonly storage: QueueStorage;
  /** The key of the entries in the storage. Only one queue at a time may use it. */
  readonly key?: string;
  /** How old an entry may become, in milliseconds: at most the request-date window of the deployment, by default 24 hours. */
  readonly maxAgeMs?: number;
  /** For how long `send` retries each entry, in milliseconds; the default is 60,000. */
  readonly retryMs?: number;
}

/** What became of an entry. */
export interface QueuedResult {
  readonly request: ApplyPromoCodeRequest;
  /** Whether the entry is still in the queue. */
  readonly isKept: boolean;
  /** `tooOld`: the service would refuse its date, so it was removed without being sent again. */
  readonly result:
    | Result<PromoCodeApplied>
    | { readonly outcome: 'tooOld'; readonly requestDate: Date; readonly requestId: undefined };
}

/** Promo codes that wait in a storage until they can be sent. */
export interface PromoCodeQueue {
  /** Stores a request under the current date. When it resolves, the request survives the end of the app. */
  readonly add: (request: ApplyPromoCodeRequest) => Promise<void>;
  /**
   * Sends the requests in the order in which they were added. Call it after `add`, when the app starts, and when the phone is
   * online again. It stops at the first request that has to wait for a connection or a token. A request of another
   * customer than the one who is signed in stays in the queue, and those after it are sent. Calls run one after the other.
   *
   * @returns what became of each request that it sent. It removes those that succeeded, cannot succeed or are too old.
   */
  readonly send: (signal?: AbortSignal) => Promise<readonly QueuedResult[]>;
}

interface Entry {
  readonly request: ApplyPromoCodeRequest;
  readonly requestDate: string;
  /** The time of the phone when it was added, in milliseconds since 1970. */
  readonly addedAt: number;
  /** Whether it was sent under its date, which then cannot change: the service may have accepted it. */
  readonly isSent: boolean;
}

/** Makes a queue of promo codes. `add` and `send` reject only if the storage fails. */
export function promoCodeQueue({
  session,
  storage,
  key = KEY,
  maxAgeMs = MAX_AGE_MS,
  ...options
}: PromoCodeQueueOptions): PromoCodeQueue {
  const changeInTurn = inTurn();
  const sendInTurn = inTurn();

  async function read(): Promise<Entry[]> {
    try {
      return JSON.parse((await storage.getItem(key)) ?? '[]');
    } catch (error) {
      // Nobody can recover what is not JSON. It must not stop all later promo codes.
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  }

  function change(changed: (entries: Entry[]) => Entry[]): Promise<void> {
    return changeInTurn(async () => {
      await storage.setItem(key, JSON.stringify(changed(await read())));
    });
  }

  function remove(index: number): Promise<void> {
    return change((entries) => entries.filter((_, other) => other !== index));
  }

  async function sendOne(entry: Entry, index: number, signal: AbortSignal | undefined) {
    // Stored before it is sent, because the app can end at any time.
    const storeDate = (requestDate: string) => {
      const sent = { ...entry, requestDate, isSent: true };
      return change((entries) => entries.map((one, other) => (other === index ? sent : one)));
    };
    if (!entry.isSent) await storeDate(entry.requestDate);
    return send<PromoCodeApplied>(session, '/promoCode/apply', entry.request, {
      ...options,
      ...(signal && { signal }),
      ...(!entry.isSent && { onNewDate: (date: Date) => storeDate(date.toISOString()) }),
      requestDate: new Date(entry.requestDate),
      retry: true,
    });
  }

  async function sendAll(signal: AbortSignal | undefined): Promise<QueuedResult[]> {
    const results: QueuedResult[] = [];
    // The position of the next entry in the storage. Others add entries meanwhile, but only this function removes some.
    let index = 0;
    for (const entry of await read()) {
      const { request, addedAt } = entry;
      if (Date.now() - addedAt > maxAgeMs) {
        await remove(index);
        const requestDate = new Date(entry.requestDate);
        const result = { outcome: 'tooOld', requestDate, requestId: undefined } as const;
        results.push({ request, isKept: false, result });
        continue;
      }
      const result = await sendOne(entry, index, signal);
      const next = nextStep(result);
      if (next === 'remove') await remove(index);
      else index++;
      results.push({ request, isKept: next !== 'remove', result });
      if (next === 'stop') break;
    }
    return results;
  }

  return {
    add: (request) =>
      change((entries) => [
        ...entries,
        {
          request,
          requestDate: now(session).toISOString(),
          addedAt: Date.now(),
          isSent: false,
        },
      ]),
    send: (signal) => sendInTurn(() => sendAll(signal)),
  };
}

/** What to do after an entry: remove it, skip it, or stop because the others would fare the same. */
function nextStep(result: Result<unknown>): 'remove' | 'skip' | 'stop' {
  if (result.outcome === 'success') return 'remove';
  if (result.outcome !== 'error' || result.error.retryable) return 'stop';
  if (result.error.code === 'ForbiddenException') return 'skip';
  // A date that was refused stays refused.
  return result.error.code === 'Unauthorized' && !isOfDate(result) ? 'stop' : 'remove';
}

/** Makes a function that runs what it is given one after the other. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(run: () => Promise<T>): Promise<T> => {
    const done = last.then(run);
    last = done.catch(() => undefined);
    return done;
  };
}
