import { Command } from 'commander';
import { counted } from 'customer-data-api/configuration';
import { findDeployment } from 'customer-data-api-deployment';
import {
  interruption,
  noteTo,
  printTo,
  progressBar,
  type Terminal,
  tableRows,
} from 'customer-data-api-deployment/program';
import { type ChangeOptions, changeCommand, type ReadOptions, readCommand } from '../../options.ts';
import { type Rendering, runChange } from '../../run-change.ts';
import { type ClientSummary, totalOf } from '../client-summaries.ts';
import {
  type DeadLetters,
  deadLetterRedrive,
  deadLetterRemoval,
  handleDeadLetters,
  isNothing,
  type ShownDeadLetters,
  toMove,
} from '../dead-letters.ts';
import type { ReadLetters, RedriveTask } from '../read-dead-letters.ts';
import { describeInFlight, describeWaiting, historyPurge } from '../redrive.ts';

/** `./customer-data queue`: promo events that wait, or that were not stored or published. */
export function queueCommand(terminal: Terminal): Command {
  return new Command('queue')
    .addCommand(showCommand(terminal))
    .addCommand(redriveCommand(terminal))
    .addCommand(removeCommand(terminal))
    .addCommand(purgeHistoryCommand(terminal));
}

/** What is counted while dead letters are read. */
const READ = 'Dead letters read';

function showCommand(terminal: Terminal): Command {
  return readCommand('show', [
    'queue show --stack CustomerDataApi-prod',
    'queue show --stack CustomerDataApi-prod --json',
  ])
    .description('show the events that could not be stored or published')
    .action(async ({ json, ...options }: ReadOptions) => {
      const deployment = await findDeployment(options);
      const task = { moves: false, inspects: json };
      const found = await readDeadLetters();
      remarksOn(found, task).forEach(noteTo(terminal));
      const lines = json ? [JSON.stringify(redriveToJson(found, task))] : describe(found, task);
      lines.forEach(printTo(terminal));
      if (found.failure) throw found.failure;

      async function readDeadLetters(): Promise<DeadLetters> {
        using interrupted = interruption();
        using bar = progressBar(terminal, READ);
        const { signal } = interrupted;
        return await handleDeadLetters({ deployment, signal, onCount: bar.show }, task);
      }
    });
}

/** How a change of dead letters is shown. */
function rendering(
  question: (found: DeadLetters | undefined) => string,
  task: RedriveTask,
): Rendering<ShownDeadLetters, DeadLetters> {
  const before = { ...task, moves: false, isDryRun: true };
  return {
    counted: READ,
    shown: ({ found }) => (found ? [...describe(found, before), ...remarksOn(found, before)] : []),
    would: () => [],
    question: ({ found }) => question(found),
    done: (done) => remarksOn(done, task),
    result: (done) => describe(done, task),
    json: ({ found }, done) =>
      done ? redriveToJson(done, task) : found ? redriveToJson(found, before) : {},
  };
}

function redriveCommand(terminal: Terminal): Command {
  return changeCommand('redrive', ['queue redrive --stack CustomerDataApi-prod'])
    .description('move what was not stored back to the queue, and publish what was not published')
    .action((options: ChangeOptions) => {
      const question = (found: DeadLetters | undefined) =>
        found && toMove(found) === 0
          ? 'Delete those that are erased or gone?'
          : 'Move them back to the queue, and publish the unpublished ones?';
      return runChange(terminal, options, deadLetterRedrive, rendering(question, { moves: true }));
    });
}

function removeCommand(terminal: Terminal): Command {
  return changeCommand('remove', [
    'queue remove 75f68cf1-be2f-4e44-8b0a-0a4fe5b3a8a0 --stack CustomerDataApi-prod',
  ])
    .description('remove messages that cannot be stored, and events that are not to be published')
    .argument('<messageId...>', 'their ids, as queue show prints them')
    .action((removes: string[], options: ChangeOptions) => {
      const question = () => `Remove ${counted(removes.length, 'message')} for good?`;
      const words = rendering(question, { moves: false, removes });
      return runChange(terminal, options, deadLetterRemoval(removes), words);
    });
}

/** What is said of a run beside its result. */
function remarksOn(result: DeadLetters, { moves }: RedriveTask): string[] {
  const { stored, published, failure } = result;
  const inFlight = stored.inFlightElsewhere + published.inFlightElsewhere;
  if (inFlight > 0) return [describeInFlight(inFlight)];
  if (failure || !isNothing(result)) return [];
  return [moves ? 'Nothing was moved.' : 'There are no dead letters.'];
}

