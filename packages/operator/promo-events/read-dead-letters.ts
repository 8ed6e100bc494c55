import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { counted } from 'customer-data-api/configuration';
import { UnreadableMarker } from 'customer-data-api/promo-events';
import { printable, UserError } from 'customer-data-api-deployment/program';
import { ClientSummaries, type ClientSummary } from './client-summaries.ts';
import type { SqsQueue, VisitedMessage } from './sqs-queue.ts';

/** Limits of a visit. Nothing else receives dead letters; a killed run hides them for 120 s. */
const VISIT = { visibilityTimeoutSeconds: 120, maxStaying: 10_000 };

/** The longest content of a message that is returned, in characters. */
const MAX_CONTENT = 4000;

/** What to do with dead letters. */
export interface RedriveTask {
  /** True to move the events to where they should have gone. */
  readonly moves: boolean;
  /** Ids of messages to remove. */
  readonly removes?: readonly string[] | undefined;
  /** True to return what `removes` would remove, and to remove nothing. */
  readonly isDryRun?: boolean | undefined;
  /** True to return the content of messages that remain for good. */
  readonly inspects?: boolean | undefined;
}

/** How a run reports what it has read, and ends early. */
export interface Run {
  readonly onRead: (count: number) => void;
  /** Ends the run after the batches in flight. */
  readonly signal: AbortSignal;
}

/** An event to move. */
export interface MovableEvent {
  readonly kind: 'event';
  readonly clientId: string;
  /** When it was received or stored. */
  readonly time: string;
  /** Why it is a dead letter, if the letter says it. */
  readonly reason?: string;
}

/** What keeps a dead letter in its queue. */
export type Staying =
  /** It can never be moved as it is. */
  | { readonly kind: 'unfit'; readonly problem: string }
  /** It can be moved once the reason is gone. */
  | { readonly kind: 'kept'; readonly reason: string };

/** What a dead letter is: an event to move, one that is not to be moved any more, or another. */
export type Content<TEvent extends MovableEvent> =
  | TEvent
  | Staying
  | { readonly kind: 'erased' | 'gone' };

/** A dead letter, and what it is. */
interface Letter<TContent> {
  readonly message: VisitedMessage;
  readonly content: TContent;
}

/** What became of events that were to be moved. */
export interface Moved {
  /** What keeps each, in their order; undefined if it was moved. */
  readonly stays: readonly (Staying | undefined)[];
  /** Why it is useless to go on. */
  readonly failure?: unknown;
}

/** How the dead letters of a queue are read and moved. */
export interface Letters<TEvent extends MovableEvent> {
  readonly deadLetters: SqsQueue;
  /** Returns the function that reads the letters of a batch, one by one. */
  readonly newReader: () => (message: VisitedMessage) => Promise<Content<TEvent>>;
  readonly move: (events: readonly Letter<TEvent>[]) => Promise<Moved>;
  /** True for a letter that may be removed without being moved. */
  readonly isRemovable: (message: VisitedMessage) => boolean;
}

/** The result of a run: what it found and did, even if a call failed then. */
export interface ReadLetters {
  /** The events that were moved or, without `moves`, found. */
  readonly events: readonly ClientSummary[];
  /** Why they are dead letters, and how many of them. */
  readonly reasons: readonly Reason[];
  /** Events of erased users that were deleted or, without `moves`, found. */
  readonly erased: number;
  /** The same of events whose items are no longer in the table. */
  readonly gone: number;
  /** Why events remain, until the reason is gone, and how many of them. */
  readonly kept: readonly Reason[];
  /** Letters that remain for good. */
  readonly others: readonly OtherMessage[];
  /** The ids of messages that were removed or, in a dry run, would be. */
  readonly removed: readonly string[];
  /** The number of events that were to be moved, and remain. */
  readonly unmoved: number;
  /** Dead letters that were not read; undefined if a call failed. */
  readonly unread?: number;
  /** Unread ones that another receiver has in flight, if this run received none. */
  readonly inFlightElsewhere: number;
  readonly failure?: unknown;
}

/** A reason, and the number of dead letters that have it. */
export interface Reason {
  readonly reason: string;
  readonly count: number;
}

/** A message that remains for good. */
export interface OtherMessage {
  readonly messageId: string;
  readonly problem: string;
  /** With `inspects`, the beginning of its content. */
  readonly content?: string;
}

/**
 * Reads the dead letters of a queue and, with `moves`, moves their events. A letter is deleted once
 * its event is moved: a run that ends in between moves it twice. Events of erased users and of
 * items that are gone are deleted instead. Each letter is on its own: what keeps one does not keep
 * the others, and is a failure in the end. The run can be repeated, and its memory does not grow
 * with the queue.
 */
