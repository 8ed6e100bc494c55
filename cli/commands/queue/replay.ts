import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import {
  type EventEntry,
  transformation,
} from '../../../admin/promo-events/pipe-transformation.ts';
import {
  inDynamoDbJson,
  readRecordRange,
  recordsAt,
  type StreamRecord,
} from '../../../admin/promo-events/record-range.ts';
import {
  MAX_STAYING,
  type MessageInFlight,
  Messages,
} from '../../../admin/promo-events/sqs-queue.ts';
import { PROMO_EVENTS_PIPE } from '../../../core/promo-events/published-events.ts';
import { counted } from '../../../core/text.ts';
import { UserError } from '../../../core/user-error.ts';
import {
  dynamodbClient,
  eventBridgeClient,
  sqsClient,
  streamsClient,
} from '../../deployment/aws-clients.ts';
import type { Outputs } from '../../deployment/outputs.ts';
import { describeInFlight, describeRefused } from '../../queue-sentences.ts';
import type { StartProgress } from '../../terminal/progress.ts';

/** The time for which a dead letter is hidden from other runs. */
const VISIBILITY_TIMEOUT_SECONDS = 120;
/** The largest batch that PutEvents accepts. */
const BATCH_SIZE = 10;

export interface ReplayOptions {
  /** Puts the events on the bus. */
  readonly publish: boolean;
  /** The ids of dead letters to remove. */
  readonly remove?: readonly string[] | undefined;
  /** Prints one JSON document instead of sentences. */
  readonly json?: boolean | undefined;
  /** Prints a line of the result. */
  readonly print: (line: string) => void;
  /** Prints a line that is not part of the result. */
  readonly note: (line: string) => void;
  readonly progress: StartProgress;
  readonly signal: AbortSignal;
}

/** What a dead letter of the pipe stands for. */
interface Finding {
  readonly events: readonly EventEntry[];
  /** The number of events whose items are not in the table any more. They are not published. */
  readonly noLongerStored: number;
  /** Why some or all of it cannot be replayed. */
  readonly problems: readonly string[];
}

/** The events of all dead letters. */
export interface ReplayableEvents {
  readonly publishable: number;
  /** The number of events whose items are not in the table any more. */
  readonly noLongerStored: number;
}

/**
 * Shows what the event bus did not receive: the dead letters of the pipe, with the records of the stream that they point
 * to. On request, puts their events on the bus, transformed as by the pipe, and removes the dead letters whose events the bus
 * accepted. An event whose item was erased is left out. What cannot be replayed is named and stays.
 *
 * @returns the numbers of events that it found.
 * @throws UserError when a dead letter stays that was to be replayed or removed, and when the signal ended the run.
 * @throws what the SDK's clients throw. A run that failed or was killed can be repeated: an event may arrive twice.
 */
export async function replay(outputs: Outputs, options: ReplayOptions): Promise<ReplayableEvents> {
  const { publish, remove = [], json, print, note, progress, signal } = options;
  const sqs = sqsClient(outputs);
  const dynamodb = dynamodbClient(outputs);
  const streams = streamsClient(outputs);
  const eventBridge = eventBridgeClient(outputs);
  const deadLetters = new Messages(sqs, outputs.PromoEventsBusDeadLetterQueueUrl);
  // By message id: after the visibility timeout, a message is received again, with another receipt handle.
  const staying = new Map<string, MessageInFlight>();
  const counts = { read: 0, events: 0, noLongerStored: 0, published: 0, failed: 0, removed: 0 };
  const problems: Problem[] = [];
  const refused: BatchResultErrorEntry[] = [];

  async function readAll(): Promise<void> {
    using bar = progress('Dead letters read');
    for await (const batch of deadLetters.receive(VISIBILITY_TIMEOUT_SECONDS, signal)) {
      const unread = batch.filter(({ messageId }) => !staying.has(messageId));
      for (const { messageId, receiptHandle } of batch) {
        staying.set(messageId, { messageId, receiptHandle });
      }
      for (const message of unread) {
        const { messageId, body } = message;
        const report = (found: readonly string[]) =>
          problems.push(...found.map((problem) => ({ messageId, problem })));
        const found = await find({ streams, dynamodb }, outputs, body);
        const { events, problems: unpublishable } = found;
        bar.show(++counts.read);
        counts.events += events.length;
        counts.noLongerStored += found.noLongerStored;
        report(unpublishable);
        let isDone = publish && unpublishable.length === 0;
        if (publish) {
          for await (const { accepted, rejected } of put(eventBridge, outputs, events)) {
            counts.published += accepted;
            report(rejected);
            if (rejected.length > 0) isDone = false;
          }
        }
        const isRemoved = isDone || remove.includes(messageId);
        if (publish && !isDone) counts.failed++;
        if (!isRemoved) continue;
        const deleted = await deadLetters.delete([message]);
        refused.push(...deleted.refused);
        if (deleted.accepted.length > 0) staying.delete(messageId);
        if (!isDone) counts.removed += deleted.accepted.length;
      }
      if (staying.size >= MAX_STAYING) break;
    }
  }

  try {
    // What was found and done is said even if a call fails then.
    try {
      await readAll();
      if (staying.size >= MAX_STAYING) {
        note(
          `No more were read, because ${counted(staying.size, 'dead letter')} stay. Publish or remove them, and run it again.`,
        );
      }
      if (counts.read === 0) {
        const { inFlight } = await deadLetters.count();
        if (inFlight > 0) note(describeInFlight(inFlight));
        else note('The dead-letter queue of the event bus is empty.');
      }
    } finally {
      if (json) print(JSON.stringify(asJson(counts, problems, options)));
      else for (const line of describe(counts, problems, publish)) print(line);
    }
  } finally {
    // If this fails, the messages can be received again in two minutes.
    await deadLetters.release([...staying.values()]).catch(() => {});
    for (const client of [sqs, dynamodb, streams, eventBridge]) client.destroy();
  }
  if (refused.length > 0) {
    throw new UserError(`${describeRefused(refused)} Nothing is lost: run it again.`, 'incomplete');
  }
  if (signal.aborted)
    throw new UserError('Interrupted. Nothing is lost: run it again.', 'interrupted');
  if (counts.removed < remove.length) {
    throw new UserError(
      `Removed ${counts.removed} of ${counted(remove.length, 'message')}.`,
      'incomplete',
    );
  }
  if (counts.failed > 0) {
    throw new UserError(
      `Not replayed, and still there: ${counted(counts.failed, 'dead letter')}.`,
      'incomplete',
    );
  }
  return { publishable: counts.events, noLongerStored: counts.noLongerStored };
}

