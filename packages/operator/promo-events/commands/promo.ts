import { Command, Option } from 'commander';
import { counted, StoredId } from 'customer-data-api/configuration';
import { StoredPromoCode } from 'customer-data-api/operations';
import { type IsErased, LISTED, type PromoEvent } from 'customer-data-api/promo-events';
import {
  type Deployment,
  documentClient,
  findDeployment,
  sqsClient,
} from 'customer-data-api-deployment';
import {
  interruption,
  noteTo,
  printAll,
  printable,
  progressBar,
  suggested,
  type Terminal,
  tableRows,
  UserError,
  whileWaiting,
  wrapped,
} from 'customer-data-api-deployment/program';
import {
  configurationTables,
  expectKnownClient,
} from '../../configurations/stored-configuration.ts';
import { countRefusals } from '../../count-refusals.ts';
import {
  type ChangeOptions,
  CLIENT_ID,
  changeCommand,
  parserOf,
  type ReadOptions,
  readCommand,
} from '../../options.ts';
import { runChange } from '../../run-change.ts';
import { HOURS } from '../../search-logs.ts';
import { expectRange, readEnd, readStart } from '../../time.ts';
import { type Copied, promoEventsCopy } from '../copy.ts';
import { erasureLookups } from '../erase.ts';
import { describeWaiting, inFlightElsewhere, tooManyDeadLetters } from '../redrive.ts';
import { findRefusals, type Refusal, type Refusals } from '../refusals.ts';
import {
  csvOf,
  findSimilar,
  matchOf,
  type PrintedPromoEvent,
  type PromoEventFilter,
  readPromoEvents,
  searchDeadLetters,
} from '../search.ts';
import { describeSpellings } from '../spellings.ts';
import { SqsQueue } from '../sqs-queue.ts';

/** `./customer-data promo`: the promo events of clients. */
export function promoCommand(terminal: Terminal): Command {
  return new Command('promo').addCommand(listCommand(terminal)).addCommand(copyCommand(terminal));
}

interface Options extends ReadOptions {
  readonly user?: string;
  readonly code?: string;
  readonly device?: string;
  readonly since?: string;
  readonly until?: string;
  /** A file: headings even without events, and events in the order of time. */
  readonly csv?: boolean;
  /** Whether the dead letters are received and listed, too. */
  readonly searchDeadLetters?: boolean;
}

/** The most events of similar codes: a code in another spelling can have thousands. */
const MAX_SIMILAR = 1000;

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
    .option('--device <deviceId>', 'only this Device-Id', parserOf(StoredId))
    .option(
      '--since <time>',
      'only events since a day or a time of this machine, or a duration: today, 2026-11-21, 09:30, 2026-11-21T09:30, 2026-11-21T09:30Z, 24h',
      readStart,
    )
    .option('--until <time>', 'only events of such a day and before, or before a time', readEnd)
    .addOption(
      new Option(
        '--csv',
        'print CSV with a header row, in the order of time; localTime is that of this machine',
      ).conflicts('json'),
    )
    .option('--search-dead-letters', 'also search the dead letters, which are not stored')
    .action(async (clientId: string, { user, code, device, since, until, ...options }: Options) => {
      expectRange({ since, until });
      const deployment = await findDeployment(options);
      const filter = { clientId, userId: user, promoCode: code, deviceId: device, since, until };
      await printAll(terminal, listEvents(deployment, filter, options, terminal));
    });
}

/**
 * Lists promo events, and says on the standard error what the list cannot show. Of a user, it lists
 * similar ones too: without them, a code would be taken for one that was not applied. A CSV has
 * them only if nothing else was found: those who count or forward it may overlook their mark.
 *
 * It only counts the messages of the queue. To receive them would hide them from the function that
 * stores them.
 *
 * @throws UserError when there are no events and there never was such a client, and when not all
 *   dead letters were searched.
 */
