import { Command } from 'commander';
import { counted, StoredId } from 'customer-data-api/configuration';
import {
  type Deployment,
  documentClient as documents,
  findDeploymentToChange,
  sqsClient,
} from 'customer-data-api-deployment';
import {
  interruption,
  noteTo,
  printTo,
  progressBar,
  type Terminal,
  UserError,
  wrapped,
} from 'customer-data-api-deployment/program';
import { expectKnownClient } from '../../../configurations/known-client.ts';
import { configurationTables } from '../../../configurations/tables.ts';
import { confirm, expectConfirmation } from '../../../confirm.ts';
import { type ChangeOptions, CLIENT_ID, changeCommand, parserOf } from '../../../options.ts';
import { awsTime } from '../../aws-time.ts';
import { hasNothing, SHORT_QUEUE, type User, userErasure } from '../../erase-user.ts';
import { recordErasure } from '../../erasures.ts';
import { findSimilar } from '../../similar-promo-events.ts';
import { Messages } from '../../sqs-queue.ts';
import type { Searches } from '../../user-messages.ts';
import {
  describeFound,
  describeOthers,
  describeRemoved,
  erasureQuestion,
  foundCounts,
  nothingStored,
  othersAsJson,
  whyIncomplete,
} from './erasure-report.ts';

interface Options extends ChangeOptions {
  readonly user: string;
}

/** `./customer-data user`: what is stored about the users of apps. */
export function userCommand(terminal: Terminal): Command {
  return new Command('user').addCommand(eraseCommand(terminal));
}

function eraseCommand(terminal: Terminal): Command {
  return changeCommand('erase', [
    'user erase demo --user jane --stack CustomerDataApi-prod --dry-run',
    'user erase demo --user jane --stack CustomerDataApi-prod',
  ])
    .description(
      'erase the promo events of a user from the table, the queue and the dead-letter queue',
    )
    .argument(...CLIENT_ID)
    .requiredOption('--user <userId>', 'the userId, as the app sends it', parserOf(StoredId))
    .action((clientId: string, { user: userId, ...options }: Options) =>
      eraseUser(terminal, { clientId, userId }, options),
    );
}

/**
 * Shows the promo events of one user and, if confirmed, erases them. Nothing stored is a success: a
 * run after one that failed or was killed can say that the user is erased.
 *
 * @throws UserError when there never was such a client, and when the erasure is not confirmed.
 * @throws UserError when a message may be left. Everything that it printed as removed is removed.
 */
async function eraseUser(
  terminal: Terminal,
  user: User,
  { yes, dryRun, json, ...options }: ChangeOptions,
): Promise<void> {
  expectConfirmation(terminal, { yes, dryRun });
  const deployment = await findDeploymentToChange(options);
  const { outputs } = deployment;
  using interrupted = interruption();
  const { signal } = interrupted;
  using searched = progressBar(terminal, 'Messages searched');
  using erased = progressBar(terminal, 'Items removed');
  const belowProgress = (say: (line: string) => void) => (line: string) => {
    for (const bar of [searched, erased]) bar[Symbol.dispose]();
    say(line);
  };
  const toStdout = printTo(terminal);
  const print = belowProgress(json ? toStdout : wrapped(toStdout, terminal.stdout));
  const note = belowProgress(wrapped(noteTo(terminal), terminal.stderr));
  using sqs = sqsClient(outputs);
  using documentClient = documents(outputs);
  const erasure = userErasure(
    {
      queue: new Messages(sqs, outputs.PromoEventsQueueUrl),
      deadLetterQueue: new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl),
      ...{ documentClient, tableName: outputs.PromoEventsTableName },
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
  const busDeadLetters = await new Messages(sqs, outputs.PromoEventsBusDeadLetterQueueUrl).length();
  const printResult = (counts: object, lines: readonly string[], say = print) => {
    const searches = erasure.lastSearch();
    const others = othersAsJson(searches);
    if (json) print(JSON.stringify({ ...user, ...counts, ...others, busDeadLetters }));
    else lines.forEach(say);
    if (searches) describeOthers(searches, busDeadLetters).forEach(note);
  };
  const expectComplete = (searches: Searches) => {
    const problem = whyIncomplete(searches, dryRun);
    if (problem) throw new UserError(problem, 'incomplete');
  };
  const record = async () => {
    const { ErasuresTableName: tableName, PromoEventsTableName } = outputs;
    if (!tableName) return;
    const now = await awsTime(documentClient, PromoEventsTableName);
    await recordErasure({ documentClient, tableName }, user, now);
  };
  const isNothingStored = async (searches: Searches, isNothing: boolean) => {
    const isSure = isNothing && whyIncomplete(searches) === undefined;
    if (!isSure) return false;
    // Of a client with a misspelled id, nothing would be stored either.
    using tables = configurationTables(outputs);
    await expectKnownClient(tables, user.clientId);
    return true;
  };

  searched.show(0);
  const found = dryRun ? await erasure.find() : await erasure.findToErase();
  for (const line of await describeSimilarUsers(deployment, user)) note(line);
  if (dryRun || hasNothing(found)) {
    const counts = dryRun ? { found: foundCounts(found) } : { removed };
    const isNothing = await isNothingStored(found, hasNothing(found));
    // A backup may have what is no longer stored.
    if (isNothing && !dryRun) await record();
    if (isNothing) printResult(counts, [nothingStored(user)]);
    else printResult(counts, describeFound(user, found), dryRun ? print : note);
    if (dryRun) note('Dry run: nothing was changed.');
    else if (!isNothing) note('Nothing was erased.');
    return expectComplete(found);
  }
  describeFound(user, found).forEach(note);
  const question = erasureQuestion(user, found);
  if (!(await confirm(terminal, { deployment, question, isAnswered: yes, signal }))) {
    throw new UserError('Nothing was removed.', 'notConfirmed');
  }
  await record();
  // What is removed is printed even if a call fails then.
  const searches = await erasure
    .erase(found)
    .finally(() => printResult({ removed }, describeRemoved(removed)));
  // What came during the erasure is removed, too, and must not come back after a restore.
  await record();
  expectComplete(searches);
  const isNothing = removed.queue + removed.deadLetterQueue + removed.table === 0;
  if ((await isNothingStored(searches, isNothing)) && !json) print(nothingStored(user));
  note('Now tell the follow-on systems to erase the user.');
}

/** Names users whose ids differ invisibly or in case only: nothing of them is erased. */
async function describeSimilarUsers({ outputs }: Deployment, user: User): Promise<string[]> {
  using tables = configurationTables(outputs);
  const table = { dynamodb: tables.dynamodb, tableName: outputs.PromoEventsTableName };
  const { similar } = await findSimilar(table, user);
  return [...Map.groupBy(similar, ({ userId }) => userId)].map(
    ([userId, events]) =>
      `Another user, ${JSON.stringify(userId)}, keeps ${counted(events.length, 'promo event')}.`,
  );
}
