import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Bus,
  type BusEvent,
  NotTakenError,
  type Put,
  putEvents,
  readDeadLetter,
} from 'customer-data-api/events';
import {
  asStored,
  type IsErased,
  PROMO_EVENTS_SOURCE,
  publishedEvent,
} from 'customer-data-api/promo-events';
import {
  AwsError,
  documentClient,
  eventBridgeClient,
  inOneLine,
  sqsClient,
} from 'customer-data-api-deployment';
import { storesDeviceIds } from 'customer-data-api-deployment/outputs';
import { printable } from 'customer-data-api-deployment/program';
import type { CommandContext } from '../run-change.ts';
import { erasureLookups } from './erase.ts';
import {
  type Content,
  type Letters,
  type MovableEvent,
  type ReadLetters,
  type RedriveTask,
  readDeadLetters,
  type Staying,
} from './read-dead-letters.ts';
import { SqsQueue, type VisitedMessage } from './sqs-queue.ts';

/** Where the items of promo events are. */
interface Table {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
  /** True if the events have device ids. */
  readonly hasDeviceIds: boolean;
}

interface UnpublishedEvent extends MovableEvent {
  readonly event: BusEvent;
}

/**
 * Reads the dead letters of the event bus and, on request, publishes their events. A promo event is
 * published as its item is in the table now; without an item, its dead letter is deleted instead.
 */
export async function unpublishedIn(
  {
    deployment: { outputs },
    signal,
    onCount,
  }: Pick<CommandContext, 'deployment' | 'signal' | 'onCount'>,
  task: RedriveTask,
): Promise<ReadLetters> {
  using documents = documentClient(outputs);
  using sqs = sqsClient(outputs);
  using eventBridge = eventBridgeClient(outputs);
  const table = {
    documentClient: documents,
    tableName: outputs.PromoEventsTableName,
    hasDeviceIds: storesDeviceIds(outputs),
  };
  const bus = { eventBridge, name: outputs.PromoEventsBusName };
  const newLookup = await erasureLookups(documents, outputs);
  const letters: Letters<UnpublishedEvent> = {
    deadLetters: new SqsQueue(sqs, outputs.PromoEventsBusDeadLetterQueueUrl),
    newReader: () => {
      // A user who is erased now is known to the next batch.
      const isErased = newLookup();
      return (message) => contentOf(table, isErased, message);
    },
    move: async (all) => {
      const puts = await publish(
        bus,
        all.map(({ content: { event } }) => event),
      );
      const failed = puts.find((put) => put.kind === 'notTaken' && !isOfEvent(put.error));
      return { stays: puts.map(stayingOf), ...(failed && { failure: Object(failed).error }) };
    },
    isRemovable: () => true,
  };
  return await readDeadLetters(letters, task, { onRead: onCount, signal });
}

/** Publishes the events of each kind in calls of their own: a permission can be for some kinds. */
async function publish(bus: Bus, events: readonly BusEvent[]): Promise<Put[]> {
  const kinds = Map.groupBy(events, ({ source, detailType }) =>
    JSON.stringify([source, detailType]),
  );
  const puts = new Map<BusEvent, Put>();
  for (const ofKind of kinds.values()) {
    const results = await putEvents(bus, ofKind);
    for (const [index, put] of results.entries()) puts.set(ofKind[index] as BusEvent, put);
  }
  return events.map((event) => puts.get(event) as Put);
}

/** Tells whether an error is about an event. Otherwise, the bus takes no other one, either. */
function isOfEvent(error: unknown): boolean {
  if (error instanceof NotTakenError) return true;
  const said = inOneLine(error);
  return said instanceof AwsError && said.code === 'accessDenied';
}

function stayingOf(put: Put): Staying | undefined {
  if (put.kind === 'published') return undefined;
  if (put.kind === 'refused') {
    return { kind: 'unfit', problem: printable(`The bus refused it again. ${put.reason}`) };
  }
  const { message } = Object(inOneLine(put.error));
  const reason =
    put.error instanceof NotTakenError ? `The bus cannot take it. ${message}` : message;
  return { kind: 'kept', reason: printable(reason) };
}

const FOREIGN = { kind: 'unfit', problem: 'It is not a dead letter of the event bus.' } as const;

/** Reads a dead letter. Throws the errors of DynamoDB, and `UnreadableMarker`. */
async function contentOf(
  { documentClient, tableName, hasDeviceIds }: Table,
  isErased: IsErased,
  { body }: VisitedMessage,
): Promise<Content<UnpublishedEvent>> {
  const letter = readDeadLetter(body);
  if (!letter) return FOREIGN;
  const { reason, ...event } = letter;
  const { clientId, eventId, receivedAt } = Object(event.detail);
  const found = { kind: 'event', clientId: String(clientId ?? ''), time: event.time } as const;
  if (event.source !== PROMO_EVENTS_SOURCE) return { ...found, event, reason };
  // DynamoDB refuses to look up an empty key.
  if (typeof clientId !== 'string' || typeof eventId !== 'string') return FOREIGN;
  if (!clientId || !eventId) return FOREIGN;
  const { Item } = await documentClient.send(
    new GetCommand({ TableName: tableName, Key: { clientId, eventId }, ConsistentRead: true }),
  );
  if (!Item) return { kind: 'gone' };
  // After an erasure, the item can be that of a later application.
  const received = { ...Item, clientId, eventId, receivedAt: receivedAt ?? Item.receivedAt };
  if (await isErased(received)) return { kind: 'erased' };
  const published = publishedEvent(asStored(Item, hasDeviceIds));
  return published.detailType
    ? { ...found, event: { ...event, ...published }, reason }
    : { kind: 'unfit', problem: `The item ${JSON.stringify({ clientId, eventId })} has no kind.` };
}
