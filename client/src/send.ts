import { HEADERS } from '../../functions/api/request-headers.ts';
import type { paths } from './openapi.ts';
import { sendOnce } from './send-once.ts';
import type { RequestOptions, Result, Session } from './types.ts';

const RETRY_MS = 60_000;
/** The longest pause before the first retry, in milliseconds. It doubles each time, up to `MAX_PAUSE_MS`. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;

/** How far the server's clock is ahead of ours, in milliseconds. */
const clockOffsets = new WeakMap<Session, number>();

/** The current time, corrected by what a response said about the clock. */
export function now(session: Session): Date {
  return new Date(Date.now() + (clockOffsets.get(session) ?? 0));
}

export interface SendOptions extends RequestOptions {
  /**
   * Called before the request is sent under a corrected date. Without it, a `requestDate` that was passed is not corrected:
   * an attempt that is not known here may have been accepted.
   */
  readonly onNewDate?: (requestDate: Date) => Promise<void>;
}

/** Sends a request, and with `retry` again. Rejects only if `onNewDate` does. */
export async function send<TData>(
  session: Session,
  path: keyof paths,
  body: object,
  { signal, retry, retryMs = RETRY_MS, requestDate, onNewDate }: SendOptions = {},
): Promise<Result<TData>> {
  const end = Date.now() + retryMs;
  let date = requestDate ?? now(session);
  let mayCorrectDate = !requestDate || onNewDate !== undefined;
  let mayRefresh = true;
  let maxPause = FIRST_PAUSE_MS;
  for (;;) {
    const message = { path, body, requestDate: date, signal };
    const { result, serverTime } = await sendOnce<TData>(session, message);
    if (!retry || signal?.aborted) return result;

    if (result.outcome === 'tokenExpired' && session.refreshTokens && mayRefresh) {
      mayRefresh = false;
      try {
        await session.refreshTokens();
        continue;
      } catch {
        return result;
      }
    }
    if (isOfDate(result) && mayCorrectDate && serverTime !== undefined) {
      mayCorrectDate = false;
      clockOffsets.set(session, serverTime - Date.now());
      date = now(session);
      await onNewDate?.(date);
      continue;
    }

    if (!canRetryHelp(result)) return result;
    // The service may have accepted this attempt.
    mayCorrectDate = false;
    // Full jitter: phones that lost their connection together do not come back together.
    const pause = Math.random() * maxPause;
    maxPause = Math.min(2 * maxPause, MAX_PAUSE_MS);
    if (Date.now() + pause > end) return result;
    await wait(pause, signal);
    if (signal?.aborted) return result;
  }
}

/** Whether the service refused the date of the request. */
export function isOfDate(result: Result<unknown>): boolean {
  const { name } = HEADERS.requestDate;
  return result.outcome === 'error' && result.errors.some(({ header }) => header === name);
}

function canRetryHelp(result: Result<unknown>): boolean {
  return (
    result.outcome === 'noAnswer' ||
    result.outcome === 'notUnderstood' ||
    (result.outcome === 'error' && result.error.retryable)
  );
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}
