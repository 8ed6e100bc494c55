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
import {
  countOf,
  deadLetterRedrive,
  deadLetterRemoval,
  describeInFlight,
  describeWaiting,
  historyPurge,
  type Redrive,
  type RedriveTask,
  redriveIn,
  type ShownDeadLetters,
} from '../redrive.ts';
import { busReplay, type Replay, type ReplayProblem } from '../replay.ts';

/** `./customer-data queue`: promo events that wait, or that were not stored or published. */
export function queueCommand(terminal: Terminal): Command {
  return new Command('queue')
    .addCommand(showCommand(terminal))
    .addCommand(redriveCommand(terminal))
    .addCommand(removeCommand(terminal))
    .addCommand(replayCommand(terminal))
    .addCommand(purgeHistoryCommand(terminal));
}

/** What is counted while dead letters are read. */
const READ = 'Dead letters read';

function showCommand(terminal: Terminal): Command {
  return readCommand('show', [
    'queue show --stack CustomerDataApi-prod',
    'queue show --stack CustomerDataApi-prod --json',
  ])
    .description('show the promo events in the dead-letter queue')
    .action(async ({ json, ...options }: ReadOptions) => {
      const deployment = await findDeployment(options);
      const task = { moves: false, inspects: json };
      const found = await readDeadLetters();
      remarksOn(found, task).forEach(noteTo(terminal));
      const lines = json ? [JSON.stringify(redriveToJson(found, task))] : describe(found, task);
      lines.forEach(printTo(terminal));
      if (found.failure) throw found.failure;

      async function readDeadLetters(): Promise<Redrive> {
        using interrupted = interruption();
        using bar = progressBar(terminal, READ);
        const { signal } = interrupted;
        return await redriveIn({ deployment, signal, onCount: bar.show }, task);
      }
    });
}

/** How a change of dead letters is shown. */
function rendering(
  question: (found: Redrive | undefined) => string,
  task: RedriveTask,
): Rendering<ShownDeadLetters<Redrive>, Redrive> {
  const before = { moves: false };
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
    .description('move the promo events in the dead-letter queue back, to be stored')
    .action((options: ChangeOptions) => {
      const question = (found: Redrive | undefined) =>
        found && countOf(found) === 0
          ? 'Delete those of erased users?'
          : 'Move them back to the queue?';
      return runChange(terminal, options, deadLetterRedrive, rendering(question, { moves: true }));
    });
}

function removeCommand(terminal: Terminal): Command {
  return changeCommand('remove', [
    'queue remove 75f68cf1-be2f-4e44-8b0a-0a4fe5b3a8a0 --stack CustomerDataApi-prod',
  ])
    .description('remove messages that are not promo events from the dead-letter queue')
    .argument('<messageId...>', 'their ids, as queue show prints them')
    .action((removes: string[], options: ChangeOptions) => {
      const question = () => `Remove ${counted(removes.length, 'message')} for good?`;
      const words = rendering(question, { moves: false, removes });
      return runChange(terminal, options, deadLetterRemoval(removes), words);
    });
}

/** What is said of a run beside its result. */
function remarksOn(result: Redrive, { moves }: RedriveTask): string[] {
  const { left, failure } = result;
  if (left && left.inFlightElsewhere > 0) return [describeInFlight(left.inFlightElsewhere)];
  if (failure || !isNothing(result)) return [];
  return [moves ? 'Nothing was moved.' : 'The dead-letter queue is empty.'];
}

function isNothing(result: Redrive): boolean {
  const { erased, others, removed } = result;
  return countOf(result) + erased + others.length + removed.length === 0;
}

const row = tableRows(18, 6, 24);

function describe(result: Redrive, { moves }: RedriveTask): string[] {
  const { promoEvents, erased, others, removed, left } = result;
  const found = [
    `Promo events ${moves ? 'moved back from' : 'in'} the dead-letter queue: ${countOf(result)}`,
    ...(promoEvents.length > 0 ? [row('CLIENT', ' COUNT', 'RECEIVED FROM', 'TO')] : []),
    ...promoEvents.map(({ clientId, count, first, last }) =>
      row(clientId, String(count).padStart(6), first, last),
    ),
    ...(erased > 0 ? [`Of erased users, and ${moves ? 'deleted' : 'left out'}: ${erased}`] : []),
    ...others.map(
      ({ messageId, problem }) => `Message ${messageId} is not a promo event and stays: ${problem}`,
    ),
    ...removed.map((messageId) => `Removed message ${messageId}.`),
  ];
  return [
    ...(isNothing(result) ? [] : found),
    ...(left && left.unread > 0
      ? [`Not read: about ${counted(left.unread, 'more message')}.`]
      : []),
    ...(left
      ? [
          moves
            ? `In the queue, to be stored now: about ${left.waiting}.`
            : describeWaiting(left.waiting),
        ]
      : []),
  ];
}

