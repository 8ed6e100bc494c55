import { Command } from 'commander';
import { counted } from 'customer-data-api/configuration';
import { findDeployment } from 'customer-data-api-deployment';
import { runChange } from 'customer-data-api-deployment/change';
import {
  type ChangeOptions,
  changeCommand,
  type ReadOptions,
  readCommand,
} from 'customer-data-api-deployment/commands';
import {
  noteTo,
  printTo,
  suggesting,
  type Terminal,
  tableRows,
  wrapped,
} from 'customer-data-api-deployment/program';
import { type DeadLetters, type ShownQueue, showDeadLetters } from '../dead-letters.ts';
import { deadLetterRedrive, type Movable, type Moved } from '../redrive.ts';
import { describeWaiting } from '../words.ts';

/** `./customer-data queue`: promo events that wait, or that were not stored or published. */
export function queueCommand(terminal: Terminal): Command {
  return new Command('queue')
    .addCommand(showCommand(terminal))
    .addCommand(redriveCommand(terminal));
}

const UNSTORED = 'Promo events that were not stored';
const UNPUBLISHED = 'Events that were not published';

function showCommand(terminal: Terminal): Command {
  return readCommand('show', [
    'queue show --stack CustomerDataApi-prod',
    'queue show --stack CustomerDataApi-prod --json',
  ])
    .description('show the events that could not be stored or published')
    .action(async ({ json, ...options }: ReadOptions) => {
      const found = await showDeadLetters(await findDeployment(options));
      const { stored, published } = found;
      if (json) {
        printTo(terminal)(JSON.stringify({ deadLetters: stored, unpublished: published }));
        return;
      }
      describe(found).forEach(printTo(terminal));
      if (stored.count + published.count > 0) {
        const note = wrapped(noteTo(terminal), terminal.stderr);
        note(suggesting('To move them back, once the cause is gone:', 'queue', 'redrive'));
      }
    });
}

const row = tableRows(26, 26);

function describe({ stored, published }: DeadLetters): string[] {
  return [
    ...section(UNSTORED, 'RECEIVED', stored),
    ...section(UNPUBLISHED, 'HAPPENED', published),
    stored.count + published.count === 0 ? 'There are no dead letters.' : '',
    describeWaiting(stored.waiting),
    published.waiting > 0
      ? `${counted(published.waiting, 'event')} to publish ${published.waiting === 1 ? 'waits' : 'wait'}.`
      : '',
  ].filter(Boolean);
}

/** The lines about one kind of dead letters; none if there are none. */
function section(title: string, time: string, { count, first }: ShownQueue): string[] {
  if (count === 0) return [];
  const letters = first.toSorted((one, other) => (one.sentAt < other.sentAt ? -1 : 1));
  const reasons = Map.groupBy(
    letters.filter(({ reason }) => reason),
    ({ reason }) => reason,
  );
  return [
    `${title}: ${count}`,
    ...(letters.length > 0 ? [row(time, 'SENT', 'CLIENT')] : []),
    ...letters.map((letter) => row(letter.time ?? '?', letter.sentAt, letter.clientId ?? '?')),
    ...(count > first.length ? [`… and about ${counted(count - first.length, 'other')}`] : []),
    ...[...reasons].map(([reason, same]) => `Why, of ${same.length}: ${reason}`),
    ...letters.flatMap(({ messageId, problem }) =>
      problem === undefined ? [] : [`Message ${messageId} would come back: ${problem}`],
    ),
  ];
}

function redriveCommand(terminal: Terminal): Command {
  return changeCommand('redrive', ['queue redrive --stack CustomerDataApi-prod'])
    .description('let SQS move dead letters back, to be stored or published')
    .action((options: ChangeOptions) =>
      runChange(terminal, options, deadLetterRedrive, {
        counted: 'Dead letters moved',
        shown: ({ found: { stored, published }, hasEffect }) => [
          toMove(UNSTORED, stored),
          toMove(UNPUBLISHED, published),
          ...(hasEffect
            ? ['The tables can be read. Writes and the event bus have not been tried.']
            : []),
        ],
        would: () => [],
        question: () => 'Move them back? They come back in three hours if the cause is not gone.',
        done: () => [],
        result: ({ moves: { stored, published } }) => [
          ...moved('Moved back, to be stored', stored),
          ...moved('Moved back, to be published', published),
        ],
        json: ({ found }, done) => (done ? { moved: done.moves } : { found }),
        next: () => [suggesting('What comes back, in three hours:', 'queue', 'show')],
      }),
    );
}

function toMove(title: string, { count, isMoving }: Movable): string {
  return `${title}: ${count}${isMoving ? ', and SQS is moving them' : ''}`;
}

function moved(title: string, move: Moved | undefined): string[] {
  if (!move) return [];
  const { moved: count, status, reason } = move;
  return [`${title}: about ${count}. ${status}${reason ? `: ${reason}` : ''}`];
}
