import { parentPort } from 'node:worker_threads';
import { type RawItem, readClient, StoredConfiguration } from 'customer-data-api/clients';
import { type Plan, parseDraft } from 'customer-data-api-editor/configurations';
import { type DraftContent, reviewForPage } from './review.ts';

/* The thread behind background.ts. An exception ends it, and is the error of the call. */

/** A plan with what is stored alone, of which the rest is made again. */
type PlainPlan = Omit<Plan, 'before' | 'after'> & {
  readonly before: RawItem;
  readonly after: Plan['after']['content'];
};

const tasks = {
  review: ({ before, after, ...plan }: PlainPlan, drafted?: DraftContent) =>
    reviewForPage(
      { ...plan, before: readClient(before), after: new StoredConfiguration(after) },
      drafted,
    ),
  parse: parseDraft,
};
export type Tasks = typeof tasks;

parentPort?.on('message', ({ id, name, input }) => {
  const task: (...input: unknown[]) => unknown = tasks[name as keyof Tasks] as never;
  parentPort?.postMessage({ id, output: JSON.stringify(task(...input)) });
});
