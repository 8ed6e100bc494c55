import { Command, InvalidArgumentError, Option } from 'commander';
import { comparableId, counted, StoredId } from 'customer-data-api/configuration';
import { StoredPromoCode } from 'customer-data-api/operations';
import {
  configurationTables,
  type Deployment,
  documentClient,
  findDeployment,
  sqsClient,
} from 'customer-data-api-deployment';
import { runChange } from 'customer-data-api-deployment/change';
import {
  type ChangeOptions,
  CLIENT_ID,
  changeCommand,
  parserOf,
  type ReadOptions,
  readClientId,
  readCommand,
} from 'customer-data-api-deployment/commands';
import { HOURS, type UnknownLogs } from 'customer-data-api-deployment/logs';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import {
  interruption,
  type Line,
  noteTo,
  printAll,
  printable,
  printByteOrderMark,
  progressBar,
  suggesting,
  type Terminal,
  tableRows,
  UsageError,
  whileWaiting,
  wrapped,
} from 'customer-data-api-deployment/program';
import { expectKnownClient } from 'customer-data-api-editor/clients';
import { type Copied, promoEventsCopy } from '../copy.ts';
import { erasureLookups, throwForOperator } from '../erase.ts';
import { promoImport, type Sums } from '../import/promo-import.ts';
import { promoEventsToCsv } from '../promo-events-csv.ts';
import { findRefusals, type Refusal, type Refusals } from '../refusals.ts';
import { escapedId } from '../same-user-or-code.ts';
import {
  type Applications,
  expectSearchable,
  type ListedPromoEvent,
  newestCodes,
  type PromoEventFilter,
  readPromoEvents,
  shownCode,
} from '../search.ts';
import { SqsQueue } from '../sqs-queue.ts';
import type { User } from '../stored-spellings.ts';
import { expectRange, readTime } from '../time.ts';
import { findDeadLetters } from '../user-dead-letters.ts';
import { describeWaiting } from '../words.ts';

