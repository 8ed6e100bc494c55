import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import {
  MAX_STAYING,
  type MessageInFlight,
  Messages,
  type ReceivedMessage,
} from '../../../admin/promo-events/sqs-queue.ts';
import { counted } from '../../../core/text.ts';
import { UserError } from '../../../core/user-error.ts';
import { sqsClient } from '../../deployment/aws-clients.ts';
import type { Outputs } from '../../deployment/outputs.ts';
import { describeInFlight, describeRefused } from '../../queue-sentences.ts';
import type { ProgressBar, StartProgress } from '../../terminal/progress.ts';
import { PromoEventSummary } from './promo-event-summary.ts';

/** The time for which a message is hidden from other runs. Nothing else receives dead letters. */
const VISIBILITY_TIMEOUT_SECONDS = 120;
/** The longest content of a message that is shown, in characters. */
const MAX_CONTENT = 4000;

export interface RedriveOptions {
  /** Moves the promo events back to the queue. */
  readonly move: boolean;
  /** Shows the content of messages that are not promo events. */
  readonly inspect?: boolean | undefined;
  /** The ids of messages to remove. They must not be promo events. */
  readonly remove?: readonly string[] | undefined;
  /** Prints one JSON document instead of sentences. */
  readonly json?: boolean | undefined;
  /** Prints a line of the result. */
  readonly print: (line: string) => void;
  /** Prints a line that is not part of the result. */
  readonly note: (line: string) => void;
  /** Ends the run after the batches in flight. */
  readonly signal: AbortSignal;
  readonly progress: StartProgress;
}

/**
 * Shows the dead-letter queue and, on request, moves its promo events back to the queue. An event is sent
 * before it is deleted, so a run that ends between the two stores it twice, which changes nothing. Messages without a
 * promo event stay unless they are to be removed, because they would only return. The memory that it needs does not
 * depend on the number of messages.
 *
 * @returns the number of promo events that it found.
 * @throws UserError when SQS refused some messages: these stay, the others were moved. Also when a message that is to
 *   be removed is a promo event or was not found, and when the signal ended the run.
 * @throws what the SQS client throws. A run that failed or was killed can be repeated.
 */