async function* listEvents(
  deployment: Deployment,
  filter: PromoEventFilter,
  { json, csv, searchDeadLetters: searches }: Options,
  terminal: Terminal,
): AsyncGenerator<string> {
  const { outputs } = deployment;
  const { clientId, ...conditions } = filter;
  const { userId } = conditions;
  const note = wrapped(noteTo(terminal), terminal.stderr);
  using tables = configurationTables(outputs);
  const table = { dynamodb: tables.dynamodb, tableName: outputs.PromoEventsTableName };
  using sqs = sqsClient(outputs);
  const queue = new SqsQueue(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new SqsQueue(sqs, outputs.PromoEventsDeadLetterQueueUrl);
  const kept: PrintedPromoEvent[] = [];
  let isHeaded = json;
  function* lines(events: readonly PrintedPromoEvent[]): Generator<string> {
    if (csv) kept.push(...events);
    else {
      if (!isHeaded && events.length > 0) yield HEADINGS;
      isHeaded ||= events.length > 0;
      yield* events.map(json ? (event) => JSON.stringify(event) : rowOf);
    }
  }

  // Before the table is read, so that a code stored in the meantime is counted or listed.
  const waiting = await queue.length();
  const dead = await deadLetters.length();
  let count = 0;
  const similarCodes: PrintedPromoEvent[] = [];
  {
    let read = 0;
    // Where the list itself is on the terminal, it is the progress.
    using bar = progressBar(terminal, 'Read', !terminal.stdout.isTTY);
    for await (const page of readPromoEvents(table, filter)) {
      yield* lines(page.events);
      count += page.events.length;
      read += page.read;
      if (read > 0) bar.show(read);
      similarCodes.push(...page.similar.slice(0, MAX_SIMILAR - similarCodes.length));
    }
  }
  if (count === 0) await expectKnownClient(tables, clientId);
  using documents = documentClient(outputs);
  const letters = searches
    ? await findDeadLetters(
        deadLetters,
        (await erasureLookups(documents, outputs))(),
        filter,
        terminal,
      )
    : undefined;
  const exact = letters?.exact ?? [];
  yield* lines(exact);
  const isNone = count + exact.length === 0;
  if (isNone) note('No such promo event is stored.');
  if (isNone || userId !== undefined) {
    const { similar, others } =
      userId === undefined
        ? { similar: similarCodes, others: 0 }
        : await findSimilar(table, { ...filter, userId });
    const events = [...similar, ...(letters?.similar ?? [])];
    if (events.length > 0 && csv && !isNone) {
      note(
        `Not in the CSV: ${counted(events.length, 'promo event')} of similar users or codes, which differ only in case, spaces, invisible characters, or the kind of a dash, quote or digit.`,
      );
    } else if (events.length > 0) {
      note(
        'Similar users or codes, which differ only in case, spaces, invisible characters, or the kind of a dash, quote or digit:',
      );
      yield* lines(events.map((event) => ({ ...event, similar: true as const })));
    } else if (isNone && others > 0) {
      note(
        `The user has ${counted(others, 'other code')}. Leave out --code to list ${others === 1 ? 'it' : 'them'}.`,
      );
    } else if (isNone && userId !== undefined) {
      note(describeSpellings(clientId, userId, conditions.promoCode));
    }
  }
  if (csv) {
    yield* csvOf(kept);
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    note(`localTime is in ${timeZone}, receivedAt and requestDate are in UTC.`);
  }
  if (waiting > 0) {
    note(`Of any user: ${describeWaiting(waiting)} Run it again when none waits.`);
  } else if (json && userId !== undefined) {
    // Who hands the data of a person over must know that it is complete.
    note(describeWaiting(waiting));
  }
  if (letters) {
    note(
      letters.exact.length + letters.similar.length > 0
        ? `Dead letters are not stored yet. Move them back: ${suggested('queue', 'redrive')}`
        : 'There is no such dead letter.',
    );
  } else if (dead > 0) {
    const are = dead === 1 ? 'is' : 'are';
    note(
      `${counted(dead, 'dead letter')}, of any user, ${are} not stored: add --search-dead-letters to search them.`,
    );
  }
  if (isNone && Object.values(conditions).some(Boolean)) {
    const refusals = await whileWaiting(terminal, 'Searching the logs for refusals', () =>
      findRefusals(deployment, clientId),
    );
    const lines =
      typeof refusals === 'string'
        ? await describeTotals(deployment, clientId, refusals)
        : describeRefusals(clientId, refusals);
    lines.forEach(note);
  } else if (userId !== undefined && conditions.promoCode === undefined && !json && !csv) {
    note('Refused requests are not stored. If a code is missing, add --code CODE.');
  }
  if (letters?.problem) throw new UserError(letters.problem, 'incomplete');
}

/** How to find out what became of one request. */
const ONE_REQUEST =
  "For one request, ask the app's developer for its x-amzn-RequestId, or what the onResult of the SDK got.";

/** The most lines of each list. */
const MOST_REFUSALS = 10;

/** Tells why codes of a client were refused, and what to tell its customers. */
function describeRefusals(clientId: string, { ofClient, ofAnyClient }: Refusals): string[] {
  const listed = (refusals: readonly Refusal[]) => [
    ...refusals.slice(0, MOST_REFUSALS).map(refusalText),
    ...(refusals.length > MOST_REFUSALS ? ['  …'] : []),
  ];
  const name = printable(clientId);
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

/** Tells how many were refused of all clients, where the logs cannot be read. */
async function describeTotals(
  deployment: Deployment,
  clientId: string,
  why: string,
): Promise<string[]> {
  const refusals = await countRefusals(deployment);
  const counts = Object.entries(refusals).map(([code, count]) => `${count} ${code}`);
  const refused =
    typeof refusals === 'string'
      ? `How many there were in the last hour is unknown: ${refusals}`
      : `In the last hour, the function refused ${counts.join(', ') || 'none'}, of any client.`;
  const readers = /AccessDenied/.test(why)
    ? ' Those with the policy Editor can read them with this command.'
    : '';
  return [
    `Refused requests are not stored. ${refused}`,
    `Why those of ${printable(clientId)} were refused is in the logs: ${why}${readers}`,
    ONE_REQUEST,
  ];
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

/** What a search of the dead letters found. */
interface FoundDeadLetters {
  readonly exact: readonly PrintedPromoEvent[];
  /** Those whose user or code is only similar to that of the filter. */
  readonly similar: readonly PrintedPromoEvent[];
  /** Why the search may have missed some, and what to do; undefined if it has not. */
  readonly problem: string | undefined;
}

/**
 * Finds dead letters that a filter names, or similar ones, without those of erased users. They are
 * received for that, and released at the end.
 */
async function findDeadLetters(
  messages: SqsQueue,
  isErased: IsErased,
  filter: PromoEventFilter,
  terminal: Terminal,
): Promise<FoundDeadLetters> {
  using interrupted = interruption();
  const { signal } = interrupted;
  using bar = progressBar(terminal, 'Dead letters searched');
  // By message id: after the visibility timeout, a message is received again.
  const found = new Map<string, PromoEvent>();
  const before = await messages.count();
  const isComplete = await searchDeadLetters(messages, {
    onSearched: bar.show,
    signal,
    isWanted: (event) => matchOf(event, filter) !== undefined,
    onFound: (batch) => {
      for (const { messageId, event } of batch) if (event) found.set(messageId, event);
    },
  });
  const after = await messages.count();
  const kept: PromoEvent[] = [];
  for (const event of found.values()) if (!(await isErased(event))) kept.push(event);
  const eventsOf = (match: 'exact' | 'similar') =>
    kept.filter((event) => matchOf(event, filter) === match).map(printed);
  const missed = before.inFlight + after.inFlight > 0 ? inFlightElsewhere() : undefined;
  return {
    exact: eventsOf('exact'),
    similar: eventsOf('similar'),
    problem: signal.aborted ? signal.reason.message : isComplete ? missed : tooManyDeadLetters(),
  };
}

/** A dead letter like an event of the table: without the token of its code. */
function printed(event: PromoEvent): PrintedPromoEvent {
  const letter = { ...event, kind: 'dead' };
  return Object.fromEntries(LISTED.map((name) => [name, letter[name]]));
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
  similar,
}: PrintedPromoEvent) {
  // Nobody would see the spaces around an id.
  const shown = userId === userId.trim() ? userId : JSON.stringify(userId);
  const user = similar ? `${shown} (only similar)` : shown;
  return row(...[receivedAt, kind, promoCode, user].map(printable));
}
