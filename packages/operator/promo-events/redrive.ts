import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { counted } from 'customer-data-api/configuration';
import type { IsErased } from 'customer-data-api/promo-events';
import { documentClient, sqsClient } from 'customer-data-api-deployment';
import { printable, suggested, UserError } from 'customer-data-api-deployment/program';
import type { Change, Context, Done, Shown } from '../change.ts';
import type { CommandContext } from '../run-change.ts';
import { ClientSummaries, type ClientSummary } from './client-summaries.ts';
import { erasureLookups } from './erase.ts';
import {
  type ReceivedMessage,
  type ReceivedPromoEvent,
  SqsQueue,
  type VisitedMessage,
} from './sqs-queue.ts';

/** Limits of a visit. Nothing else receives dead letters; a killed run hides them for 120 s. */
export const DEAD_LETTERS = { visibilityTimeoutSeconds: 120, maxStaying: 10_000 };

/** The longest content of a message that is returned, in characters. */
const MAX_CONTENT = 4000;

interface RedriveOptions {
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

/** A message that is not an event, and remains. */
export interface OtherMessage {
  readonly messageId: string;
  readonly problem: string | undefined;
  /** With `inspects`, the beginning of its content. */
  readonly content?: string;
}

/** Describes a message that remains. */
export function otherMessage(
  { messageId, body }: ReceivedMessage,
  problem: string | undefined,
  inspects: boolean,
): OtherMessage {
  return { messageId, problem, ...(inspects && { content: body.slice(0, MAX_CONTENT) }) };
}

interface Left {
  /** Dead letters that were not read. */
  readonly unread: number;
  /** Unread ones that another receiver has in flight, if this run received none. */
  readonly inFlightElsewhere: number;
  /** Promo events in the queue. */
  readonly waiting: number;
}

/** What to do with dead letters. */
export type RedriveTask = Pick<RedriveOptions, 'moves' | 'removes' | 'inspects'>;

/**
 * Runs `redrive` in a deployment. A message that SQS refused is a failure.
 */
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
  const options = { ...task, isErased, signal, onRead: onCount };
  const done = await redrive(queue, deadLetters, options);
  const failure =
    done.failure ?? refusedMessages(done.refused) ?? (signal.aborted ? signal.reason : undefined);
  return { ...done, failure };
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
  const clients = new ClientSummaries();
  const others = new Map<string, OtherMessage>();
  const removed = new Set<string>();
  const refused: BatchResultErrorEntry[] = [];
  let read = 0;
  let erased = 0;

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
      else if (message.event) clients.add(message.event.clientId, message.event.receivedAt);
    }
    for (const message of batch) {
      if (message.event) continue;
      others.set(message.messageId, otherMessage(message, message.problem, inspects));
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
    const isAnyFound = clients.sorted().length + erased + others.size + removed.size > 0;
    const inFlightElsewhere = isAnyFound ? 0 : (await deadLetters.count()).inFlight;
    return { unread: unread + inFlightElsewhere, inFlightElsewhere, waiting: await queue.length() };
  }

  const ending: Pick<Redrive, 'left' | 'failure'> = await deadLetters
    .visit({ ...DEAD_LETTERS, signal }, handle)
    .then(async ({ unread }) => ({ left: await countLeft(unread) }))
    .catch((failure: unknown) => ({ failure }));
  return {
    promoEvents: clients.sorted(),
    erased,
    others: [...others.values()],
    removed: [...removed],
    refused,
    ...ending,
  };
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

/** The error of a run of which SQS refused messages; undefined if it refused none. */
export function refusedMessages(refused: readonly BatchResultErrorEntry[]): UserError | undefined {
  if (refused.length === 0) return undefined;
  return new UserError(`${describeRefused(refused)} Nothing is lost: run it again.`, 'incomplete');
}

/** A line about messages that SQS refused, for an operator. */
function describeRefused([first, ...others]: readonly BatchResultErrorEntry[]): string {
  const refusal = printable(`${first?.Code}: ${first?.Message}`);
  return `SQS refused ${counted(1 + others.length, 'message')}. ${refusal}`;
}