/** Why a dead letter, or an event of it, cannot be replayed. */
interface Problem {
  readonly messageId: string;
  readonly problem: string;
}

const transform = transformation(PROMO_EVENTS_PIPE);

/** Where the records and the items of promo events are. */
interface Sources {
  readonly streams: DynamoDBStreamsClient;
  readonly dynamodb: DynamoDBClient;
}

/** Reads the records of a dead letter, and transforms them as the pipe does. */
async function find(sources: Sources, outputs: Outputs, body: string): Promise<Finding> {
  const position = readRecordRange(body);
  if (!position) return unreadable('It is not a dead letter of the pipe.');
  const records = await recordsAt(sources.streams, position);
  if (!records) {
    return unreadable(
      `The stream no longer has its records of ${position.arrival}. The items are in the table.`,
    );
  }
  const events: EventEntry[] = [];
  const problems: string[] = [];
  let noLongerStored = 0;
  for (const record of records.filter(transform)) {
    // The stream keeps the record of an erased item for a day. The event is what the table has.
    const NewImage = await storedItem(sources.dynamodb, outputs, record);
    const event = NewImage && transform({ ...record, dynamodb: { ...record.dynamodb, NewImage } });
    if (!event) noLongerStored++;
    else if (event.detailType) events.push(event);
    else problems.push(`The item ${keysOf(record)} has no kind.`);
  }
  return { events, noLongerStored, problems };
}

function unreadable(problem: string): Finding {
  return { events: [], noLongerStored: 0, problems: [problem] };
}

/** Reads the item of a record from the table, in DynamoDB's JSON; undefined if it is gone. */
async function storedItem(
  dynamodb: DynamoDBClient,
  { PromoEventsTableName }: Outputs,
  record: StreamRecord,
): Promise<object | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: PromoEventsTableName,
      Key: Object.fromEntries(
        Object.entries(record.dynamodb?.Keys ?? {}).map(([name, { S = '' }]) => [name, { S }]),
      ),
      ConsistentRead: true,
    }),
  );
  return Item && inDynamoDbJson<object>(Item);
}

/** Puts events on the bus. Yields of each batch how many it accepted, and why it rejected the others. */
async function* put(
  eventBridge: EventBridgeClient,
  { PromoEventsBusName }: Outputs,
  events: readonly EventEntry[],
): AsyncGenerator<{ readonly accepted: number; readonly rejected: readonly string[] }> {
  for (let start = 0; start < events.length; start += BATCH_SIZE) {
    const batch = events.slice(start, start + BATCH_SIZE);
    const { Entries = [] } = await eventBridge.send(
      new PutEventsCommand({
        Entries: batch.map((event) => ({
          EventBusName: PromoEventsBusName,
          Source: event.source,
          DetailType: event.detailType,
          Detail: event.detail,
        })),
      }),
    );
    const rejected = Entries.filter(({ ErrorCode }) => ErrorCode).map(
      ({ ErrorCode, ErrorMessage }) => `The bus rejected an event. ${ErrorCode}: ${ErrorMessage}`,
    );
    yield { accepted: batch.length - rejected.length, rejected };
  }
}

/** The keys of the item of a record, for an operator who has to correct it. */
function keysOf({ dynamodb }: StreamRecord): string {
  const keys = Object.entries(dynamodb?.Keys ?? {}).map(([name, { S }]) => [name, S]);
  return JSON.stringify(Object.fromEntries(keys.sort()));
}

type Counts = Readonly<
  Record<'read' | 'events' | 'noLongerStored' | 'published' | 'removed', number>
>;

function describe(
  { read, events, noLongerStored, published, removed }: Counts,
  problems: readonly Problem[],
  publish: boolean,
): string[] {
  if (read === 0) return [];
  return [
    ...problems.map(({ messageId, problem }) => `Message ${messageId}: ${problem}`),
    publish
      ? `Dead letters: ${read}. Events published: ${published}`
      : `Dead letters: ${read}. Events that can be published: ${events}`,
    ...(noLongerStored > 0 ? [`Left out, because their items are gone: ${noLongerStored}`] : []),
    ...(removed > 0 ? [`Removed without publishing: ${removed}`] : []),
  ];
}

function asJson(
  { read, events, noLongerStored, published, removed }: Counts,
  problems: readonly Problem[],
  { publish, remove }: Pick<ReplayOptions, 'publish' | 'remove'>,
): object {
  return {
    deadLetters: read,
    ...(publish ? { published } : { publishable: events }),
    noLongerStored,
    ...(remove && { removed }),
    problems,
  };
}
