import { queueClient } from '../../packages/deployment/local/aws-clients.ts';
import type { LocalOutputs } from '../../packages/deployment/local/outputs-file.ts';
import { queuesOf } from '../../packages/on-call/promo-events/dead-letters.ts';

type Queues = ReturnType<typeof queuesOf>['stored'];

/** Lets SQS move the dead letters again and again, as `queue redrive` does, also in vain. */
export type Redriver = ReturnType<typeof startRedriver>;

/** Starts to let SQS move dead letters at intervals, until it is disposed of. */
export function startRedriver(outputs: LocalOutputs, everyMs: number) {
  const sqs = queueClient(outputs.SqsEndpoint);
  const { stored, published } = queuesOf(sqs, { outputs });
  const moved = { stored: 0, published: 0 };
  const moveBoth = async () => {
    const [unstored, unpublished] = [await move(stored), await move(published)];
    moved.stored += unstored;
    moved.published += unpublished;
  };
  // The last one may find that the service has stopped.
  const timer = setInterval(() => void moveBoth().catch(() => {}), everyMs);
  return {
    /** The number of dead letters that SQS was asked to move. One can come back. */
    moved,
    /** The number of messages that are still to be published, with the dead letters. */
    unpublished: async () =>
      (await published.queue.length()) + (await published.deadLetters.length()),
    [Symbol.dispose]: () => {
      clearInterval(timer);
      sqs.destroy();
    },
  };
}

async function move({ queue, deadLetters }: Queues): Promise<number> {
  const { waiting } = await deadLetters.count();
  if (waiting === 0 || (await deadLetters.newestMove())?.Status === 'RUNNING') return 0;
  await deadLetters.startMove(queue);
  return waiting;
}