/** Counts that are not known, because a call failed, are null. */
function redriveToJson(
  { promoEvents, erased, others, removed, left }: Redrive,
  { moves, removes }: RedriveTask,
): object {
  const { unread, waiting } = left ?? { unread: null, waiting: null };
  return {
    ...(moves && { moved: promoEvents }),
    ...(removes && { removed }),
    deadLetters: { ...(!moves && { promoEvents }), erased, others, unread },
    queue: { waiting },
  };
}

function replayCommand(terminal: Terminal): Command {
  return changeCommand('replay', [
    'queue replay --stack CustomerDataApi-prod',
    'queue replay --stack CustomerDataApi-prod --dry-run',
  ])
    .description('publish the promo events that did not reach the event bus')
    .option('--remove <messageId...>', 'instead, remove these dead letters without publishing them')
    .action(({ remove, ...options }: ChangeOptions & { readonly remove?: string[] }) =>
      runChange(terminal, options, busReplay(remove), {
        counted: READ,
        shown: ({ found }) =>
          found ? [...describeReplay(found, false), ...remarksOnReplay(found)] : [],
        would: () => [],
        question: ({ found }) => {
          if (remove) return `Remove ${counted(remove.length, 'dead letter')} for good?`;
          return found?.publishable === 0
            ? 'Remove the dead letters whose items are no longer in the table?'
            : 'Publish them on the event bus?';
        },
        done: remarksOnReplay,
        result: (done) => describeReplay(done, !remove),
        json: ({ found }, done) =>
          done
            ? { ...replayToJson(done, !remove), ...(remove && { removed: done.removed }) }
            : found
              ? replayToJson(found, false)
              : {},
      }),
    );
}

function remarksOnReplay({ read, tooManyStay, inFlightElsewhere, failure }: Replay): string[] {
  const remarks =
    tooManyStay === undefined
      ? []
      : [
          `No more were read, because ${counted(tooManyStay, 'dead letter')} stay. Publish or remove them, and run it again.`,
        ];
  if (inFlightElsewhere > 0) remarks.push(describeInFlight(inFlightElsewhere));
  else if (read === 0 && !failure) remarks.push('The dead-letter queue of the event bus is empty.');
  return remarks;
}

function describeReplay(result: Replay, publishes: boolean): string[] {
  const { read, publishable, noLongerStored, published, removed, problems } = result;
  if (read === 0) return [];
  return [
    ...problems.map((problem) => `Message ${problem.messageId}: ${describeProblem(problem)}`),
    publishes
      ? `Dead letters: ${read}. Events published: ${published}`
      : `Dead letters: ${read}. Events that can be published: ${publishable}`,
    ...(noLongerStored > 0
      ? [`Left out, because their items are gone or erased: ${noLongerStored}`]
      : []),
    ...(removed > 0 ? [`Removed without publishing: ${removed}`] : []),
  ];
}

function describeProblem(problem: ReplayProblem): string {
  switch (problem.kind) {
    case 'notOfThePipe':
      return 'It is not a dead letter of the pipe.';
    case 'recordsExpired':
      return `The stream no longer has its records of ${problem.arrival}. The items are in the table.`;
    case 'itemWithoutKind':
      return `The item ${problem.key} has no kind.`;
    case 'rejected':
      return `The bus rejected an event. ${problem.code}: ${problem.message}`;
  }
}

function replayToJson(
  { read, tooManyStay, publishable, noLongerStored, published, problems }: Replay,
  publishes: boolean,
): object {
  return {
    deadLetters: read,
    isComplete: tooManyStay === undefined,
    ...(publishes ? { published } : { publishable }),
    noLongerStored,
    problems: problems.map((problem) => ({
      messageId: problem.messageId,
      problem: describeProblem(problem),
    })),
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