const row = tableRows(18, 6, 24);

function describe({ stored, published }: DeadLetters, { moves, isDryRun }: RedriveTask): string[] {
  const { waiting } = stored;
  const remove = isDryRun ? 'Would remove' : 'Removed';
  const leftOut = moves ? 'deleted' : 'left out';
  const unread = (stored.unread ?? 0) + (published.unread ?? 0);
  return [
    ...section(
      `Promo events ${moves ? 'moved back from' : 'in'} the dead-letter queue`,
      ['RECEIVED FROM', 'TO'],
      stored.events,
      [
        ...(stored.erased > 0 ? [`Of erased users, and ${leftOut}: ${stored.erased}`] : []),
        ...messages(stored, 'is not a promo event and stays', remove),
      ],
    ),
    ...section(
      moves ? 'Events published' : 'Unpublished events',
      ['FROM', 'TO'],
      published.events,
      [
        ...(moves ? [] : published.reasons).map(
          ({ reason, count }) => `Why, of ${count}: ${reason}`,
        ),
        ...(published.erased > 0 ? [`Of erased users, and ${leftOut}: ${published.erased}`] : []),
        ...(published.gone > 0
          ? [`No longer in the table, and ${leftOut}: ${published.gone}`]
          : []),
        ...messages(published, 'stays', remove),
        ...(published.removed.length > 0
          ? [
              'Follow-on systems never receive a removed event: tell them to read the table or the history.',
            ]
          : []),
      ],
    ),
    ...(unread > 0 ? [`Not read: about ${counted(unread, 'more message')}.`] : []),
    ...(waiting === undefined
      ? []
      : [moves ? `In the queue, to be stored now: about ${waiting}.` : describeWaiting(waiting)]),
  ];
}

/** The lines about one kind of dead letters; none if there are none. */
function section(
  title: string,
  times: readonly [string, string],
  clients: readonly ClientSummary[],
  details: readonly string[],
): string[] {
  if (clients.length + details.length === 0) return [];
  return [
    `${title}: ${totalOf(clients)}`,
    ...(clients.length > 0 ? [row('CLIENT', ' COUNT', ...times)] : []),
    ...clients.map(({ clientId, count, first, last }) =>
      row(clientId, String(count).padStart(6), first, last),
    ),
    ...details,
  ];
}

function messages(
  { kept, others, removed }: Pick<ReadLetters, 'kept' | 'others' | 'removed'>,
  stays: string,
  remove: string,
): string[] {
  return [
    ...kept.map(
      ({ reason, count }) =>
        `${counted(count, 'dead letter')} ${count === 1 ? 'stays' : 'stay'}: ${reason}`,
    ),
    ...others.map(({ messageId, problem }) => `Message ${messageId} ${stays}: ${problem}`),
    ...removed.map((messageId) => `${remove} message ${messageId}.`),
  ];
}

/** Counts that are not known, because a call failed, are null. */
function redriveToJson(
  { stored, published }: DeadLetters,
  { moves, removes, isDryRun }: RedriveTask,
): object {
  const { unread = null, waiting = null } = stored;
  const { events, reasons, erased, gone, kept, others } = published;
  return {
    ...(moves && { moved: stored.events, published: events }),
    ...(removes && {
      [isDryRun ? 'toRemove' : 'removed']: [...stored.removed, ...published.removed],
    }),
    deadLetters: {
      ...(!moves && { promoEvents: stored.events }),
      erased: stored.erased,
      kept: stored.kept,
      others: stored.others,
      unread,
    },
    unpublished: {
      ...(!moves && { events, reasons }),
      erased,
      gone,
      kept,
      others,
      unread: published.unread ?? null,
    },
    queue: { waiting },
  };
}

function purgeHistoryCommand(terminal: Terminal): Command {
  return changeCommand('purge-history', ['queue purge-history --stack CustomerDataApi-prod'])
    .description('remove the dead letters of the history, once their clients are published again')
    .action((options: ChangeOptions) =>
      runChange(terminal, options, historyPurge, {
        shown: ({ deadLetters }) => [`Dead letters of the history: ${deadLetters}`],
        would: () => [],
        question: ({ deadLetters }) =>
          `Remove ${counted(deadLetters, 'dead letter')} of the history for good?`,
        done: () => [],
        result: ({ removed }) => [`Dead letters of the history: ${removed}, removed`],
        json: ({ deadLetters }, done) => ({ deadLetters, removed: done?.removed ?? 0 }),
      }),
    );
}
