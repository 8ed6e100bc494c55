import { counted } from 'customer-data-api/configuration';
import { UserError } from 'customer-data-api-deployment/program';
import type { Change, Done, Shown } from '../change.ts';
import type { CommandContext } from '../run-change.ts';
import { totalOf } from './client-summaries.ts';
import type { ReadLetters, RedriveTask } from './read-dead-letters.ts';
import { type Redrive, redriveIn } from './redrive.ts';
import { unpublishedIn } from './unpublished.ts';

/** Both kinds of dead letters: promo events that were not stored, and events not published. */
export interface DeadLetters extends Done {
  readonly stored: Redrive;
  readonly published: ReadLetters;
}

/** What a change of dead letters would do: what is in the queues, unless nobody asks. */
export interface ShownDeadLetters extends Shown {
  readonly found: DeadLetters | undefined;
}

type DeadLetterChange = Change<ShownDeadLetters, DeadLetters, CommandContext>;

/** Moves what was not stored back to the queue, and publishes what was not published. */
export const deadLetterRedrive: DeadLetterChange = {
  isUnsigned: true,
  async show(context) {
    const shown = await showDeadLetters(context, { moves: false });
    return { ...shown, hasEffect: !shown.found || toMove(shown.found) + ended(shown.found) > 0 };
  },
  apply: (context) => handleDeadLetters(context, { moves: true }),
};

/** Removes messages that are not promo events, and events that are not to be published. */
export function deadLetterRemoval(removes: readonly string[]): DeadLetterChange {
  return {
    isUnsigned: true,
    show: (context) => showDeadLetters(context, { moves: false, removes, isDryRun: true }),
    apply: (context) => handleDeadLetters(context, { moves: false, removes }),
  };
}

async function showDeadLetters(
  context: CommandContext,
  task: RedriveTask,
): Promise<ShownDeadLetters> {
  if (!context.isAsked) return { found: undefined };
  const found = await handleDeadLetters(context, task);
  return { found, failure: found.failure };
}

/**
 * Reads both queues of dead letters, and does the task. A message that stays against the task is a
 * failure.
 */
export async function handleDeadLetters(
  context: Pick<CommandContext, 'deployment' | 'signal' | 'onCount'>,
  task: RedriveTask,
): Promise<DeadLetters> {
  const { onCount } = context;
  let read = 0;
  const stored = await redriveIn(
    {
      ...context,
      onCount: (count) => {
        read = count;
        onCount(count);
      },
    },
    task,
  );
  const published = await unpublishedIn(
    { ...context, onCount: (count) => onCount(read + count) },
    task,
  );
  const removed = [...stored.removed, ...published.removed];
  const missed = (task.removes ?? []).filter((messageId) => !removed.includes(messageId));
  const failure =
    stored.failure ??
    published.failure ??
    unmovedLetters(stored.unmoved + published.unmoved) ??
    (missed.length > 0
      ? new UserError(
          `Cannot be removed, because they are promo events that were not stored, or are in no dead-letter queue: ${missed.join(', ')}`,
          'incomplete',
        )
      : undefined);
  return { stored, published, failure };
}

/** The error of a run that could not move events; undefined if it moved all. */
function unmovedLetters(count: number): UserError | undefined {
  if (count === 0) return undefined;
  const what = counted(count, 'dead letter');
  return new UserError(
    `${what} could not be moved or published. Correct what keeps them, and run it again.`,
    'incomplete',
  );
}

/** The number of events that a redrive moved or published, or would. */
export function toMove({ stored, published }: DeadLetters): number {
  return totalOf(stored.events) + totalOf(published.events);
}

/** The number of events that a redrive deletes. */
function ended({ stored, published }: DeadLetters): number {
  return stored.erased + published.erased + published.gone;
}

/** True if a run found no message. */
export function isNothing(found: DeadLetters): boolean {
  const { stored, published } = found;
  const others = [stored, published].flatMap((one) => [...one.others, ...one.kept, ...one.removed]);
  return toMove(found) + ended(found) + others.length === 0;
}
