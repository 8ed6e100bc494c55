import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { readItem } from 'customer-data-api/clients';
import { counted } from 'customer-data-api/configuration';
import type { IsErased } from 'customer-data-api/promo-events';
import { PROMO_EVENTS_PIPE } from 'customer-data-api/stack';
import {
  documentClient,
  dynamodbClient,
  eventBridgeClient,
  sqsClient,
  streamsClient,
} from 'customer-data-api-deployment';
import { UserError } from 'customer-data-api-deployment/program';
import type { Change } from '../change.ts';
import type { CommandContext } from '../run-change.ts';
import { erasureLookups } from './erase.ts';
import { type EventEntry, transformation } from './pipe.ts';
import { inDynamoDbJson, readRecordRange, recordsAt, type StreamRecord } from './record-range.ts';
import { DEAD_LETTERS, refusedMessages, type ShownDeadLetters } from './redrive.ts';
import { SqsQueue, type VisitedMessage } from './sqs-queue.ts';

/** The largest batch that PutEvents accepts. */
const BATCH_SIZE = 10;

/** The places between which events are replayed. */
interface ReplayPlaces {
  readonly deadLetters: SqsQueue;
  readonly streams: DynamoDBStreamsClient;
  readonly dynamodb: DynamoDBClient;
  readonly tableName: string;
  /** Creates a lookup of erasures that reads the markers as they are now. */
  readonly newLookup: () => IsErased;
  readonly eventBridge: EventBridgeClient;
  readonly busName: string;
}

interface ReplayOptions {
  /** True to put the events on the bus. */
  readonly publishes: boolean;
  readonly removes?: readonly string[] | undefined;
  readonly onRead: (count: number) => void;
  /** Ends the run after the batch in flight. */
  readonly signal: AbortSignal;
}

/** The result of a run: what it found and did, even if a call failed then. */
export interface Replay {
  readonly read: number;
  /** Events that can be published. */
  readonly publishable: number;
  /** Events whose items are no longer in the table, or erased. They are not published. */
  readonly noLongerStored: number;
  readonly published: number;
  /** Dead letters to be published that remain. */
  readonly failed: number;
  /** Dead letters removed without being published. */
  readonly removed: number;
  readonly problems: readonly ReplayProblem[];
  /** Dead letters that SQS did not delete. */
  readonly refused: readonly BatchResultErrorEntry[];
  /** Dead letters that remain, if they were too many to read more. */
  readonly tooManyStay?: number | undefined;
  /** Dead letters that another receiver has in flight, if this run received none. */
  readonly inFlightElsewhere: number;
  readonly failure?: unknown;
}

/** The reason why a dead letter, or an event of it, cannot be replayed. */
export type ReplayProblem = { readonly messageId: string } & Reason;

type Reason =
  | { readonly kind: 'notOfThePipe' }
  /** `arrival` is the time of the first record, from the dead letter. */
  | { readonly kind: 'recordsExpired'; readonly arrival: string }
  /** `key` identifies an item without a kind, for an operator to correct. */
  | { readonly kind: 'itemWithoutKind'; readonly key: string }
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string };

/** The events of a dead letter. */
interface Content {
  readonly events: readonly EventEntry[];
  readonly noLongerStored: number;
  readonly problems: readonly Reason[];
}

type ReplayTask = Pick<ReplayOptions, 'publishes' | 'removes'>;

/**
 * Publishes the events that the bus did not receive.
 *
 * @param removes dead letters to remove instead, without publishing them.
 */
export function busReplay(
  removes?: readonly string[],
): Change<ShownDeadLetters<Replay>, Replay, CommandContext> {
  return {
    isUnsigned: true,
    async show(context) {
      if (!context.isAsked) return { found: undefined };
      const found = await replayIn(context, { publishes: false });
      const { failure, publishable, noLongerStored } = found;
      return { found, failure, hasEffect: !!removes || publishable + noLongerStored > 0 };
    },
    apply: (context) => replayIn(context, { publishes: !removes, removes }),
  };
}

/** Runs `replay` in a deployment. A dead letter that stays against the task is a failure. */
async function replayIn(
  { deployment: { outputs }, signal, onCount: onRead }: CommandContext,
  task: ReplayTask,
): Promise<Replay> {
  using sqs = sqsClient(outputs);
  using streams = streamsClient(outputs);
  using dynamodb = dynamodbClient(outputs);
  using documents = documentClient(outputs);
  using eventBridge = eventBridgeClient(outputs);
  const places = {
    streams,
    dynamodb,
    eventBridge,
    deadLetters: new SqsQueue(sqs, outputs.PromoEventsBusDeadLetterQueueUrl),
    tableName: outputs.PromoEventsTableName,
    busName: outputs.PromoEventsBusName,
    newLookup: await erasureLookups(documents, outputs),
  };
  const done = await replay(places, { ...task, signal, onRead });
  const failure =
    done.failure ??
    refusedMessages(done.refused) ??
    (signal.aborted ? signal.reason : undefined) ??
    incomplete(done, task);
  return { ...done, failure };
}

function incomplete(
  { removed, failed }: Replay,
  { removes = [] }: ReplayTask,
): UserError | undefined {
  const sentence =
    removed < removes.length
      ? `Removed ${removed} of ${counted(removes.length, 'message')}.`
      : `Not replayed, and still there: ${counted(failed, 'dead letter')}.`;
  const isComplete = removed >= removes.length && failed === 0;
  return isComplete ? undefined : new UserError(sentence, 'incomplete');
}

