import type { MaybePromise } from './types.ts';

/** The service answers within 20 seconds. */
export const TIMEOUT_MS = 25_000;
/** A storage can hang. */
export const STORAGE_MS = 10_000;

/**
 * Settles as `run` does, or rejects when the time is over or `outer` aborts, whatever `run` does
 * with its signal. Replaces `AbortSignal.any`, which React Native lacks.
 */
export function within<T>(
  ms: number,
  run: (signal: AbortSignal) => MaybePromise<T>,
  outer?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const clear = () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', end);
    };
    const end = () => {
      clear();
      // The signals of React Native have no reason.
      const reason = outer?.reason ?? new Error('Aborted or timed out.');
      controller.abort(reason);
      reject(reason);
    };
    const timer = setTimeout(end, ms);
    outer?.addEventListener('abort', end);
    if (outer?.aborted) return end();
    // One that throws rejects, too.
    const running = new Promise<T>((settle) => settle(run(controller.signal)));
    void running.then(resolve, reject).then(clear);
  });
}
