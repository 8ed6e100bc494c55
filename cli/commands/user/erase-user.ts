import { setTimeout } from 'node:timers/promises';
import { DeleteCommand, type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { expectKnownClient } from '../../../admin/configuration/known-client.ts';
import { DEAD_LETTERS } from '../../../admin/promo-events/search-queue.ts';
import { Messages } from '../../../admin/promo-events/sqs-queue.ts';
import { userPrefix } from '../../../core/promo-events/promo-event.ts';
import { UserError } from '../../../core/user-error.ts';
import { documentClient, sqsClient } from '../../deployment/aws-clients.ts';
import type { Outputs } from '../../deployment/outputs.ts';
import { configurationTables } from '../../deployment/tables.ts';
import type { StartProgress } from '../../terminal/progress.ts';
import {
  describeFound,
  describeOthers,
  describeRemoved,
  type Found,
  foundCounts,
  hasNothing,
  isTooLong,
  nothingStored,
  othersAsJson,
  whyIncomplete,
} from './erasure-report.ts';
import { type Searches, searchQueues, type User, waitForShortQueue } from './user-messages.ts';

/** The maximum number of searches of the queues, which are repeated while messages are in flight elsewhere. */
const MAX_PASSES = 5;
const PAUSE_MS = 1000;
const LIMITS = {
  /** So few that they are hidden for seconds: a function stores them. */
  queue: { maxMessages: 1000, visibilityTimeoutSeconds: 30 },
  deadLetterQueue: DEAD_LETTERS,
};

export interface EraseOptions {
  /** Prints one JSON document instead of sentences. */
  readonly json?: boolean | undefined;
  /** Prints a line of the result; with `isDryRun`, what would be removed is the result. */
  readonly print: (line: string) => void;
  /** Prints a line that is not part of the result. */
  readonly note: (line: string) => void;
  /** Asks whether to remove what was shown. */
  readonly confirm: () => Promise<boolean>;
  /** Only shows what would be removed. */
  readonly isDryRun?: boolean | undefined;
  readonly progress: StartProgress;
  /** Ends the run after the batches in flight. */
  readonly signal: AbortSignal;
}

/**
 * Shows the promo events of one user and, if confirmed, erases them. It starts with the messages in
 * both queues, so that none of them is stored in the table after the table was searched. While the
 * queue is long, it waits for the function that stores its messages instead of hiding them from it.
 * If the queue was in use, it searches again after the visibility timeout: what was in flight is
 * stored or has returned by then, whatever the approximate counts of SQS said.
 *
 * Nothing stored is a success: a run after an unfinished one can say that the user is erased.
 *
 * @throws UserError when there never was such a client, and when the erasure is not confirmed.
 * @throws UserError when a message may be left: another receiver had it in flight, SQS did not delete it, or there
 *   are too many to search. Everything that it printed as removed is removed.
 * @throws what the SQS and DynamoDB clients throw. A run that failed or was killed can be repeated.
 */
export async function eraseUser(
  outputs: Outputs,
  user: User,
  options: EraseOptions,
): Promise<void> {
  const { json, print, note, confirm, isDryRun, progress, signal } = options;
  const sqs = sqsClient(outputs);
  const dynamodb = documentClient(outputs);
  const messages = {
    queue: new Messages(sqs, outputs.PromoEventsQueueUrl),
    deadLetterQueue: new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl),
  };
  const busMessages = new Messages(sqs, outputs.PromoEventsBusDeadLetterQueueUrl);
  const removed = { queue: 0, deadLetterQueue: 0, table: 0 };
  /** The last search; undefined if it failed. */
  let searches: Searches | undefined;

  async function searchOnce(removes: boolean): Promise<Searches> {
    using bar = progress('Messages searched');
    searches = undefined;
    searches = await searchQueues(messages, (name) => ({
      ...{ ...LIMITS[name], removes, progress: bar.show, signal },
      isWanted: ({ clientId, userId }) => clientId === user.clientId && userId === user.userId,
      onFound: (found) => {
        if (removes) removed[name] += found.length;
      },
    }));
    return searches;
  }

  /**
   * Searches again while messages are in flight elsewhere. Returns the last search, which is idle if
   * all of them were.
   */
  async function search(removes: boolean): Promise<Searches> {
    let wasIdle = true;
    for (let pass = 1; ; pass++) {
      const found = await searchOnce(removes);
      wasIdle &&= found.isIdle;
      const isDone = isTooLong(found) || whyIncomplete(found) === undefined;
      if (isDone || pass === MAX_PASSES) return { ...found, isIdle: wasIdle };
      await setTimeout(PAUSE_MS);
    }
  }

  /** @param how once is enough for a question. */
  async function look(how: typeof search): Promise<Found> {
    const found = { ...(await how(false)), table: await countItems(dynamodb, outputs, user) };
    endIfInterrupted(signal);
    return found;
  }

  async function waitForReturn(): Promise<void> {
    const seconds = await messages.queue.visibilityTimeoutSeconds();
    note(`The queue is in use. Searching it again in ${seconds} s.`);
    await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
    endIfInterrupted(signal);
  }

  async function removeAllItems(expected: number): Promise<void> {
    using bar = progress('Items removed', expected);
    let done = 0;
    for await (const Key of itemsOf(dynamodb, outputs, user)) {
      await dynamodb.send(new DeleteCommand({ TableName: outputs.PromoEventsTableName, Key }));
      removed.table++;
      bar.show(++done);
    }
  }

  async function removeOnce(items: number): Promise<Searches> {
    await waitForShortQueue(messages.queue, { ...LIMITS.queue, note, signal });
    const found = await search(true);
    endIfInterrupted(signal);
    await removeAllItems(items);
    return found;
  }

  /** Removes everything. Returns why something may be left. */
  async function removeAll({ isIdle, table }: Found): Promise<string | undefined> {
    let found = await removeOnce(table);
    if (!(isIdle && found.isIdle) && !isTooLong(found)) {
      await waitForReturn();
      found = await removeOnce(0);
    }
    return whyIncomplete(found);
  }

  /** What is not known, because a call failed, is null. */
  const asJson = (busDeadLetters: number, counts: object) =>
    JSON.stringify({ ...user, ...counts, ...othersAsJson(searches), busDeadLetters });

  try {
    const bus = await busMessages.count();
    const busDeadLetters = bus.waiting + bus.inFlight;
    let found = await look(isDryRun ? search : searchOnce);
    if (!isDryRun && hasNothing(found) && !found.isIdle) {
      await waitForReturn();
      found = await look(search);
    }
    if (isDryRun || hasNothing(found)) {
      const problem = whyIncomplete(found, isDryRun);
      const isNothing = hasNothing(found) && !problem;
      if (isNothing) await expectKnown(outputs, user);
      const counts = isDryRun ? { found: foundCounts(found) } : { removed };
      if (json) print(asJson(busDeadLetters, counts));
      else if (isNothing) print(nothingStored(user));
      else describeFound(user, found).forEach(isDryRun ? print : note);
      describeOthers(found, busDeadLetters).forEach(note);
      if (problem) throw new UserError(problem, 'incomplete');
      return;
    }
    describeFound(user, found).forEach(note);
    if (!(await confirm())) throw new UserError('Nothing was removed.', 'notConfirmed');
    let problem: string | undefined;
    // What is removed is said even if a call fails then.
    try {
      problem = await removeAll(found);
    } finally {
      if (json) print(asJson(busDeadLetters, { removed }));
      else describeRemoved(removed).forEach(print);
      if (searches) describeOthers(searches, busDeadLetters).forEach(note);
    }
    if (problem) throw new UserError(problem, 'incomplete');
    if (removed.queue + removed.deadLetterQueue + removed.table === 0) {
      await expectKnown(outputs, user);
      if (!json) print(nothingStored(user));
    }
  } finally {
    sqs.destroy();
    dynamodb.destroy();
  }
}

/** Checks the id of the client: of a misspelled one, nothing would be stored either. */
async function expectKnown(outputs: Outputs, { clientId }: User): Promise<void> {
  using tables = configurationTables(outputs);
  await expectKnownClient(tables, clientId);
}

function endIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new UserError('Interrupted. Run it again.', 'interrupted');
}

async function countItems(
  dynamodb: DynamoDBDocumentClient,
  outputs: Outputs,
  user: User,
): Promise<number> {
  let count = 0;
  for await (const _ of itemsOf(dynamodb, outputs, user)) count++;
  return count;
}

/** The keys of the user's items. */
async function* itemsOf(
  client: DynamoDBDocumentClient,
  { PromoEventsTableName }: Outputs,
  { clientId, userId }: User,
): AsyncGenerator<Record<string, unknown>> {
  const pages = paginateQuery(
    { client },
    {
      TableName: PromoEventsTableName,
      KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :prefix)',
      ExpressionAttributeValues: { ':clientId': clientId, ':prefix': userPrefix(userId) },
      ProjectionExpression: 'clientId, eventId',
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) yield* Items;
}
