import { counted } from 'customer-data-api/configuration';
import type { IsErased } from 'customer-data-api/promo-events';
import { documentClient, sqsClient } from 'customer-data-api-deployment';
import { printable, suggested } from 'customer-data-api-deployment/program';
import type { Change, Context, Done, Shown } from '../change.ts';
import type { CommandContext } from '../run-change.ts';
import { erasureLookups } from './erase.ts';
import {
  type Content,
  type MovableEvent,
  type ReadLetters,
  type RedriveTask,
  type Run,
  readDeadLetters,
} from './read-dead-letters.ts';
import { type ReceivedPromoEvent, SqsQueue, type VisitedMessage } from './sqs-queue.ts';

interface RedriveOptions extends RedriveTask, Run {
  readonly isErased: IsErased;
}

/** The result of a run: what it found and did, even if a call failed then. */
export interface Redrive extends ReadLetters {
  /** Promo events in the queue, approximately; undefined if a call failed. */
  readonly waiting?: number;
}

interface StoredEvent extends MovableEvent {
  readonly message: ReceivedPromoEvent;
}

/** Runs `redrive` in a deployment. */
export async function redriveIn(
  {
    deployment: { outputs },
    signal,
    onCount,
  }: Pick<CommandContext, 'deployment' | 'signal' | 'onCount'>,
  task: RedriveTask,
): Promise<Redrive> {
  using documents = documentClient(outputs);
  using sqs = sqsClient(outputs);
  const queue = new SqsQueue(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new SqsQueue(sqs, outputs.PromoEventsDeadLetterQueueUrl);
  const isErased = (await erasureLookups(documents, outputs))();
  return await redrive(queue, deadLetters, { ...task, isErased, signal, onRead: onCount });
}

/**
 * Reads the dead-letter queue and, on request, moves its promo events back to the queue. An event
 * is sent before its dead letter is deleted. A run that ends in between stores it twice, which
 * changes nothing. Messages without a promo event stay unless they are to be removed: they would
 * only return.
 */
export async function redrive(
  queue: SqsQueue,
  deadLetters: SqsQueue,
  { isErased, ...options }: RedriveOptions,
): Promise<Redrive> {
  async function contentOf(message: VisitedMessage): Promise<Content<StoredEvent>> {
    if (!message.event) return { kind: 'unfit', problem: message.problem };
    const { clientId, receivedAt: time } = message.event;
    if (await isErased(message.event)) return { kind: 'erased' };
    return { kind: 'event', message, clientId, time };
  }

  const done = await readDeadLetters<StoredEvent>(
    {
      deadLetters,
      newReader: () => contentOf,
      move: async (events) => {
        const messages = events.map(({ content }) => content.message);
        const { accepted, refused } = await queue.send(messages);
        const [{ Code, Message } = {}] = refused;
        const reason = printable(`SQS refused it. ${Code}: ${Message}`);
        return {
          stays: messages.map((message) =>
            accepted.includes(message) ? undefined : { kind: 'kept', reason },
          ),
        };
      },
      isRemovable: ({ event }) => !event,
    },
    options,
    options,
  );
  // Without all letters read, the number would tell nothing.
  if (done.unread === undefined) return done;
  return await queue.length().then(
    (waiting) => ({ ...done, waiting }),
    (failure: unknown) => ({ ...done, failure: done.failure ?? failure }),
  );
}

/**
 * Removes all dead letters of the history. They are positions in a stream and name no client, so
 * there is nothing to choose from: the log names the clients.
 */
export const historyPurge: Change<
  Shown & { readonly deadLetters: number },
  Done & { readonly removed: number }
> = {
  isUnsigned: true,
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

/** Says what to do if there are too many dead letters to search. */
export function tooManyDeadLetters(): string {
  return `The dead-letter queue has too many messages to be searched. Move them back, and run it again when they are stored: ${suggested('queue', 'redrive')}`;
}

/** Says what to do if a search may have missed messages that somebody else has received. */
export function inFlightElsewhere(): string {
  return 'Messages in use elsewhere were not searched. Run it again in ten minutes.';
}

/** A line about requests in the queue, which has those that the table did not store. */
export function describeWaiting(count: number): string {
  if (count === 0) return 'No promo code waits in the queue.';
  const [they, them, are] = count === 1 ? ['It', 'it', 'is'] : ['They', 'them', 'are'];
  const requests = counted(count, 'request for a promo code', 'requests for promo codes');
  return `${requests} ${count === 1 ? 'waits' : 'wait'} in the queue, because the table did not store ${them}. ${they} ${are} tried again every two minutes.`;
}

/** A line about dead letters that nobody else can receive, for an operator who received none. */
export function describeInFlight(deadLetters: number): string {
  const are = deadLetters === 1 ? 'is' : 'are';
  return `${counted(deadLetters, 'dead letter')} ${are} in flight elsewhere. Look again in ten minutes.`;
}
