import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { CommandError } from '../core/platform/command-error.ts';
import { sqsClient } from './aws-clients.ts';
import {
  describeRefused,
  type MessageInFlight,
  Messages,
  type ReceivedMessage,
} from './messages.ts';
import type { Outputs } from './outputs.ts';
import { PromoEventSummary } from './promo-event-summary.ts';

/** Batches processed at a time: a batch spends most of its time waiting for SQS. */
const WORKERS = 8;
/** The time for which a message is hidden from other runs. Nothing else receives dead letters. */
const VISIBILITY_TIMEOUT_SECONDS = 120;
/** Messages that stay are in flight until the end, and SQS allows 120,000 of them per queue. */
const MAX_STAYING = 10_000;
const PROGRESS_EVERY = 10_000;
/** The longest content of a message that is shown, in characters. */
const MAX_CONTENT = 4000;

export interface RedriveOptions {
  /** Moves the promo events back to the queue. */
  readonly move: boolean;
  /** Shows the content of messages that are not promo events. */
  readonly inspect?: boolean | undefined;
  /** The ids of messages to remove. They must not be promo events. */
  readonly remove?: readonly string[] | undefined;
  readonly print: (line: string) => void;
  /** Ends the run after the batches in flight. */
  readonly signal?: AbortSignal;
  /** The approximate number of messages that stay after which no more are read; 10,000 by default. */
  readonly maxStaying?: number;
  /** With `move`, the number of events between two lines of progress; 10,000 by default. */
  readonly progressEvery?: number;
}

/**
 * Shows the dead-letter queue and, on request, moves its promo events back to the queue. An event is sent
 * before it is deleted, so a run that ends between the two stores it twice, which changes nothing. Messages without a
 * promo event stay unless they are to be removed, because they would only return. The memory that it needs does not
 * depend on the number of messages.
 *
 * @throws CommandError when SQS refused some messages: these stay, the others were moved. Also when a message that is to
 *   be removed is a promo event or was not found, and when the signal ended the run.
 * @throws what the SQS client throws. A run that failed or was killed can be repeated.
 */
export async function redrive(outputs: Outputs, options: RedriveOptions): Promise<void> {
  const { move, inspect = false, remove = [], print, signal } = options;
  const { maxStaying = MAX_STAYING, progressEvery = PROGRESS_EVERY } = options;
  const sqs = sqsClient(outputs);
  const queue = new Messages(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl);

  const shown = new PromoEventSummary();
  // By message id: after the visibility timeout, a message is received again, with another receipt handle.
  const others = new Map<string, OtherMessage>();
  const staying = new Map<string, MessageInFlight>();
  const refused: BatchResultErrorEntry[] = [];
  const removed = new Set<string>();
  let isStopped = false;

  async function moveBatch(batch: readonly ReceivedMessage[]): Promise<void> {
    const sent = await queue.send(batch.filter(({ event }) => event));
    const deleted = await deadLetters.delete(sent.accepted);
    refused.push(...sent.refused, ...deleted.refused);
    for (const { messageId, event } of deleted.accepted) {
      staying.delete(messageId);
      if (event) shown.add(event);
      if (shown.count % progressEvery === 0) print(`Moved so far: ${shown.count}`);
    }
  }

  async function removeFrom(batch: readonly ReceivedMessage[]): Promise<void> {
    const chosen = batch.filter(({ messageId, event }) => remove.includes(messageId) && !event);
    const deleted = await deadLetters.delete(chosen);
    refused.push(...deleted.refused);
    for (const { messageId } of deleted.accepted) {
      staying.delete(messageId);
      others.delete(messageId);
      removed.add(messageId);
    }
  }

  async function work(): Promise<void> {
    try {
      for await (const batch of deadLetters.receive(VISIBILITY_TIMEOUT_SECONDS, signal)) {
        // Without their content: all of them together could exceed the memory.
        for (const { messageId, receiptHandle, event } of batch) {
          if (event && !move && !staying.has(messageId)) shown.add(event);
          staying.set(messageId, { messageId, receiptHandle });
        }
        if (move) await moveBatch(batch);
        if (remove.length > 0) await removeFrom(batch);
        for (const { event, messageId, problem, body } of batch) {
          if (event || removed.has(messageId)) continue;
          others.set(messageId, {
            messageId,
            problem,
            ...(inspect && { content: body.slice(0, MAX_CONTENT) }),
          });
        }
        if (staying.size >= maxStaying) isStopped = true;
        if (isStopped) return;
      }
    } catch (error) {
      isStopped = true;
      throw error;
    }
  }

  try {
    const workers = await Promise.allSettled(Array.from({ length: WORKERS }, work));
    for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
    for (const line of describe(shown, [...others.values()], move)) print(line);
    for (const messageId of removed) print(`Removed message ${messageId}.`);
    if (isStopped) {
      const { waiting } = await deadLetters.count();
      print(`About ${waiting} more messages were not read.`);
    }
    const { waiting, inFlight } = await queue.count();
    print(`In the queue, waiting to be stored: about ${waiting + inFlight}.`);
  } finally {
    // If this fails too, the messages can be received again in two minutes.
    await deadLetters.release([...staying.values()]).catch(() => {});
    sqs.destroy();
  }
  if (refused.length > 0) {
    throw new CommandError(`${describeRefused(refused)} Nothing is lost: run it again.`);
  }
  if (signal?.aborted) throw new CommandError('Interrupted. Nothing is lost: run it again.');
  const missed = remove.filter((messageId) => !removed.has(messageId));
  if (missed.length > 0) {
    throw new CommandError(
      `Not removed, because they are promo events or are not in the dead-letter queue: ${missed.join(', ')}`,
    );
  }
}

/** A message that is not a promo event. */
interface OtherMessage {
  readonly messageId: string;
  readonly problem: string | undefined;
  /** Only if it is to be shown. */
  readonly content?: string;
}

function describe(
  events: PromoEventSummary,
  others: readonly OtherMessage[],
  move: boolean,
): string[] {
  if (events.count + others.length === 0) {
    return [move ? 'Nothing was moved.' : 'The dead-letter queue is empty.'];
  }
  return [
    `Promo events ${move ? 'moved back from' : 'in'} the dead-letter queue: ${events.count}`,
    ...events.lines(),
    ...others.flatMap(({ messageId, problem, content }) => [
      `Message ${messageId} is not a promo event and stays there: ${problem}`,
      // As JSON, so that a terminal does not interpret it.
      ...(content === undefined ? [] : [`  ${JSON.stringify(content)}`]),
    ]),
    ...(events.count > 0 && !move ? ['Move them back with --move once the cause is fixed.'] : []),
  ];
}
