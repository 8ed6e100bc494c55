import type { paths } from './openapi.ts';
import { type Answer, canRetryHelp, REQUEST_DATE, sendOnce, timeLimit } from './send-once.ts';
import type { RequestOptions, Result, Session } from './types.ts';

const RETRY_MS = 60_000;
/** Longest first pause, in milliseconds. It doubles with each retry, up to `MAX_PAUSE_MS`. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;

/** The lead of the server's clock over ours, in milliseconds. */
const clockOffsets = new WeakMap<Session, number>();

/** Returns the current time, corrected by the clock of earlier responses. */
export function now(session: Session): Date {
  return new Date(Date.now() + (clockOffsets.get(session) ?? 0));
}

export interface SendOptions extends RequestOptions {
  /**
   * Called before the request is sent with a corrected date. Without it, a given `requestDate` is
   * not corrected: an earlier attempt may have been accepted.
   */
  readonly onNewDate?: (requestDate: Date) => Promise<void>;
}

/** Refreshes in flight. A concurrent one would use a refresh token that is already replaced. */
const refreshes = new WeakMap<Session, Promise<void>>();

/**
 * Sends a request and, with `retry`, sends it again. Rejects only if `onNewDate` does.
 *
 * @returns the last answer. Its `mayBeAccepted` covers all attempts.
 */
export async function send<TData>(
  session: Session,
  path: keyof paths,
  body: object,
  { signal, retry, retryMs, requestDate, onNewDate }: SendOptions = {},
): Promise<Answer<TData>> {
  const mayRetry = retries(retryMs);
  let date = requestDate ?? now(session);
  let mayCorrectDate = !requestDate || onNewDate !== undefined;
  let mayBeAccepted = false;
  let mayRefresh = true;
  for (;;) {
    const message = { path, body, requestDate: date, signal };
    const answer = await sendOnce<TData>(session, message);
    const { result, serverTime } = answer;
    mayBeAccepted ||= answer.mayBeAccepted;
    const last = { ...answer, mayBeAccepted };
    if (!retry || signal?.aborted) return last;

    if (result.outcome === 'tokenExpired' && session.refreshTokens && mayRefresh) {
      mayRefresh = false;
      try {
        await refresh(session, session.refreshTokens, signal);
        continue;
      } catch {
        return last;
      }
    }
    if (isDateRefused(result) && mayCorrectDate && !mayBeAccepted && serverTime !== undefined) {
      mayCorrectDate = false;
      clockOffsets.set(session, serverTime - Date.now());
      date = now(session);
      await onNewDate?.(date);
      continue;
    }

    if (!canRetryHelp(result) || !(await mayRetry(signal))) return last;
  }
}

/**
 * Returns a function that pauses before each retry. It resolves to false if no time is left for the
 * pause, or if the signal aborts.
 */
export function retries(retryMs = RETRY_MS): (signal: AbortSignal | undefined) => Promise<boolean> {
  const end = elapsed() + retryMs;
  let maxPause = FIRST_PAUSE_MS;
  return async (signal) => {
    // Full jitter: phones that lost their connection together must not return together.
    const pause = Math.random() * maxPause;
    maxPause = Math.min(2 * maxPause, MAX_PAUSE_MS);
    if (signal?.aborted || elapsed() + pause > end) return false;
    await wait(pause, signal);
    return !signal?.aborted;
  };
}

/** True if the service refused the date of the request because of the clock. */
export function isDateRefused(result: Result<unknown>): boolean {
  // A service before release 0.2 gives no reason.
  return (
    result.outcome === 'error' &&
    result.errors.some(
      ({ header, reason = 'wrongClock' }) => header === REQUEST_DATE && reason === 'wrongClock',
    )
  );
}

/** Returns a time in milliseconds that ignores changes of the clock, if the platform has one. */
function elapsed(): number {
  return globalThis.performance?.now() ?? Date.now();
}

/** Refreshes the tokens, or waits for the refresh in flight, until the signal aborts. */
async function refresh(
  session: Session,
  refreshTokens: () => unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const running = refreshes.get(session) ?? refreshWithinLimit(session, refreshTokens);
  const limit = timeLimit(signal);
  try {
    await limit.race(() => running);
  } finally {
    limit.clear();
  }
}

function refreshWithinLimit(session: Session, refreshTokens: () => unknown): Promise<void> {
  const limit = timeLimit(undefined);
  const running = limit
    .race(async () => void (await refreshTokens.call(session)))
    .finally(() => {
      limit.clear();
      refreshes.delete(session);
    });
  refreshes.set(session, running);
  return running;
}

/** Waits until the time is over, the signal aborts, or the browser is online again. */
function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const page = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      page.removeEventListener?.('online', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
    page.addEventListener?.('online', done);
  });
}
