import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { counted } from 'customer-data-api/configuration';
import {
  type Bus,
  type BusEvent,
  NotTakenError,
  putEvents,
  readDeadLetter,
} from 'customer-data-api/events';
import { type IsErased, PROMO_EVENTS_SOURCE, publishedEvent } from 'customer-data-api/promo-events';
import { documentClient, eventBridgeClient, sqsClient } from 'customer-data-api-deployment';
import { printable, UserError } from 'customer-data-api-deployment/program';
import type { CommandContext } from '../run-change.ts';
import { ClientSummaries, type ClientSummary } from './client-summaries.ts';
import { erasureLookups } from './erase.ts';
import {
  DEAD_LETTERS,
  type OtherMessage,
  otherMessage,
  type RedriveTask,
  refusedMessages,
} from './redrive.ts';
import { SqsQueue, type VisitedMessage } from './sqs-queue.ts';

/** The places between which events are published again. */
interface PublishPlaces {
  readonly deadLetters: SqsQueue;
  readonly documentClient: DynamoDBDocumentClient;
  /** The table of promo events. */
  readonly tableName: string;
  readonly bus: Bus;
  /** Creates a lookup of erasures that reads the markers as they are now. */
  readonly newLookup: () => IsErased;
}

/** What a run found and did, even if a call failed then. */
export interface Unpublished {
  /** The events that were published or, without `moves`, can be. */
  readonly events: readonly ClientSummary[];
  /** Why the bus did not take them, and how many of them. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  /** Events of erased users that were deleted or, without `moves`, found. */
  readonly erased: number;
  /** The same of events whose items are no longer in the table. */
  readonly gone: number;
  /** Messages that remain: they are no events, or the bus refused them again. */
  readonly others: readonly OtherMessage[];
  readonly removed: readonly string[];
  /** Dead letters that were not read; undefined if a call failed. */
  readonly unread?: number;
  /** Unread ones that another receiver has in flight, if this run received none. */
  readonly inFlightElsewhere: number;
  readonly failure?: unknown;
}

/** What a dead letter is, as far as it can be published. */
type Content =
  | { readonly kind: 'erased' | 'gone' }
  | { readonly kind: 'unfit'; readonly problem: string }
  | { readonly kind: 'event'; readonly event: BusEvent; readonly reason: string };

/** Looks at the events that are not on the bus and, with `moves`, publishes them. */
export async function unpublishedIn(
  {
    deployment: { outputs },
    signal,
    onCount,
  }: Pick<CommandContext, 'deployment' | 'signal' | 'onCount'>,
  task: RedriveTask,
): Promise<Unpublished> {
  using documents = documentClient(outputs);
  using sqs = sqsClient(outputs);
  using eventBridge = eventBridgeClient(outputs);
  const places = {
    deadLetters: new SqsQueue(sqs, outputs.PromoEventsBusDeadLetterQueueUrl),
    documentClient: documents,
    tableName: outputs.PromoEventsTableName,
    bus: { eventBridge, name: outputs.PromoEventsBusName },
    newLookup: await erasureLookups(documents, outputs),
  };
  return await publishAgain(places, task, signal, onCount);
}

/**
 * Reads the dead letters of the event bus and, with `moves`, publishes their events. An event is
 * published before its dead letter is deleted: a run that ends in between publishes it twice. A
 * promo event is published as its item is in the table now; without an item, or if its user is
 * erased, its dead letter is deleted instead. The run can be repeated.
 */
