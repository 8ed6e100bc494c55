import { parentPort } from 'node:worker_threads';
import type { StoredContent } from 'customer-data-api/history';
import { type StoredConfiguration, storedConfiguration } from 'customer-data-api-operator';
import { reviewOf } from './review.ts';
import type { ReviewTask } from './review-in-background.ts';

/* Reviews changes on a thread of its own. An exception ends it, and is the error of the call. */

parentPort?.on('message', ({ id, plan, drafted }: ReviewTask) => {
  const [before, after] = [whole(plan.before), whole(plan.after)];
  const review = reviewOf({ ...plan, before, after }, drafted);
  parentPort?.postMessage({ id, review: JSON.stringify(review) });
});

/** A message loses the type of long numbers, so what operators write is made again. */
function whole<T extends StoredContent>(stored: StoredConfiguration<T>) {
  const { clientId, content, otherBytes, rollout } = stored;
  return { ...storedConfiguration(clientId, content), otherBytes, rollout };
}
