import { parentPort } from 'node:worker_threads';
import { reviewOf } from './review.ts';
import type { ReviewTask } from './review-in-background.ts';

/* Reviews changes on a thread of its own. An exception ends it, and is the error of the call. */

parentPort?.on('message', ({ id, plan, drafted }: ReviewTask) => {
  parentPort?.postMessage({ id, review: JSON.stringify(reviewOf(plan, drafted)) });
});