export async function publishAgain(
  places: PublishPlaces,
  { moves, removes = [], inspects = false }: RedriveTask,
  signal: AbortSignal,
  onRead: (count: number) => void = () => {},
): Promise<Unpublished> {
  const { deadLetters } = places;
  const clients = new ClientSummaries();
  const reasons = new Map<string, number>();
  const others = new Map<string, OtherMessage>();
  const removed = new Set<string>();
  const refused: BatchResultErrorEntry[] = [];
  const without = { erased: 0, gone: 0 };
  let [read, refusedByBus] = [0, 0];

  async function handle(batch: readonly VisitedMessage[]): Promise<readonly VisitedMessage[]> {
    const isErased = places.newLookup();
    const contents = await Promise.all(
      batch.map(async (message) => ({ message, ...(await contentOf(places, isErased, message)) })),
    );
    const events = contents.filter((one) => one.kind === 'event');
    const puts = moves
      ? await putEvents(
          places.bus,
          events.map(({ event }) => event),
        )
      : [];
    const published = events.filter((_, index) => puts[index]?.kind === 'published');
    const ended = contents.filter(({ kind }) => moves && (kind === 'erased' || kind === 'gone'));
    const unwanted = contents.filter(({ message }) => removes.includes(message.messageId));
    const toDelete = new Set([...published, ...ended, ...unwanted].map(({ message }) => message));
    const deleted = await deadLetters.delete([...toDelete]);
    refused.push(...deleted.refused);

    const isDeleted = (message: VisitedMessage) => deleted.accepted.includes(message);
    for (const one of contents) {
      const { message, kind } = one;
      if (!moves && message.isAgain) continue;
      if (kind === 'erased' || kind === 'gone') {
        if (!moves || isDeleted(message)) without[kind]++;
      } else if (one.kind === 'unfit') {
        others.set(message.messageId, otherMessage(message, one.problem, inspects));
      } else if (one.kind === 'event' && isDeleted(message) === moves) {
        const { clientId } = Object(one.event.detail);
        clients.add(String(clientId ?? ''), one.event.time);
        reasons.set(one.reason, (reasons.get(one.reason) ?? 0) + 1);
      }
    }
    for (const [index, { message }] of events.entries()) {
      const put = puts[index];
      if (put?.kind !== 'refused') continue;
      if (!message.isAgain) refusedByBus++;
      const problem = `The bus refused it again. ${put.reason}`;
      others.set(message.messageId, otherMessage(message, problem, inspects));
    }
    for (const { message } of unwanted.filter(({ message }) => isDeleted(message))) {
      removed.add(message.messageId);
      others.delete(message.messageId);
    }
    read += batch.filter(({ isAgain }) => !isAgain).length;
    onRead(read);
    const failed = puts.find(({ kind }) => kind === 'notTaken');
    if (failed?.kind === 'notTaken') throw failureOf(failed.error);
    return deleted.accepted;
  }

  const ending = await deadLetters
    .visit({ ...DEAD_LETTERS, signal }, handle)
    .then(async ({ unread }) => {
      const inFlightElsewhere = read > 0 ? 0 : (await deadLetters.count()).inFlight;
      return { unread: unread + inFlightElsewhere, inFlightElsewhere };
    })
    .catch((failure: unknown) => ({ inFlightElsewhere: 0, failure }));
  const failure =
    ('failure' in ending ? ending.failure : undefined) ??
    refusedMessages(refused) ??
    (signal.aborted ? signal.reason : undefined) ??
    (refusedByBus > 0
      ? new UserError(
          `The event bus refused ${counted(refusedByBus, 'event')} again.`,
          'incomplete',
        )
      : undefined);
  return {
    events: clients.sorted(),
    reasons: [...reasons].map(([reason, count]) => ({ reason, count })),
    ...without,
    others: [...others.values()],
    removed: [...removed],
    ...ending,
    failure,
  };
}

const FOREIGN = { kind: 'unfit', problem: 'It is not a dead letter of the event bus.' } as const;

function failureOf(error: unknown): unknown {
  if (!(error instanceof NotTakenError)) return error;
  const reason = printable(error.message);
  return new UserError(
    `The event bus cannot take an event. ${reason} Nothing is lost: run it again.`,
    'incomplete',
  );
}

/** Reads a dead letter. Throws the errors of DynamoDB, and `UnreadableMarker`. */
async function contentOf(
  { documentClient, tableName }: PublishPlaces,
  isErased: IsErased,
  { body }: VisitedMessage,
): Promise<Content> {
  const letter = readDeadLetter(body);
  if (!letter) return FOREIGN;
  const { reason, ...event } = letter;
  if (event.source !== PROMO_EVENTS_SOURCE) return { kind: 'event', event, reason };
  const { clientId, eventId } = Object(event.detail);
  // DynamoDB refuses to look up an empty key.
  if (typeof clientId !== 'string' || typeof eventId !== 'string') return FOREIGN;
  if (!clientId || !eventId) return FOREIGN;
  const { Item } = await documentClient.send(
    new GetCommand({ TableName: tableName, Key: { clientId, eventId }, ConsistentRead: true }),
  );
  if (!Item) return { kind: 'gone' };
  if (await isErased({ ...Item, clientId })) return { kind: 'erased' };
  const published = publishedEvent(Item);
  return published.detailType
    ? { kind: 'event', event: { ...event, ...published }, reason }
    : { kind: 'unfit', problem: `The item ${JSON.stringify({ clientId, eventId })} has no kind.` };
}
