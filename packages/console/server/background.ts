import { Worker } from 'node:worker_threads';
import type { ParsedFile, Plan } from 'customer-data-api-editor/configurations';
import type { Tasks } from './background-worker.ts';
import type { DraftContent } from './review.ts';

/*
 * What a large configuration makes take seconds, in which others call the API: the review of a
 * change, and the parsing of a file. Another thread does both, one after the other. A message and
 * its answer are plain data.
 */

/** Reviews a change. */
export function reviewInBackground({ before, after, ...plan }: Plan, drafted?: DraftContent) {
  const message = { ...plan, before: before.raw, after: after.content };
  return inBackground('review', message, drafted);
}

/** Parses the text of a configuration file. */
export function parseInBackground(text: string): Promise<ParsedFile> {
  return inBackground('parse', text);
}

interface Waiting {
  readonly resolve: (output: never) => void;
  readonly reject: (error: unknown) => void;
}

let worker: Worker | undefined;
const waiting = new Map<number, Waiting>();
let messages = 0;

function inBackground<TName extends keyof Tasks>(
  name: TName,
  ...input: Parameters<Tasks[TName]>
): Promise<ReturnType<Tasks[TName]>> {
  worker ??= startWorker();
  const id = ++messages;
  const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Tasks[TName]>>();
  waiting.set(id, { resolve, reject });
  worker.postMessage({ id, name, input });
  return promise;
}

function startWorker(): Worker {
  const started = new Worker(new URL('background-worker.ts', import.meta.url));
  started.on('message', ({ id, output }: { readonly id: number; readonly output: string }) => {
    waiting.get(id)?.resolve(JSON.parse(output) as never);
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