export async function redrive(outputs: Outputs, options: RedriveOptions): Promise<number> {
  const { move, inspect = false, remove = [], json, print, note, signal, progress } = options;
  const sqs = sqsClient(outputs);
  const queue = new Messages(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl);

  const shown = new PromoEventSummary();
  // By message id: after the visibility timeout, a message is received again, with another receipt handle.
  const others = new Map<string, OtherMessage>();
  const staying = new Map<string, MessageInFlight>();
  const refused: BatchResultErrorEntry[] = [];
  const removed = new Set<string>();
  let read = 0;
  let left: Left | undefined;
  const isAnyFound = () => shown.count + others.size + removed.size > 0;
  const found = () => ({ events: shown, others: [...others.values()], removed: [...removed] });

  async function moveBatch(batch: readonly ReceivedMessage[]): Promise<void> {
    const sent = await queue.send(batch.filter(({ event }) => event));
    const deleted = await deadLetters.delete(sent.accepted);
    refused.push(...sent.refused, ...deleted.refused);
    for (const { messageId, event } of deleted.accepted) {
      staying.delete(messageId);
      if (event) shown.add(event);
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

  async function handle(batch: readonly ReceivedMessage[], bar: ProgressBar): Promise<boolean> {
    // Without their content: all of them together could exceed the memory.
    for (const { messageId, receiptHandle, event } of batch) {
      if (event && !move && !staying.has(messageId)) shown.add(event);
      staying.set(messageId, { messageId, receiptHandle });
    }
    if (move) await moveBatch(batch);
    await removeFrom(batch);
    for (const { event, messageId, problem, body } of batch) {
      if (event || removed.has(messageId)) continue;
      others.set(messageId, {
        messageId,
        problem,
        ...(inspect && { content: body.slice(0, MAX_CONTENT) }),
      });
    }
    read += batch.length;
    bar.show(read);
    return staying.size < MAX_STAYING;
  }

  async function readAll(): Promise<boolean> {
    using bar = progress('Dead letters read');
    return await deadLetters.forEachBatch(VISIBILITY_TIMEOUT_SECONDS, signal, (batch) =>
      handle(batch, bar),
    );
  }

  try {
    let isStopped: boolean;
    // What was done is said even if a call fails then.
    try {
      isStopped = await readAll();
    } finally {
      if (!json && isAnyFound()) for (const line of describe(found(), move)) print(line);
    }
    const letters = await deadLetters.count();
    const elsewhere = isAnyFound() ? 0 : letters.inFlight;
    if (elsewhere > 0) note(describeInFlight(elsewhere));
    else if (!isAnyFound()) note(move ? 'Nothing was moved.' : 'The dead-letter queue is empty.');
    const unread = isStopped ? letters.waiting : elsewhere;
    const { waiting, inFlight } = await queue.count();
    left = { unread, waiting: waiting + inFlight };
    if (!json) for (const line of describeLeft(left)) print(line);
  } finally {
    if (json) print(JSON.stringify(asJson(found(), left, options)));
    // If this fails too, the messages can be received again in two minutes.
    await deadLetters.release([...staying.values()]).catch(() => {});
    sqs.destroy();
  }
  if (refused.length > 0) {
    throw new UserError(`${describeRefused(refused)} Nothing is lost: run it again.`, 'incomplete');
  }
  if (signal.aborted)
    throw new UserError('Interrupted. Nothing is lost: run it again.', 'interrupted');
  const missed = remove.filter((messageId) => !removed.has(messageId));
  if (missed.length > 0) {
    throw new UserError(
      `Not removed, because they are promo events or are not in the dead-letter queue: ${missed.join(', ')}`,
      'incomplete',
    );
  }
  return shown.count;
}

/** A message that is not a promo event. */
interface OtherMessage {
  readonly messageId: string;
  readonly problem: string | undefined;
  /** Only if it is to be shown. */
  readonly content?: string;
}

/** What a run found and did. */
interface Found {
  readonly events: PromoEventSummary;
  readonly others: readonly OtherMessage[];
  /** The ids of the removed messages. */
  readonly removed: readonly string[];
}

/** About how many messages are left, for the next run and for the function that stores them. */
interface Left {
  /** Dead letters that were not read. */
  readonly unread: number;
  /** Events in the queue. */
  readonly waiting: number;
}

function describe({ events, others, removed }: Found, move: boolean): string[] {
  return [
    `Promo events ${move ? 'moved back from' : 'in'} the dead-letter queue: ${events.count}`,
    ...events.lines(),
    ...others.flatMap(({ messageId, problem, content }) => [
      `Message ${messageId} is not a promo event and stays: ${problem}`,
      // As JSON, which shows where it ends.
      ...(content === undefined ? [] : [`  ${JSON.stringify(content)}`]),
    ]),
    ...removed.map((messageId) => `Removed message ${messageId}.`),
  ];
}

function describeLeft({ unread, waiting }: Left): string[] {
  return [
    ...(unread > 0 ? [`Not read: about ${counted(unread, 'more message')}.`] : []),
    `In the queue, waiting to be stored: about ${waiting}.`,
  ];
}

/** Counts that are not known, because a call failed, are null. */
function asJson(
  { events, others, removed }: Found,
  left: Left | undefined,
  { move, remove }: Pick<RedriveOptions, 'move' | 'remove'>,
): object {
  const { unread, waiting } = left ?? { unread: null, waiting: null };
  return {
    ...(move && { moved: events.clients() }),
    ...(remove && { removed }),
    deadLetters: { ...(!move && { promoEvents: events.clients() }), others, unread },
    queue: { waiting },
  };
}
