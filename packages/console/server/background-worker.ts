import { parentPort } from 'node:worker_threads';
import type { StoredContent } from 'customer-data-api/history';
import {
  type ClientConfiguration,
  type Plan,
  parseDraft,
  storedConfiguration,
} from 'customer-data-api-operator';
import { type DraftContent, reviewForPage } from './review.ts';

/* The thread behind background.ts. An exception ends it, and is the error of the call. */

type Plain<T> = Omit<T, 'written' | 'fields'>;
type PlainPlan = Omit<Plan, 'before' | 'after'> &
  Readonly<{ before: Plain<Plan['before']>; after: Plain<Plan['after']> }>;

const tasks = {
  review: (plan: PlainPlan, drafted?: DraftContent) =>
    reviewForPage({ ...plan, before: whole(plan.before), after: whole(plan.after) }, drafted),
  parse: parseDraft,
};
export type Tasks = typeof tasks;

/** Makes again what operators write. */
function whole<T extends StoredContent>(stored: Plain<ClientConfiguration<T>>) {
  return { ...stored, ...storedConfiguration(stored.clientId, stored.content) };
}

parentPort?.on('message', ({ id, name, input }) => {
  const task: (...input: unknown[]) => unknown = tasks[name as keyof Tasks] as never;
  parentPort?.postMessage({ id, output: JSON.stringify(task(...input)) });
});
