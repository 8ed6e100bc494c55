import { expectKnownClient } from '../../../admin/configuration/known-client.ts';
import {
  type Found,
  hasNothing,
  SHORT_QUEUE,
  type User,
  UserErasure,
} from '../../../admin/promo-events/erase-user.ts';
import { recordErasure } from '../../../admin/promo-events/erasures.ts';
import { Messages } from '../../../admin/promo-events/sqs-queue.ts';
import type { Searches } from '../../../admin/promo-events/user-messages.ts';
import { UserError } from '../../../core/user-error.ts';
import { documentClient, sqsClient } from '../../deployment/aws-clients.ts';
import type { Outputs } from '../../deployment/outputs.ts';
import { configurationTables } from '../../deployment/tables.ts';
import type { StartProgress } from '../../terminal/progress.ts';
import {
  describeFound,
  describeOthers,
  describeRemoved,
  foundCounts,
  nothingStored,
  othersAsJson,
  whyIncomplete,
} from './erasure-report.ts';

export interface EraseOptions {
  /** Prints one JSON document instead of sentences. */
  readonly json?: boolean | undefined;
  /** Prints a line of the result; with `isDryRun`, what would be removed is the result. */
  readonly print: (line: string) => void;
  /** Prints a line that is not part of the result. */
  readonly note: (line: string) => void;
  /** Asks for a confirmation of what was shown. */
  readonly confirm: () => Promise<boolean>;
  /** Only shows what would be removed. */
  readonly isDryRun?: boolean | undefined;
  readonly progress: StartProgress;
  /** Ends the run after the batches in flight. */
  readonly signal: AbortSignal;
}

/**
 * Shows the promo events of one user and, if confirmed, erases them. Nothing stored is a success: a
 * run after an unfinished one can say that the user is erased.
 *
 * @throws UserError when there never was such a client, and when the erasure is not confirmed.
 * @throws UserError when a message may be left. Everything that it printed as removed is removed.
 * @throws what the SQS and DynamoDB clients throw. A run that failed or was killed can be repeated.
 */
export async function printErasure(
  outputs: Outputs,
  user: User,
  options: EraseOptions,
): Promise<void> {
  const { json, confirm, isDryRun = false, progress, signal } = options;
  using searched = progress('Messages searched');
  using erased = progress('Items removed');
  const belowProgress = (say: (line: string) => void) => (line: string) => {
    for (const bar of [searched, erased]) bar[Symbol.dispose]();
    say(line);
  };
  const [print, note] = [belowProgress(options.print), belowProgress(options.note)];
  const sqs = sqsClient(outputs);
  const documents = documentClient(outputs);
  const erasure = new UserErasure(
    {
      queue: new Messages(sqs, outputs.PromoEventsQueueUrl),
      deadLetterQueue: new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl),
      documentClient: documents,
      tableName: outputs.PromoEventsTableName,
    },
    user,
    {
      ...{ onSearched: searched.show, onRemoved: erased.show, signal },
      onLong: (length) =>
        note(
          `About ${length} messages wait to be stored. Searching starts at ${SHORT_QUEUE} or fewer.`,
        ),
      onInUse: (seconds) => note(`The queue is in use. Searching it again in ${seconds} s.`),
    },
  );
  const { removed } = erasure;
  const { ErasuresTableName: tableName } = outputs;
  let busDeadLetters = 0;
  const printResult = (counts: object, lines: readonly string[], say = print) => {
    const { searches } = erasure;
    const others = othersAsJson(searches);
    if (json) print(JSON.stringify({ ...user, ...counts, ...others, busDeadLetters }));
    else lines.forEach(say);
    if (searches) describeOthers(searches, busDeadLetters).forEach(note);
  };
  const expectComplete = (searches: Searches) => {
    const problem = whyIncomplete(searches, isDryRun);
    if (problem) throw new UserError(problem, 'incomplete');
  };
  const isNothingStored = async (searches: Searches, isNothing: boolean) => {
    const isSure = isNothing && whyIncomplete(searches) === undefined;
    if (isSure) await expectKnown(outputs, user);
    return isSure;
  };
  try {
    const bus = await new Messages(sqs, outputs.PromoEventsBusDeadLetterQueueUrl).count();
    busDeadLetters = bus.waiting + bus.inFlight;
    const found = isDryRun ? await erasure.find() : await erasure.findToErase();
    if (isDryRun || hasNothing(found)) {
      const isNothing = await isNothingStored(found, hasNothing(found));
      const counts = isDryRun ? { found: foundCounts(found) } : { removed };
      if (isNothing) printResult(counts, [nothingStored(user)]);
      else printResult(counts, describeFound(user, found), isDryRun ? print : note);
      return expectComplete(found);
    }
    describeFound(user, found).forEach(note);
    if (!(await confirm())) throw new UserError('Nothing was removed.', 'notConfirmed');
    if (tableName) await recordErasure({ documentClient: documents, tableName }, user);
    const searches = await eraseFound(erasure, found, () =>
      printResult({ removed }, describeRemoved(removed)),
    );
    expectComplete(searches);
    const isNothing = removed.queue + removed.deadLetterQueue + removed.table === 0;
    if ((await isNothingStored(searches, isNothing)) && !json) print(nothingStored(user));
  } finally {
    sqs.destroy();
    documents.destroy();
  }
}

/** Erases what was found. What is removed is printed even if a call fails then. */
async function eraseFound(erasure: UserErasure, found: Found, printRemoved: () => void) {
  try {
    return await erasure.erase(found);
  } finally {
    printRemoved();
  }
}

/** Checks the id of the client: of a misspelled one, nothing would be stored either. */
async function expectKnown(outputs: Outputs, { clientId }: User): Promise<void> {
  using tables = configurationTables(outputs);
  await expectKnownClient(tables, clientId);
}
