import { type Command, Option } from 'commander';
import { counted, StoredId } from 'customer-data-api/configuration';
import { StoredPromoCode } from 'customer-data-api/operations';
import {
  type Deployment,
  documentClient,
  findDeployment,
  sqsClient,
} from 'customer-data-api-deployment';
import {
  noteTo,
  printAll,
  progressBar,
  suggested,
  type Terminal,
  UserError,
  wrapped,
} from 'customer-data-api-deployment/program';
import {
  configurationTables,
  expectKnownClient,
} from '../../configurations/stored-configuration.ts';
import { countRefusals } from '../../count-metrics.ts';
import { describeWaiting } from '../../describe-queue.ts';
import { CLIENT_ID, parserOf, type ReadOptions, readCommand } from '../../options.ts';
import { erasureLookups } from '../erasure-lookups.ts';
import { csvOf, type PrintedPromoEvent } from '../promo-events-csv.ts';
import { type PromoEventFilter, readPromoEvents } from '../search.ts';
import { findSimilar } from '../similar-promo-events.ts';
import { SqsQueue } from '../sqs-queue.ts';
import { findDeadLetters } from './promo/dead-letters.ts';
import { HEADINGS, rowOf } from './promo/promo-event-rows.ts';
import { readTimeOption } from './promo/time.ts';

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
export function listCommand(terminal: Terminal): Command {
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
      'only events since a day or a time of this machine, or a duration: today, 2026-11-21, 2026-11-21T09:30, 2026-11-21T09:30Z, 24h',
      readTimeOption,
    )
    .option('--until <time>', 'only events before such a time', readTimeOption)
    .addOption(
      new Option(
        '--csv',
        'print CSV with a header row, in the order of time; localTime is that of this machine',
      ).conflicts('json'),
    )
    .option('--search-dead-letters', 'also search the dead letters, which are not stored')
    .action(async (clientId: string, { user, code, device, since, until, ...options }: Options) => {
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
        `Not in the CSV: ${counted(events.length, 'promo event')} of similar users or codes, which differ only in case, spaces or invisible characters.`,
      );
    } else if (events.length > 0) {
      note('Similar users or codes, which differ only in case, spaces or invisible characters:');
      yield* lines(events.map((event) => ({ ...event, similar: true as const })));
    } else if (isNone && others > 0) {
      note(
        `The user has ${counted(others, 'promo event')} with other codes. Leave out --code to list them.`,
      );
    }
  }
  if (csv) {
    yield* csvOf(kept);
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    note(`localTime is in ${timeZone}, receivedAt and requestDate are in UTC.`);
  }
  if (waiting > 0) note(`Of any user: ${describeWaiting(waiting)}`);
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
    note(await describeRefusals(deployment));
  }
  if (letters?.problem) throw new UserError(letters.problem, 'incomplete');
}

/** Tells what else can be known of a code that is not stored. */
async function describeRefusals(deployment: Deployment): Promise<string> {
  const refusals = await countRefusals(deployment);
  const counts = Object.entries(refusals).map(([code, count]) => `${count} ${code}`);
  const refused =
    typeof refusals === 'string'
      ? `How many there were in the last hour is unknown: ${refusals}`
      : `In the last hour, the function refused ${counts.join(', ') || 'none'}, of any client.`;
  return `Refused requests are not stored. ${refused} Ask the app's developer for the x-amzn-RequestId.`;
}
