import { sqsClient } from 'customer-data-api-deployment';
import type { Change, Context, Done, Shown } from '../change.ts';
import { SqsQueue } from './sqs-queue.ts';

/**
 * Removes all dead letters of the history. They are positions in a stream and name no client, so
 * there is nothing to choose from: the log names the clients.
 */
export const historyPurge: Change<
  Shown & { readonly deadLetters: number },
  Done & { readonly removed: number }
> = {
  async show({ deployment }) {
    using sqs = sqsClient(deployment.outputs);
    const deadLetters = await queueOf(sqs, deployment).length();
    return { deadLetters, hasEffect: deadLetters > 0 };
  },
  async apply({ deployment }, { deadLetters }) {
    using sqs = sqsClient(deployment.outputs);
    await queueOf(sqs, deployment).purge();
    return { removed: deadLetters };
  },
};

function queueOf(sqs: ReturnType<typeof sqsClient>, { outputs }: Context['deployment']): SqsQueue {
  return new SqsQueue(sqs, outputs.ConfigVersionsDeadLetterQueueUrl);
}