/** `./customer-data promo`: the promo events of clients. */
export function promoCommand(terminal: Terminal): Command {
  return new Command('promo')
    .addCommand(listCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(copyCommand(terminal));
}

interface Options extends ReadOptions {
  readonly user?: string;
  readonly code?: string;
  readonly device?: string;
  readonly since?: string;
  readonly until?: string;
  /** A file: headings even without events, and events in the order of time. */
  readonly csv?: boolean;
  /** True if the dead letters of the user are received and listed, too. */
  readonly searchDeadLetters?: boolean;
}

/** `./customer-data promo list`: what became of promo codes. */
function listCommand(terminal: Terminal): Command {
  return readCommand('list', [
    'promo list demo --stack CustomerDataApi-prod --user jane',
    'promo list demo --stack CustomerDataApi-prod --user jane --search-dead-letters',
    'promo list demo --stack CustomerDataApi-prod --code SUMMER26 --since 24h',
    'promo list demo --stack CustomerDataApi-prod --csv > events.csv',
  ])
    .description('list the promo events of a client, by user and code')
    .argument(...CLIENT_ID)
    .option('--user <userId>', 'only this userId, as the app sends it', parserOf(StoredId))
    .option('--code <code>', 'only this promo code', parserOf(StoredPromoCode))
    .option(
      '--device <deviceId>',
      'only this Device-Id, if the deployment stores device ids',
      parserOf(StoredId),
    )
    .option(
      '--since <time>',
      'only events since a day or a time of this machine, or a duration: today, 2026-11-21, 09:30, 2026-11-21T09:30, 2026-11-21T09:30Z, 24h',
      readStart,
    )
    .option('--until <time>', 'only events of such a day and before, or before a time', readEnd)
    .addOption(
      new Option('--csv', 'print CSV with a header row, in the order of time').conflicts('json'),
    )
    .option(
      '--search-dead-letters',
      'of a user, also search the dead letters, which are not stored',
    )
    .action(async (clientId: string, { user, code, device, since, until, ...options }: Options) => {
      expectRange({ since, until });
      if (options.searchDeadLetters && (user === undefined || (code ?? device ?? since ?? until))) {
        throw new UsageError('--search-dead-letters needs --user, and no other condition.');
      }
      const deployment = await findDeployment(options);
      const filter = { clientId, userId: user, promoCode: code, deviceId: device, since, until };
      expectSearchable(deployment.outputs, filter);
      await printAll(terminal, listEvents(deployment, filter, options, terminal));
    });
}

/** Reads the beginning of a day, or a time, from an option. */
function readStart(text: string): string {
  return timeIn(text).start;
}

/** Reads the end of a range from an option. A day is in the range. */
function readEnd(text: string): string {
  return timeIn(text).end;
}

function timeIn(text: string) {
  const time = readTime(text, new Date());
  if (time) return time;
  throw new InvalidArgumentError(
    'It must be a day, a time, today, yesterday, or a duration such as 30m, 24h or 7d.',
  );
}

/**
 * Lists promo events, and says on the standard error what the list cannot show. It only counts the
 * messages of the queue: to receive them would hide them from the function that stores them.
 *
 * @throws UserError when there are no events and there never was such a client, and when not all
 *   dead letters were searched.
 */
async function* listEvents(
  deployment: Deployment,
  filter: PromoEventFilter,
  { json = false, csv = false, searchDeadLetters = false }: Options,
  terminal: Terminal,
): AsyncGenerator<string> {
  const { outputs } = deployment;
  const { clientId, ...conditions } = filter;
  const { userId } = conditions;
  const note = wrapped(noteTo(terminal), terminal.stderr);
  using tables = configurationTables(outputs);
  using sqs = sqsClient(outputs);
  const deadLetters = new SqsQueue(sqs, outputs.PromoEventsDeadLetterQueueUrl);
  // Before the table is read, so that a code stored in the meantime is counted or listed.
  const waiting = await new SqsQueue(sqs, outputs.PromoEventsQueueUrl).length();
  const dead = await deadLetters.length();

  const kept: ListedPromoEvent[] = [];
  const users = new Set<string>();
  let others: readonly ListedPromoEvent[] = [];
  let count = 0;
  function* lines(events: readonly ListedPromoEvent[]): Generator<string> {
    for (const event of events) {
      if (count++ === 0 && !json && !csv) yield HEADINGS;
      if (csv) kept.push(event);
      else yield json ? JSON.stringify(event) : rowOf(event);
    }
  }

  const totals = { imported: 0, applied: 0, repeated: 0 };
  {
    const table = { dynamodb: tables.dynamodb, tableName: outputs.PromoEventsTableName };
    let read = 0;
    // Where the list itself is on the terminal, it is the progress.
    using bar = progressBar(terminal, 'Read', !terminal.stdout.isTTY);
    for await (const page of readPromoEvents(table, filter)) {
      yield* lines(page.events);
      if (page.user !== undefined) users.add(page.user);
      others = newestCodes([...others, ...page.others]);
      const imported = page.events.filter(({ importedAt }) => importedAt !== undefined).length;
      totals.imported += imported;
      totals.applied += page.applied - imported;
      totals.repeated += page.repeated;
      read += page.read;
      if (read > 0) bar.show(read);
    }
  }
  if (count === 0) await expectKnownClient(tables, clientId);
  const letters =
    searchDeadLetters && userId !== undefined
      ? await searchedLetters(outputs, deadLetters, { clientId, userId }, terminal)
      : undefined;
  yield* lines(letters?.events ?? []);
  if (csv) {
    printByteOrderMark(terminal.stdout);
    yield* promoEventsToCsv(kept);
  }

  for (const event of letters?.events ?? []) users.add(comparableId(event.userId ?? ''));
  const letterCount = letters?.events.length;
  const shown = { ...totals, count, users: [...users], others };
  const found = { ...shown, waiting, dead, letters: letterCount };
  notesOn(found, filter, { json, isText: !json && !csv }).forEach(note);
  if (count === 0 && Object.values(conditions).some(Boolean)) {
    const refusals = await whileWaiting(terminal, 'Searching the logs for refusals', () =>
      findRefusals(deployment, clientId),
    );
    describeRefusals(clientId, refusals).forEach(note);
  }
  if (letters?.failure) throw letters.failure;
}

async function searchedLetters(
  outputs: Outputs,
  deadLetters: SqsQueue,
  user: User,
  terminal: Terminal,
) {
  using documents = documentClient(outputs);
  const isErased = (await erasureLookups(documents, outputs))();
  using interrupted = interruption();
  using bar = progressBar(terminal, 'Dead letters searched');
  const { signal } = interrupted;
  const options = { isErased, onSearched: bar.show, signal };
  return await findDeadLetters(deadLetters, user, options).catch(throwForOperator);
}

/** The listed values, and those that are not stored. */
interface Found extends Applications {
  readonly imported: number;
  readonly count: number;
  /** The users whose ids look like one that was asked for. */
  readonly users: readonly string[];
  /** The newest other codes of a user that was asked for. */
  readonly others: readonly ListedPromoEvent[];
  /** The requests of any user in the queue, and their dead letters. */
  readonly waiting: number;
  readonly dead: number;
  /** The listed dead letters, if they were searched. */
  readonly letters: number | undefined;
}

/** Says what a list does not show. */
function notesOn(
  { count, imported, applied, repeated, users, others, waiting, dead, letters }: Found,
  { userId, promoCode }: PromoEventFilter,
  { json, isText }: { readonly json: boolean; readonly isText: boolean },
): Line[] {
  return [
    ...(count === 0 ? ['No such promo event is stored.'] : []),
    ...(count === 0 && others.length > 0
      ? [`The newest other codes of this user: ${others.map(shownCode).join(', ')}`]
      : []),
    ...(isText && imported + applied + repeated > 0
      ? [
          `${imported > 0 ? `${imported} imported, ` : ''}${applied} applied, ${repeated} repeated. Applied means recorded: the service does not know which codes exist.`,
        ]
      : []),
    ...(users.length > 1
      ? [
          `These ids look alike, and are those of ${users.length} users: ${users.map(escapedId).join(', ')}`,
        ]
      : []),
    ...(waiting > 0
      ? [`Of any user: ${describeWaiting(waiting)} Run it again when none waits.`]
      : // Who hands the data of a person over must know that it is complete.
        json && userId !== undefined
        ? [describeWaiting(waiting)]
        : []),
    ...(letters === undefined && dead > 0
      ? [
          `${counted(dead, 'dead letter')}, of any user, ${dead === 1 ? 'is' : 'are'} not stored: --user USER --search-dead-letters searches those of one.`,
        ]
      : []),
    ...(letters === 0 ? ['There is no such dead letter.'] : []),
    ...(letters !== undefined && letters > 0
      ? [suggesting('Dead letters are not stored yet. Move them back:', 'queue', 'redrive')]
      : []),
    ...(isText && count > 0 && userId !== undefined && promoCode === undefined
      ? ['Refused requests are not stored. If a code is missing, add --code CODE.']
      : []),
  ];
}

/** The way to the outcome of one request. */
const ONE_REQUEST =
  "For one request, ask the app's developer for its x-amzn-RequestId, or what the onResult of the SDK got.";

/** The most lines of each list. */
const MOST_REFUSALS = 10;

/** Tells why codes of a client were refused, and what to tell its customers. */
function describeRefusals(clientId: string, refusals: Refusals | UnknownLogs): string[] {
  const name = printable(clientId);
  if ('unknown' in refusals) {
    const readers = refusals.isDenied
      ? ' Those with the policy Editor can read them with this command.'
      : '';
    return [
      `Refused requests are not stored. Why those of ${name} were refused is in the logs: ${refusals.unknown}${readers}`,
      ONE_REQUEST,
    ];
  }
  const { ofClient, ofAnyClient } = refusals;
  const listed = (refusals: readonly Refusal[]) => [
    ...refusals.slice(0, MOST_REFUSALS).map(refusalText),
    ...(refusals.length > MOST_REFUSALS ? ['  …'] : []),
  ];
  return [
    ofClient.length === 0
      ? `Refused requests are not stored. In the last ${HOURS} hours, none of ${name} was logged.`
      : `Refused requests are not stored. In the last ${HOURS} hours, these of ${name} were logged, of any of its customers:`,
    ...listed(ofClient),
    ...(ofAnyClient.length > 0
      ? ['These were refused before their client was known, so they are those of all clients:']
      : []),
    ...listed(ofAnyClient),
    ONE_REQUEST,
  ];
}

function refusalText({ hour, requests, reason, advice }: Refusal): string {
  const when = hour.replace('T', ' ').replace(/:00Z$/, 'Z');
  return `  ${when}, ${counted(requests, 'request')}: ${printable(reason)} Tell the customer: ${advice}`;
}

interface ImportOptions extends ChangeOptions {
  readonly client: string;
  readonly rate: number;
}

/** `./customer-data promo import`: codes that were applied elsewhere. */
function importCommand(terminal: Terminal): Command {
  return changeCommand('import', [
    'promo import codes.csv --client demo --stack CustomerDataApi-prod --dry-run',
    'promo import codes.csv --client demo --stack CustomerDataApi-prod',
  ])
    .description('import codes that were applied elsewhere, without events')
    .argument(
      '<file>',
      'CSV or JSON lines with userId, promoCode, date, and a source if there is one',
    )
    .requiredOption('--client <clientId>', 'such as demo', readClientId)
    .option('--rate <items>', 'the most items to write in a second', readRate, 100)
    .action((file: string, { client: clientId, rate, ...options }: ImportOptions) =>
      runChange(terminal, options, promoImport({ file, clientId, rate }), {
        counted: 'Rows',
        shown: ({ file: { refused }, users, ignoresCase, sums }, { outputs }) => [
          ...refused.slice(0, MOST_REFUSED).map(({ line, reason }) => `Line ${line}: ${reason}`),
          ...(refused.length > MOST_REFUSED ? ['… --dry-run --json lists all.'] : []),
          outputs.UserIdClaim === 'none'
            ? `Apps must send these ids as userId, letter by letter: ${users.join(', ')}`
            : `The claim ${outputs.UserIdClaim} of ID tokens must have these ids, letter by letter: ${users.join(', ')}`,
          ...(ignoresCase
            ? []
            : [
                'Case counts for this client: its customers can apply a code again in another case.',
              ]),
          ...(sums ? [...describeCapitals(sums), describeImport('Would import', sums)] : []),
        ],
        would: () => [],
        question: () => 'An import cannot be taken back. Import these codes?',
        done: (done, _, { sums }) => (sums ? [] : describeCapitals(done)),
        result: (sums) => [describeImport('Imported', sums)],
        json: ({ sums }, done) => {
          const { failure: _, ...found } = { ...sums, ...done };
          return found;
        },
      }),
    );
}

/** The most refused rows that are listed. */
const MOST_REFUSED = 50;

function readRate(text: string): number {
  const rate = Number(text);
  if (/^\d+$/.test(text) && rate > 0) return rate;
  throw new InvalidArgumentError('It must be a whole number of items per second.');
}

function describeCapitals({ capitals }: Sums): string[] {
  if (capitals.length === 0) return [];
  return [
    `Nothing was stored of ${counted(capitals.length, 'UUID')} with capitals, such as ${capitals.slice(0, 3).join(', ')}. Does the claim have capitals, too? If not, write these ids in lower case, or apps can apply the codes again.`,
  ];
}

function describeImport(
  imports: string,
  { rows, imported, there, repeated, erased, expired, refused }: Sums,
): string {
  return `${imports} ${imported} of ${counted(rows, 'row')}. There already: ${there}. Twice in the file: ${repeated}. Of erased users: ${erased}. Older than promoEventRetentionDays: ${expired}. Refused: ${refused.length}.`;
}

/** `./customer-data promo copy`: brings a restored table up to date before it is used. */
function copyCommand(terminal: Terminal): Command {
  return changeCommand('copy', ['promo copy promo-events-restored --stack CustomerDataApi-prod'])
    .description('copy what a restored table lacks, and repeat erasures in it')
    .argument('<table>', 'the restored table')
    .action((table: string, options: ChangeOptions) =>
      runChange(terminal, options, promoEventsCopy(table), {
        counted: 'Promo events read',
        shown: () => [],
        would: ({ copied }) => [describeCopy(copied, 'Would copy', 'remove')],
        question: ({ from }) =>
          `Nothing may write to ${from} any more. Copy from it into ${table}?`,
        done: () => [],
        result: (copied) => [describeCopy(copied, 'Copied', 'removed')],
        json: ({ copied: found }, done) => {
          const { copied, erased, expired, late } = done ?? found;
          return { copied, erased, expired, late };
        },
      }),
    );
}

function describeCopy(
  { copied, erased, expired }: Copied,
  copies: string,
  removes: string,
): string {
  return `${copies} ${counted(copied, 'promo event')}, and ${removes} ${erased} of erased users and ${expired} that had expired.`;
}

const row = tableRows(24, 8, 16);

/** The line above those of events. */
const HEADINGS = row('RECEIVED', 'KIND', 'CODE', 'USER');

/** An event in a line of a table. */
function rowOf({
  receivedAt = '',
  kind = '',
  promoCode = '',
  userId = '',
  importedAt,
}: ListedPromoEvent) {
  // Nobody would see the spaces around an id.
  const user = userId === userId.trim() ? userId : JSON.stringify(userId);
  const shownKind = importedAt === undefined ? kind : 'imported';
  return row(...[receivedAt, shownKind, promoCode, user].map(printable));
}
