import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import type { IsErased, PromoEvent } from 'customer-data-api/promo-events';
import type { ReceivedMessage, ReceivedPromoEvent, SqsQueue, VisitedMessage } from './sqs-queue.ts';

/** Limits of a visit. Nothing else receives dead letters; a killed run hides them for 120 s. */
export const DEAD_LETTERS = { visibilityTimeoutSeconds: 120, maxStaying: 10_000 };

/** The longest content of a message that is returned, in characters. */
const MAX_CONTENT = 4000;

export interface RedriveOptions {
  readonly isErased: IsErased;
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

/** The number of a client's promo events, with the first and the last time of receipt. */
interface ClientSummary {
  readonly clientId: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

/** The result of a run: what it found and did, even if a call failed then. */
export interface Redrive {
  /** The promo events that were moved or, without `moves`, found. */
  readonly promoEvents: readonly ClientSummary[];
  /** Promo events of erased users that were deleted or, without `moves`, found. */
  readonly erased: number;
  readonly others: readonly OtherMessage[];
  readonly removed: readonly string[];
  /** Messages that SQS refused to move or to delete. They remain. */
  readonly refused: readonly BatchResultErrorEntry[];
  /** Approximate numbers; undefined if a call failed. */
  readonly left?: Left;
  readonly failure?: unknown;
}

/** A message that is not a promo event, and remains. */
interface OtherMessage {
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
 * changes nothing. Those of erased users are deleted instead. Messages without a promo event stay
 * unless they are to be removed: they would only return. The run can be repeated, and its memory
 * does not grow with the queue.
 */
export async function redrive(
  queue: SqsQueue,
  deadLetters: SqsQueue,
  { isErased, moves, removes = [], inspects = false, onRead, signal }: RedriveOptions,
): Promise<Redrive> {
  const clients = new Map<string, ClientSummary>();
  const others = new Map<string, OtherMessage>();
  const removed = new Set<string>();
  const refused: BatchResultErrorEntry[] = [];
  let read = 0;
  let erased = 0;

  function count({ clientId, receivedAt }: PromoEvent): void {
    const { count = 0, first = receivedAt, last = receivedAt } = clients.get(clientId) ?? {};
    clients.set(clientId, {
      clientId,
      count: count + 1,
      first: receivedAt < first ? receivedAt : first,
      last: receivedAt > last ? receivedAt : last,
    });
  }

  async function handle(batch: readonly VisitedMessage[]): Promise<readonly ReceivedMessage[]> {
    const areErased = await Promise.all(batch.map(async ({ event }) => event && isErased(event)));
    const ofErased: ReadonlySet<ReceivedMessage> = new Set(
      batch.filter((_, index) => areErased[index]),
    );
    const kept = batch.filter(
      (message): message is VisitedMessage & ReceivedPromoEvent =>
        message.event !== undefined && !ofErased.has(message),
    );
    const sent = await queue.send(moves ? kept : []);
    const unwanted = batch.filter((message) =>
      message.event ? moves && ofErased.has(message) : removes.includes(message.messageId),
    );
    const deleted = await deadLetters.delete([...sent.accepted, ...unwanted]);
    refused.push(...sent.refused, ...deleted.refused);
    for (const message of moves ? deleted.accepted : batch.filter(({ isAgain }) => !isAgain)) {
      if (ofErased.has(message)) erased++;
      else if (message.event) count(message.event);
    }
    for (const { messageId, event, problem, body } of batch) {
      if (event) continue;
      const content = inspects ? { content: body.slice(0, MAX_CONTENT) } : {};
      others.set(messageId, { messageId, problem, ...content });
    }
    for (const { messageId, event } of deleted.accepted) {
      if (!event) removed.add(messageId);
      others.delete(messageId);
    }
    read += batch.length;
    onRead(read);
    return deleted.accepted;
  }

  async function countLeft(unread: number): Promise<Left> {
    const isAnyFound = clients.size + erased + others.size + removed.size > 0;
    const inFlightElsewhere = isAnyFound ? 0 : (await deadLetters.count()).inFlight;
    return { unread: unread + inFlightElsewhere, inFlightElsewhere, waiting: await queue.length() };
  }

  const ending: Pick<Redrive, 'left' | 'failure'> = await deadLetters
    .visit({ ...DEAD_LETTERS, signal }, handle)
    .then(async ({ unread }) => ({ left: await countLeft(unread) }))
    .catch((failure: unknown) => ({ failure }));
  return {
    promoEvents: [...clients.values()].sort((one, other) =>
      one.clientId < other.clientId ? -1 : 1,
    ),
    erased,
    others: [...others.values()],
    removed: [...removed],
    refused,
    ...ending,
  };
}
