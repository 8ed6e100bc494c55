import { Worker } from 'node:worker_threads';
import type { Plan } from 'customer-data-api-operator';
import type { Content, Review } from '../page/src/types.ts';

/** What the worker gets. */
export interface ReviewTask {
  readonly id: number;
  readonly plan: Plan;
  readonly drafted?: Content | undefined;
}

interface Waiting {
  readonly resolve: (review: Omit<Review, 'command'>) => void;
  readonly reject: (error: unknown) => void;
}

let worker: Worker | undefined;
const waiting = new Map<number, Waiting>();
let tasks = 0;

/** Reviews a change on another thread: a large one takes seconds, in which others call the API. */
export function reviewInBackground(
  plan: Plan,
  drafted?: Content,
): Promise<Omit<Review, 'command'>> {
  worker ??= startWorker();
  const id = ++tasks;
  const { promise, resolve, reject } = Promise.withResolvers<Omit<Review, 'command'>>();
  waiting.set(id, { resolve, reject });
  worker.postMessage({ id, plan, drafted } satisfies ReviewTask);
  return promise;
}

function startWorker(): Worker {
  const started = new Worker(new URL('review-worker.ts', import.meta.url));
  started.on('message', ({ id, review }: { readonly id: number; readonly review: string }) => {
    waiting.get(id)?.resolve(JSON.parse(review));
    waiting.delete(id);
  });
  started.on('error', (error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    worker = undefined;
  });
  // Whoever waits for a response has a connection, which keeps the process alive.
  started.unref();
  return started;
}
