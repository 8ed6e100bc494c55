import { Command } from 'commander';
import { counted, StoredId } from 'customer-data-api/configuration';
import {
  type Deployment,
  documentClient,
  findDeploymentToChange,
  sqsClient,
} from 'customer-data-api-deployment';
import {
  interruption,
  noteTo,
  printTo,
  progressBar,
  suggested,
  type Terminal,
  wrapped,
} from 'customer-data-api-deployment/program';
import { expectKnownClient } from '../../../configurations/known-client.ts';
import { configurationTables } from '../../../configurations/tables.ts';
import { confirmChange, expectConfirmation } from '../../../confirm.ts';
import { type ChangeOptions, CLIENT_ID, changeCommand, parserOf } from '../../../options.ts';
import { awsTime } from '../../aws-time.ts';
import { countItems, eraseItems, markErased, type User } from '../../erase-user.ts';
import { findSimilar } from '../../similar-promo-events.ts';
import { SqsQueue } from '../../sqs-queue.ts';

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
    .description('erase the promo events of a user that were received until now')
    .argument(...CLIENT_ID)
    .requiredOption('--user <userId>', 'the userId, as the app sends it', parserOf(StoredId))
    .action((clientId: string, { user: userId, ...options }: Options) =>
      eraseUser(terminal, { clientId, userId }, options),
    );
}

/**
 * Counts the items of a user and, if confirmed, erases what was received about the user until now.
 * Nothing in the table is a success: messages may wait in the queues, and a backup may have what an
 * accident has deleted.
 *
 * @throws UserError when there never was such a client, and when the erasure is not confirmed or
 *   was interrupted. Everything that it printed as removed is removed.
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
  using bar = progressBar(terminal, 'Items removed');
  const print = printTo(terminal);
  const note = wrapped(noteTo(terminal), terminal.stderr);
  using sqs = sqsClient(outputs);
  using documents = documentClient(outputs);
  const table = { documentClient: documents, tableName: outputs.PromoEventsTableName };
  const erasures = { documentClient: documents, tableName: outputs.ErasuresTableName };

  const found = await countItems(table, user);
  // Of a client with a misspelled id, nothing would be stored either.
  if (found === 0) await expectClient(deployment, user);
  const who = `user ${user.userId} of client ${user.clientId}`;
  const stored = `Promo events of ${who} in the table: ${found}`;
  for (const line of await describeSimilarUsers(deployment, user)) note(line);
  if (dryRun) {
    print(json ? JSON.stringify({ ...user, found }) : stored);
    return note('Dry run: nothing was changed.');
  }
  note(stored);
  const question = `Erase what was received from ${who} until now, also what waits in the queues? This cannot be undone.`;
  await confirmChange(terminal, { deployment, question, isAnswered: yes, signal });

  const now = await awsTime(documents, outputs.PromoEventsTableName);
  const erasedAt = await markErased(erasures, user, now);
  let removed = 0;
  try {
    await eraseItems(table, user, erasedAt, {
      signal,
      onRemoved: (count) => {
        removed = count;
        bar.show(count);
      },
      onWait: (seconds) => {
        bar[Symbol.dispose]();
        note(`Searching the table again in ${seconds} s, when all functions know of the erasure.`);
      },
    });
  } finally {
    bar[Symbol.dispose]();
    // What is removed is printed even if a call fails then.
    print(
      json ? JSON.stringify({ ...user, erasedAt, removed }) : `Removed from the table: ${removed}`,
    );
  }
  if (!json) print(`Erased: what was received before ${erasedAt}.`);
  note(
    'For up to 14 days, messages of the user may stay in the queues. They are neither stored nor shown. To delete those in the dead-letter queue now:',
  );
  note(suggested('queue', 'redrive'));
  const busDeadLetters = await new SqsQueue(sqs, outputs.PromoEventsBusDeadLetterQueueUrl).length();
  if (busDeadLetters > 0) {
    note(
      `The event bus has ${counted(busDeadLetters, 'dead letter')} of all users. A replay leaves out erased events: ${suggested('queue', 'replay')}`,
    );
  }
  note('Now tell the follow-on systems to erase the user.');
}

async function expectClient({ outputs }: Deployment, { clientId }: User): Promise<void> {
  using tables = configurationTables(outputs);
  await expectKnownClient(tables, clientId);
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
