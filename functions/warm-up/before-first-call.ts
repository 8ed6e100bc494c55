import { logger } from '../../core/runtime/logger.ts';
import { Timeout } from '../../core/runtime/timeout.ts';

/**
 * Timeout per task, ten times its usual duration: a caller may be waiting for the initialisation,
 * and Lambda aborts it after ten seconds.
 */
const LIMIT_MS = 1000;

/**
 * Runs the warm-up while the function initialises. Lambda then provides more CPU than during calls,
 * and often starts a function before there is a call. Never throws: work that fails or takes too
 * long is logged once and left to the first call.
 *
 * @param work by name, for the log. Each must end when its signal aborts.
 */
export async function beforeFirstCall(
  work: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>,
): Promise<void> {
  await Promise.all(
    Object.entries(work).map(async ([name, run]) => {
      using timeout = new Timeout(LIMIT_MS);
      try {
        await run(timeout.signal);
      } catch (error) {
        logger.warn('The first call was not prepared', { work: name, error });
      }
    }),
  );
}
