import { acceptLanguage } from './languages.ts';
import type { Path } from './openapi.ts';
import { type Answer, canRetryHelp, REQUEST_DATE, sendOnce } from './send-once.ts';
import { TIMEOUT_MS, within } from './time-limit.ts';
import type { MaybePromise, RequestOptions, Result, Session, Token } from './types.ts';

const RETRY_MS = 60_000;
/** Longest first pause, in milliseconds. It doubles with each retry, up to `MAX_PAUSE_MS`. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;

/** The lead of the server's clock over ours, and if the service has accepted a date with it. */
interface Clock {
  readonly offsetMs: number;
  isRight?: boolean;
}

const clocks = new WeakMap<Session, Clock>();

/** Returns the current time, corrected by the clock of earlier responses. */
export function now(session: Session): Date {
  return new Date(Date.now() + (clocks.get(session)?.offsetMs ?? 0));
}

export interface SendOptions extends RequestOptions {
  /** The value of `Installation-Id`. */
  readonly installationId?: MaybePromise<string | undefined>;
  /**
   * Called before the request is sent once more. It is sent if this resolves to true.
   */
  readonly mayResend?: (requestDate: Date) => Promise<boolean>;
  /** Pauses before a retry, or resolves to false if there is none. Replaces `retryMs`. */
  readonly mayRetry?: ReturnType<typeof retries>;
}

/** Refreshes in flight. A concurrent one would use a refresh token that is already replaced. */
const refreshes = new WeakMap<Session, Promise<void>>();

/**
 * Sends a request and, with `retry`, sends it again. Rejects only if `mayResend` does. Returns the
 * last answer.
 */
export async function send<TData>(
  session: Session,
  path: Path,
  body: object,
  {
    signal,
    retry,
    retryMs,
    requestDate,
    installationId,
    mayResend,
    mayRetry = retries(retryMs),
  }: SendOptions = {},
): Promise<Answer<TData>> {
  const language = acceptLanguage(session);
  const parts = { path, body, language, installationId: await installationId, signal };
  let date = requestDate ?? now(session);
  let clock = requestDate ? undefined : clocks.get(session);
  let mayCorrectDate = true;
  let mayRefresh = true;
  for (;;) {
    const answer = await sendOnce<TData>(session, { ...parts, requestDate: date });
    const { result, serverTime, retryAfterMs, idToken } = answer;
    if (clock && result.outcome === 'success') clock.isRight = true;
    const isRefused = isDateRefused(result);
    if (isRefused) learn(session, clock, serverTime);
    if (!retry || signal?.aborted) return answer;

    if (result.outcome === 'tokenExpired' && session.refreshTokens && mayRefresh) {
      mayRefresh = false;
      try {
        await refresh(session, idToken, signal);
      } catch {
        return answer;
      }
    } else if (mayCorrectDate && isRefused) {
      mayCorrectDate = false;
      date = now(session);
      clock = clocks.get(session);
    } else if (!canRetryHelp(result) || !(await mayRetry(signal, retryAfterMs))) return answer;
    if (mayResend && !(await mayResend(date))) return answer;
  }
}

/**
 * Learns from the refusal of a date how far the clock is off. A lead that the service has never
 * accepted is forgotten when it is refused: the `Date` of its response may be that of a proxy.
 *
 * @param used the clock of the date; undefined if it was not corrected.
 */
function learn(session: Session, used: Clock | undefined, serverTime: number | undefined): void {
  if (used && !used.isRight && used === clocks.get(session)) clocks.delete(session);
  else if (serverTime !== undefined) clocks.set(session, { offsetMs: serverTime - Date.now() });
}

/**
 * Returns a function that pauses before each retry, at least for the time that the server asked
 * for. It resolves to false if no time is left for the pause, or if the signal aborts.
 */
export function retries(
  retryMs: number = RETRY_MS,
): (signal: AbortSignal | undefined, retryAfterMs: number) => Promise<boolean> {
  const end = elapsed() + retryMs;
  let maxPause = FIRST_PAUSE_MS;
  return async (signal, retryAfterMs) => {
    // Full jitter: phones that lost their connection together must not return together.
    const pause = Math.random() * maxPause;
    maxPause = Math.min(2 * maxPause, MAX_PAUSE_MS);
    if (signal?.aborted || elapsed() + retryAfterMs + pause > end) return false;
    if (retryAfterMs > 0) await wait(retryAfterMs, signal);
    await wait(pause, signal, PAGE);
    return !signal?.aborted;
  };
}

/**
 * True if the service refused the date, of whatever reason: its format is right, so the clock is
 * wrong, or the date too old.
 */
function isDateRefused(result: Result<unknown>): boolean {
  return result.outcome === 'error' && result.errors.some(({ header }) => header === REQUEST_DATE);
}

/** Returns a time in milliseconds that ignores changes of the clock, if the platform has one. */
export function elapsed(): number {
  return globalThis.performance?.now() ?? Date.now();
}

/** Refreshes the tokens, or waits for the refresh in flight, until the signal aborts. */
function refresh(session: Session, expired: Token, signal: AbortSignal | undefined): Promise<void> {
  const refreshOnce = async () => {
    // Another request may have replaced this token since.
    if ((await session.idToken()) === expired) await session.refreshTokens?.();
  };
  const running =
    refreshes.get(session) ??
    within(TIMEOUT_MS, refreshOnce).finally(() => refreshes.delete(session));
  refreshes.set(session, running);
  return within(TIMEOUT_MS, () => running, signal);
}

type Page = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/** The page that the app runs in, if it is one. */
export const PAGE: Partial<Page> = globalThis as object;

/** Waits until the time is over, the signal aborts, or the page is online again. */
export function wait(
  milliseconds: number,
  signal: AbortSignal | undefined,
  page?: Partial<Page>,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      page?.removeEventListener?.('online', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
    page?.addEventListener?.('online', done);
  });
}
