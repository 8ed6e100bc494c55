import { logger } from '../../core/runtime/logger.ts';
import { Timeout } from '../../core/runtime/timeout.ts';

/**
 * Longest time for each piece of work, in milliseconds. The work takes about a tenth of that.
 * Lambda aborts an initialisation after ten seconds, and the caller whose request started the
 * function waits for it.
 */
const LIMIT_MS = 1000;

/**
 * Does what the first call would otherwise wait for while the function initialises: Lambda gives it
 * more CPU then than during its calls, and often starts it before there is a call. Never throws.
 * What fails, or is not done in time, is logged once and left to the first call.
 *
 * @param work by the names that the log gives it. Each must end when its signal aborts.
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
