import { expectKnownClient } from '../../../admin/configuration/known-client.ts';
import {
  listPromoEvents,
  type PromoEventFilter,
} from '../../../admin/promo-events/list-promo-events.ts';
import { findSimilar } from '../../../admin/promo-events/similar-promo-events.ts';
import { Messages } from '../../../admin/promo-events/sqs-queue.ts';
import { counted } from '../../../core/text.ts';
import { UserError } from '../../../core/user-error.ts';
import { sqsClient } from '../../deployment/aws-clients.ts';
import type { Outputs } from '../../deployment/outputs.ts';
import { configurationTables } from '../../deployment/tables.ts';
import { suggested } from '../../suggestion.ts';
import { noProgress, progressBar, type StartProgress } from '../../terminal/progress.ts';
import { noteTo, type Terminal } from '../../terminal/terminal.ts';
import { wrapped } from '../../terminal/wrap-text.ts';
import { type FoundDeadLetters, searchDeadLetters } from './dead-letters.ts';
import type { Format, PrintedPromoEvent } from './format.ts';

export interface ListOptions {
  readonly format: Format;
  /** Whether the dead letters are received and listed, too. */
  readonly searchesDeadLetters?: boolean | undefined;
}

/**
 * Lists promo events, and says on the standard error what the list cannot show. If a user has no
 * event exactly as asked for, it lists similar ones: an empty list would be taken for a code that
 * was not applied.
 *
 * It only counts the messages of the queue. To receive them would hide them from the function that
 * stores them.
 *
 * @throws UserError when there are no events and there never was such a client, and when not all
 *   dead letters were searched.
 * @throws what the SDK's clients throw.
 */
export async function* listEvents(
  outputs: Outputs,
  filter: PromoEventFilter,
  { format, searchesDeadLetters = false }: ListOptions,
  terminal: Terminal,
): AsyncGenerator<string> {
  const { userId } = filter;
  const note = wrapped(noteTo(terminal), terminal.stderr);
  const progress: StartProgress = (...work) => progressBar(terminal, ...work);
  using tables = configurationTables(outputs);
  const table = { dynamodb: tables.dynamodb, tableName: outputs.PromoEventsTableName };
  const sqs = sqsClient(outputs);
  const queue = new Messages(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl);
  const lines = linesIn(format);

  try {
    // Before the table is read, so that a code that is stored meanwhile is counted or listed.
    const waiting = await lengthOf(queue);
    const dead = await lengthOf(deadLetters);
    let count = 0;
    {
      // Where the list itself is on the terminal, it is the progress.
      using bar = (terminal.stdout.isTTY ? noProgress : progress)('Listed');
      for await (const event of listPromoEvents(table, filter)) {
        yield* lines.add(event);
        bar.show(++count);
      }
    }
    if (count === 0) await expectKnownClient(tables, filter.clientId);
    const letters = searchesDeadLetters
      ? await searchDeadLetters(deadLetters, filter, progress)
      : undefined;
    const exact = letters?.exact ?? [];
    yield* lines.add(...exact);
    if (count + exact.length === 0) {
      note('No such promo event is stored.');
      const { similar, others } = await findSimilar(table, filter);
      const events = [...similar, ...(letters?.similar ?? [])];
      if (events.length > 0) note('Similar codes, which differ only in case or spaces:');
      else if (others > 0) {
        note(
          `The user has ${counted(others, 'promo event')} with other codes. Leave out --code to list them.`,
        );
      }
      yield* lines.add(...events.map((event) => ({ ...event, similar: true as const })));
    }
    yield* lines.end();
    describeWaiting(waiting, dead, letters).forEach(note);
    if (userId !== undefined) {
      note("Refused requests are not stored. Ask the app's developer for the x-amzn-RequestId.");
    }
    if (letters?.problem) throw new UserError(letters.problem, 'incomplete');
  } finally {
    sqs.destroy();
  }
}

/** Formats events: each when it is added, or for a file all of them at the end, ordered. */
export function linesIn({ headings, isFile = false, line }: Format) {
  let isHeaded = headings === undefined;
  const kept: PrintedPromoEvent[] = [];
  function* print(events: readonly PrintedPromoEvent[]): Generator<string> {
    if (!isHeaded && (events.length > 0 || isFile)) yield headings ?? '';
    isHeaded ||= events.length > 0;
    yield* events.map(line);
  }
  return {
    *add(...events: readonly PrintedPromoEvent[]): Generator<string> {
      if (isFile) kept.push(...events);
      else yield* print(events);
    },
    *end(): Generator<string> {
      const timeOf = ({ receivedAt = '' }: PrintedPromoEvent) => receivedAt;
      if (isFile) yield* print(kept.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)));
    },
  };
}

/** Counts the messages of a queue, those in flight too. */
export async function lengthOf(messages: Messages): Promise<number> {
  const { waiting, inFlight } = await messages.count();
  return waiting + inFlight;
}

/** Lines about codes that are not in the table, or not yet. */
function describeWaiting(
  waiting: number,
  dead: number,
  letters: FoundDeadLetters | undefined,
): string[] {
  const ofAnyUser = (number: number, what: string) =>
    `${counted(number, what)}, of any user, ${number === 1 ? 'is' : 'are'}`;
  return [
    ...(waiting > 0
      ? [`${ofAnyUser(waiting, 'code')} waiting to be stored. Look again in a minute.`]
      : []),
    ...(dead > 0 && !letters
      ? [`${ofAnyUser(dead, 'dead letter')} not stored: add --search-dead-letters to search them.`]
      : []),
    ...(letters ? [describeLetters(letters)] : []),
  ];
}

function describeLetters({ exact, similar }: FoundDeadLetters): string {
  return exact.length + similar.length > 0
    ? `Dead letters are not stored yet. Move them back: ${suggested('queue', 'redrive')}`
    : 'There is no such dead letter.';
}
