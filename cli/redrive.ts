import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { CommandError } from '../core/platform/command-error.ts';
import { sqsClient } from './aws-clients.ts';
import { describeRefused, Messages, type ReceivedMessage } from './messages.ts';
import type { Outputs } from './outputs.ts';

/** Batches processed at a time: a batch spends most of its time waiting for SQS. */
const WORKERS = 8;
/** Without `move`, messages stay in flight until the end, and SQS allows 120,000 of them per queue. */
const MAX_SHOWN = 10_000;
const PROGRESS_EVERY = 10_000;

export interface RedriveOptions {
  /** Moves the promo events back to the queue. */
  readonly move: boolean;
  readonly print: (line: string) => void;
  /** Without `move`, the approximate number of messages to read; 10,000 by default. */
  readonly maxShown?: number;
  /** With `move`, the number of events between two lines of progress; 10,000 by default. */
  readonly progressEvery?: number;
}

/**
 * Shows the dead-letter queue and, on request, moves its promo events back to the queue. An event is sent
 * before it is deleted, so a run that ends between the two stores it twice, which changes nothing. Messages without a
 * promo event stay, because they would only return.
 *
 * @throws CommandError when SQS refused some messages: these stay, the others were moved.
 * @throws what the SQS client throws. A run that failed or was killed can be repeated.
 */
export async function redrive(outputs: Outputs, options: RedriveOptions): Promise<void> {
  const { move, print, maxShown = MAX_SHOWN, progressEvery = PROGRESS_EVERY } = options;
  const sqs = sqsClient(outputs);
  const queue = new Messages(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl);

  const moved: ReceivedMessage[] = [];
  const staying = new Set<ReceivedMessage>();
  const refused: BatchResultErrorEntry[] = [];
  let isStopped = false;

  async function moveBatch(batch: readonly ReceivedMessage[]): Promise<void> {
    const sent = await queue.send(batch.filter(({ event }) => event));
    const deleted = await deadLetters.delete(sent.accepted);
    refused.push(...sent.refused, ...deleted.refused);
    for (const message of deleted.accepted) {
      staying.delete(message);
      moved.push(message);
      if (moved.length % progressEvery === 0) print(`Moved so far: ${moved.length}`);
    }
  }

  async function work(): Promise<void> {
    try {
      for await (const batch of deadLetters.receive()) {
        for (const message of batch) staying.add(message);
        if (move) await moveBatch(batch);
        else if (staying.size >= maxShown) isStopped = true;
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
    const unreadable = [...staying].filter(({ event }) => !event);
    const shown = move ? moved : [...staying].filter(({ event }) => event);
    for (const line of describe(shown, unreadable, move)) print(line);
    if (isStopped) {
      const { waiting } = await deadLetters.count();
      print(`About ${waiting} more messages were not read.`);
    }
    const { waiting, inFlight } = await queue.count();
    print(`In the queue, waiting to be stored: about ${waiting + inFlight}.`);
  } finally {
    // If this fails too, the messages can be received again in ten minutes.
    await deadLetters.release([...staying]).catch(() => {});
    sqs.destroy();
  }
  if (refused.length > 0) {
    throw new CommandError(`${describeRefused(refused)} Nothing is lost: run it again.`);
  }
}

function describe(
  events: readonly ReceivedMessage[],
  unreadable: readonly ReceivedMessage[],
  move: boolean,
): string[] {
  if (events.length + unreadable.length === 0) {
    return [move ? 'Nothing was moved.' : 'The dead-letter queue is empty.'];
  }
  const byClient = Map.groupBy(
    events.flatMap(({ event }) => event ?? []),
    ({ clientId }) => clientId,
  );
  return [
    `Promo events ${move ? 'moved back from' : 'in'} the dead-letter queue: ${events.length}`,
    ...[...byClient].map(([clientId, ofClient]) => {
      const received = ofClient.map(({ receivedAt }) => receivedAt).sort();
      const count = String(ofClient.length).padStart(6);
      return `  ${count}  ${clientId}, received ${received[0]} to ${received.at(-1)}`;
    }),
    ...unreadable.map(
      ({ message, problem }) =>
        `Message ${message.MessageId} is not a promo event and stays there: ${problem}`,
    ),
    ...(events.length > 0 && !move ? ['Move them back with --move once the cause is fixed.'] : []),
  ];
}