export async function readDeadLetters<TEvent extends MovableEvent>(
  { deadLetters, newReader, move, isRemovable }: Letters<TEvent>,
  { moves, removes = [], isDryRun = false, inspects = false }: RedriveTask,
  { onRead, signal }: Run,
): Promise<ReadLetters> {
  const clients = new ClientSummaries();
  const reasons = new Map<string, number>();
  const kept = new Map<string, string>();
  const others = new Map<string, OtherMessage>();
  const removed = new Set<string>();
  const refused: BatchResultErrorEntry[] = [];
  const without = { erased: 0, gone: 0 };
  const unmoved = new Set<string>();
  let read = 0;

  async function handle(batch: readonly VisitedMessage[]): Promise<readonly VisitedMessage[]> {
    const contentOf = newReader();
    const letters = await Promise.all(
      batch.map(async (message) => ({ message, content: await orKept(contentOf, message) })),
    );
    const events = letters.filter(isEvent);
    const moved: Moved = moves ? await move(events) : { stays: [] };
    const stays = new Map(events.map(({ message }, index) => [message, moved.stays[index]]));
    const ended = letters.filter(({ message, content: { kind } }) =>
      moves
        ? kind === 'erased' || kind === 'gone' || (kind === 'event' && !stays.get(message))
        : isRemovable(message) && removes.includes(message.messageId),
    );
    const toDelete = ended.map(({ message }) => message);
    const deleted = await deadLetters.delete(isDryRun ? [] : toDelete);
    refused.push(...deleted.refused);

    for (const { message, content } of letters) {
      const { messageId } = message;
      const isDeleted = deleted.accepted.includes(message);
      const staying = stays.get(message) ?? content;
      if (staying.kind === 'kept') kept.set(messageId, staying.reason);
      else if (staying.kind === 'unfit') {
        others.set(messageId, otherMessage(message, staying.problem, inspects));
      } else if (moves ? isDeleted : !isDeleted && !message.isAgain) {
        if (content.kind === 'erased' || content.kind === 'gone') without[content.kind]++;
        else if (content.kind === 'event') {
          clients.add(content.clientId, content.time);
          if (content.reason) add(reasons, content.reason);
        }
      }
      if (staying.kind === 'kept' || staying !== content) unmoved.add(messageId);
    }
    for (const { messageId } of isDryRun ? toDelete : deleted.accepted) {
      if (!moves) removed.add(messageId);
      for (const found of [others, kept, unmoved]) found.delete(messageId);
    }
    read += batch.filter(({ isAgain }) => !isAgain).length;
    onRead(read);
    if (moved.failure) throw moved.failure;
    return deleted.accepted;
  }

  const ending: Pick<ReadLetters, 'unread' | 'inFlightElsewhere' | 'failure'> = await deadLetters
    .visit({ ...VISIT, signal }, handle)
    .then(async ({ unread }) => {
      const inFlightElsewhere = read > 0 ? 0 : (await deadLetters.count()).inFlight;
      return { unread: unread + inFlightElsewhere, inFlightElsewhere };
    })
    .catch((failure: unknown) => ({ inFlightElsewhere: 0, failure }));
  const keptByReason = new Map<string, number>();
  for (const reason of kept.values()) add(keptByReason, reason);
  return {
    events: clients.sorted(),
    reasons: counts(reasons),
    ...without,
    kept: counts(keptByReason),
    others: [...others.values()],
    removed: [...removed],
    unmoved: moves ? unmoved.size : 0,
    ...ending,
    failure:
      ending.failure ?? refusedMessages(refused) ?? (signal.aborted ? signal.reason : undefined),
  };
}

function isEvent<TEvent extends MovableEvent>(
  letter: Letter<Content<TEvent>>,
): letter is Letter<TEvent> {
  return letter.content.kind === 'event';
}

/**
 * Reads a letter. An error about it keeps it: about its marker, or its key, which DynamoDB can
 * refuse. Others are about the deployment, and end the run.
 */
async function orKept<TEvent extends MovableEvent>(
  contentOf: (message: VisitedMessage) => Promise<Content<TEvent>>,
  message: VisitedMessage,
): Promise<Content<TEvent>> {
  try {
    return await contentOf(message);
  } catch (error) {
    if (error instanceof UnreadableMarker) return { kind: 'kept', reason: error.message };
    if (error instanceof Error && error.name === 'ValidationException') {
      return { kind: 'unfit', problem: printable(`DynamoDB refuses its key. ${error.message}`) };
    }
    throw error;
  }
}

/** Describes a message that remains. */
function otherMessage(
  { messageId, body }: VisitedMessage,
  problem: string,
  inspects: boolean,
): OtherMessage {
  return { messageId, problem, ...(inspects && { content: body.slice(0, MAX_CONTENT) }) };
}

function add(numbers: Map<string, number>, name: string): void {
  numbers.set(name, (numbers.get(name) ?? 0) + 1);
}

function counts(numbers: ReadonlyMap<string, number>): Reason[] {
  return [...numbers].map(([reason, count]) => ({ reason, count }));
}

/** The error of a run of which SQS refused messages; undefined if it refused none. */
function refusedMessages([first, ...others]: readonly BatchResultErrorEntry[]):
  | UserError
  | undefined {
  if (!first) return undefined;
  const refusal = printable(`${first.Code}: ${first.Message}`);
  const what = counted(1 + others.length, 'message');
  return new UserError(
    `SQS refused ${what}. ${refusal} Nothing is lost: run it again.`,
    'incomplete',
  );
}
