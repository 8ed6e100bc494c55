import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { type ClientSummary, PromoEventSummary } from './promo-event-summary.ts';
import type { Messages, ReceivedMessage, VisitedMessage } from './sqs-queue.ts';

/** Limits of a visit. Nothing else receives dead letters; a killed run hides them for 120 s. */
export const DEAD_LETTERS = { visibilityTimeoutSeconds: 120, maxStaying: 10_000 };

/** The longest content of a message that is returned, in characters. */
const MAX_CONTENT = 4000;

export interface RedriveOptions {
  /** True to move the promo events back to the queue. */
  readonly moves: boolean;
  /** Ids of messages to remove. They must not be promo events. */
  readonly removes?: readonly string[] | undefined;
  /** True to return the content of messages that are not promo events. */
  readonly inspects?: boolean | undefined;
  readonly onRead: (count: number) => void;
  /** Ends the run after the batches in flight. */
  readonly signal: AbortSignal;
}

/** The result of a run: what it found and did, even if a call failed then. */
export interface Redrive {
  /** The promo events that were moved or, without `moves`, found. */
  readonly promoEvents: readonly ClientSummary[];
  readonly others: readonly OtherMessage[];
  readonly removed: readonly string[];
  /** Messages that SQS refused to move or to delete. They remain. */
  readonly refused: readonly BatchResultErrorEntry[];
  /** Approximate numbers; undefined if a call failed. */
  readonly left?: Left;
  readonly failure?: unknown;
}

/** A message that is not a promo event, and remains. */
export interface OtherMessage {
  readonly messageId: string;
  readonly problem: string | undefined;
  /** With `inspects`, the beginning of its content. */
  readonly content?: string;
}

interface Left {
  /** Dead letters that were not read. */
  readonly unread: number;
  /** Unread ones that another receiver has in flight, if this run received none. */
  readonly inFlightElsewhere: number;
  /** Promo events in the queue. */
  readonly waiting: number;
}

/**
 * Reads the dead-letter queue and, on request, moves its promo events back to the queue. An event
 * is sent before its dead letter is deleted. A run that ends in between stores it twice, which
 * changes nothing. Messages without a promo event stay unless they are to be removed: they would
 * only return. The run can be repeated, and its memory does not grow with the queue.
 */
export async function redrive(
  queue: Messages,
  deadLetters: Messages,
  { moves, removes = [], inspects = false, onRead, signal }: RedriveOptions,
): Promise<Redrive> {
  const promoEvents = new PromoEventSummary();
  const others = new Map<string, OtherMessage>();
  const removed = new Set<string>();
  const refused: BatchResultErrorEntry[] = [];
  let read = 0;

  async function move(batch: readonly ReceivedMessage[]): Promise<readonly ReceivedMessage[]> {
    const sent = await queue.send(batch.filter(({ event }) => event));
    return remove(sent.accepted, sent.refused);
  }

  async function remove(
    chosen: readonly ReceivedMessage[],
    notSent: readonly BatchResultErrorEntry[] = [],
  ): Promise<readonly ReceivedMessage[]> {
    const deleted = await deadLetters.delete(chosen);
    refused.push(...notSent, ...deleted.refused);
    return deleted.accepted;
  }

  async function handle(batch: readonly VisitedMessage[]): Promise<readonly ReceivedMessage[]> {
    const moved = moves ? await move(batch) : [];
    for (const { event } of moves ? moved : batch.filter(({ isAgain }) => !isAgain)) {
      if (event) promoEvents.add(event);
    }
    const gone = await remove(
      batch.filter(({ messageId, event }) => removes.includes(messageId) && !event),
    );
    for (const { messageId, event, problem, body } of batch) {
      if (event) continue;
      const content = inspects ? { content: body.slice(0, MAX_CONTENT) } : {};
      others.set(messageId, { messageId, problem, ...content });
    }
    for (const { messageId } of gone) {
      others.delete(messageId);
      removed.add(messageId);
    }
    read += batch.length;
    onRead(read);
    return [...moved, ...gone];
  }

  async function countLeft(unread: number): Promise<Left> {
    const isAnyFound = promoEvents.clients().length + others.size + removed.size > 0;
    const inFlightElsewhere = isAnyFound ? 0 : (await deadLetters.count()).inFlight;
    const { waiting, inFlight } = await queue.count();
    return { unread: unread + inFlightElsewhere, inFlightElsewhere, waiting: waiting + inFlight };
  }

  const ending: Pick<Redrive, 'left' | 'failure'> = await deadLetters
    .visit({ ...DEAD_LETTERS, signal }, handle)
    .then(async ({ unread }) => ({ left: await countLeft(unread) }))
    .catch((failure: unknown) => ({ failure }));
  return {
    promoEvents: promoEvents.clients(),
    ...{ others: [...others.values()], removed: [...removed], refused, ...ending },
  };
}