/**
 * Replays what the event bus did not receive: reads the dead letters of the pipe, with the stream
 * records that they point to. On request, puts their events on the bus, transformed as by the pipe,
 * and removes the dead letters of accepted events. It omits events whose items were erased, and
 * leaves what cannot be replayed. The run can be repeated: an event may arrive twice.
 */
export async function replay(
  places: ReplayPlaces,
  { publishes, removes = [], onRead, signal }: ReplayOptions,
): Promise<Replay> {
  const { deadLetters } = places;
  const counts = {
    read: 0,
    publishable: 0,
    noLongerStored: 0,
    published: 0,
    failed: 0,
    removed: 0,
  };
  const problems: ReplayProblem[] = [];
  const refused: BatchResultErrorEntry[] = [];

  /** Returns the dead letter if it was removed. */
  async function handle(message: VisitedMessage): Promise<readonly VisitedMessage[]> {
    const { messageId, body } = message;
    const content = await read(places, body);
    onRead(++counts.read);
    counts.publishable += content.events.length;
    counts.noLongerStored += content.noLongerStored;
    const addProblems = (reasons: readonly Reason[]) =>
      problems.push(...reasons.map((reason) => ({ messageId, ...reason })));
    addProblems(content.problems);
    let isPublished = publishes && content.problems.length === 0;
    for await (const { accepted, rejected } of put(places, publishes ? content.events : [])) {
      counts.published += accepted;
      addProblems(rejected);
      isPublished &&= rejected.length === 0;
    }
    if (publishes && !isPublished) counts.failed++;
    if (!isPublished && !removes.includes(messageId)) return [];
    const deleted = await deadLetters.delete([message]);
    refused.push(...deleted.refused);
    if (!isPublished) counts.removed += deleted.accepted.length;
    return deleted.accepted;
  }

  async function visitAll(): Promise<Pick<Replay, 'tooManyStay' | 'inFlightElsewhere'>> {
    // One worker: a stream throttles its readers.
    const options = { ...DEAD_LETTERS, workers: 1, signal };
    const { isComplete, staying } = await deadLetters.visit(options, async (batch) => {
      const gone: VisitedMessage[] = [];
      for (const message of batch) if (!message.isAgain) gone.push(...(await handle(message)));
      return gone;
    });
    return {
      tooManyStay: isComplete || signal.aborted ? undefined : staying,
      inFlightElsewhere: counts.read > 0 ? 0 : (await deadLetters.count()).inFlight,
    };
  }

  const ending = await visitAll().catch((failure: unknown) => ({ inFlightElsewhere: 0, failure }));
  return { ...counts, problems, refused, ...ending };
}

const transform = transformation(PROMO_EVENTS_PIPE);

/** Reads the records of a dead letter, and transforms them as the pipe does. */
async function read(places: ReplayPlaces, body: string): Promise<Content> {
  const range = readRecordRange(body);
  if (!range) return unreadable({ kind: 'notOfThePipe' });
  const records = await recordsAt(places.streams, range);
  if (!records) return unreadable({ kind: 'recordsExpired', arrival: range.arrival });
  const isErased = places.newLookup();
  const events: EventEntry[] = [];
  const problems: Reason[] = [];
  let noLongerStored = 0;
  for (const record of records.filter(transform)) {
    // The stream keeps the record of an erased item for a day, so the event comes from the table.
    const NewImage = await storedItem(places, isErased, record);
    const event = NewImage && transform({ ...record, dynamodb: { ...record.dynamodb, NewImage } });
    if (!event) noLongerStored++;
    else if (event.detailType) events.push(event);
    else problems.push({ kind: 'itemWithoutKind', key: keyOf(record) });
  }
  return { events, noLongerStored, problems };
}

function unreadable(reason: Reason): Content {
  return { events: [], noLongerStored: 0, problems: [reason] };
}

/** Reads the item of a record in DynamoDB's JSON; undefined if it is gone, or about to be. */
async function storedItem(
  { dynamodb, tableName }: ReplayPlaces,
  isErased: IsErased,
  record: StreamRecord,
): Promise<object | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: tableName,
      Key: record.dynamodb?.Keys,
      ConsistentRead: true,
    }),
  );
  if (!Item || (await isErased(readItem(Item) as { clientId: string }))) return undefined;
  return inDynamoDbJson<object>(Item);
}

/** Puts events on the bus. Yields the accepted number and the rejections of each batch. */
async function* put(
  { eventBridge, busName }: ReplayPlaces,
  events: readonly EventEntry[],
): AsyncGenerator<{ readonly accepted: number; readonly rejected: readonly Reason[] }> {
  for (let start = 0; start < events.length; start += BATCH_SIZE) {
    const batch = events.slice(start, start + BATCH_SIZE);
    const { Entries = [] } = await eventBridge.send(
      new PutEventsCommand({
        Entries: batch.map((event) => ({
          EventBusName: busName,
          Source: event.source,
          DetailType: event.detailType,
          Detail: event.detail,
        })),
      }),
    );
    const rejected = Entries.flatMap(({ ErrorCode, ErrorMessage }) =>
      ErrorCode
        ? [{ kind: 'rejected' as const, code: ErrorCode, message: String(ErrorMessage) }]
        : [],
    );
    yield { accepted: batch.length - rejected.length, rejected };
  }
}

/** Returns the key of a record's item as JSON. */
function keyOf({ dynamodb }: StreamRecord): string {
  const { clientId, eventId } = dynamodb?.Keys ?? {};
  return JSON.stringify({ clientId: clientId?.S, eventId: eventId?.S });
}
