import {
  applyPromoCode,
  getConfig,
  promoCodeQueue,
  type QueuedResult,
} from '../../sdk/src/index.ts';
import type { PageInput } from './chromium.test.ts';

/*
 * Runs in a page of another origin than the API. It reports its results to the server that it came
 * from.
 */

const { session: input, request } = (await (await fetch('/input')).json()) as PageInput;
const session = { ...input, idToken: () => input.idToken };

const results = {
  config: await getConfig(session, { clientId: request.clientId }),
  refused: await getConfig({ ...session, appId: 'wrong' }, { clientId: request.clientId }),
  applied: await applyPromoCode(session, request, { retry: true }),
  queued: await sendQueued(),
  corrected: await withWrongClock(() =>
    applyPromoCode(session, { ...request, promoCode: 'CLOCK' }, { retry: true }),
  ),
  aborted: await getConfig(session, { clientId: 'demo' }, { signal: AbortSignal.abort() }),
};
await fetch('/results', { method: 'POST', body: JSON.stringify(results) });

async function sendQueued() {
  const results: QueuedResult[] = [];
  const options = {
    ...{ session, storage: localStorage, userId: request.userId },
    onResult: (result: QueuedResult) => results.push(result),
  };
  await promoCodeQueue(options).add({ ...request, promoCode: 'QUEUED' });
  await promoCodeQueue(options).send();
  return results;
}

/** Two days behind, which the service does not accept. */
async function withWrongClock<T>(run: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() - 48 * 60 * 60 * 1000;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}
