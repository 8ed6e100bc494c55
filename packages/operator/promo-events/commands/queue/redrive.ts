import { counted } from 'customer-data-api/configuration';
import { documentClient, sqsClient } from 'customer-data-api-deployment';
import { tableRows, UserError } from 'customer-data-api-deployment/program';
import { describeInFlight, describeWaiting, expectNoneRefused } from '../../../describe-queue.ts';
import { erasureLookups } from '../../erasure-lookups.ts';
import { type Redrive, type RedriveOptions, redrive } from '../../redrive.ts';
import { SqsQueue } from '../../sqs-queue.ts';
import type { Run } from './run.ts';

/** Numbers of promo events among the dead letters. */
interface Found {
  readonly found: number;
  /** Those of erased users, which are left out. */
  readonly erased: number;
}

type Task = Pick<RedriveOptions, 'moves' | 'removes' | 'inspects'>;

/**
 * Runs `redrive` for a deployment, and prints what it found and did, even if a call failed then.
 *
 * @returns the numbers of promo events that it found, and of those of erased users.
 * @throws UserError when SQS refused some messages, when a message that was to be removed is a
 *   promo event or was not found, and when the run was interrupted.
 */
export async function printRedrive(
  { outputs, json, print, note, signal, showingReads }: Run,
  task: Task,
): Promise<Found> {
  using documents = documentClient(outputs);
  using sqs = sqsClient(outputs);
  const queue = new SqsQueue(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new SqsQueue(sqs, outputs.PromoEventsDeadLetterQueueUrl);
  const newLookup = await erasureLookups(documents, outputs);
  const result = await showingReads((onRead) =>
    redrive(queue, deadLetters, { ...task, isErased: newLookup(), signal, onRead }),
  );
  const { erased, left, refused, removed, failure } = result;
  const found = countOf(result);
  const isNothing = found + erased + result.others.length + removed.length === 0;
  if (json) print(JSON.stringify(asJson(result, task)));
  else if (!isNothing) describe(result, task).forEach(print);
  if (failure) throw failure;
  if (left && left.inFlightElsewhere > 0) note(describeInFlight(left.inFlightElsewhere));
  else if (isNothing) note(task.moves ? 'Nothing was moved.' : 'The dead-letter queue is empty.');
  if (left && !json) {
    if (left.unread > 0) print(`Not read: about ${counted(left.unread, 'more message')}.`);
    print(
      task.moves
        ? `In the queue, to be stored now: about ${left.waiting}.`
        : describeWaiting(left.waiting),
    );
  }
  expectNoneRefused(refused);
  signal.throwIfAborted();
  const missed = (task.removes ?? []).filter((messageId) => !removed.includes(messageId));
  if (missed.length > 0) {
    throw new UserError(
      `Not removed, because they are promo events or are not in the dead-letter queue: ${missed.join(', ')}`,
      'incomplete',
    );
  }
  return { found, erased };
}

function countOf({ promoEvents }: Redrive): number {
  return promoEvents.reduce((sum, { count }) => sum + count, 0);
}

const row = tableRows(18, 6, 24);

function describe(result: Redrive, { moves }: Task): string[] {
  return [
    `Promo events ${moves ? 'moved back from' : 'in'} the dead-letter queue: ${countOf(result)}`,
    ...(result.promoEvents.length > 0 ? [row('CLIENT', ' COUNT', 'RECEIVED FROM', 'TO')] : []),
    ...result.promoEvents.map(({ clientId, count, first, last }) =>
      row(clientId, String(count).padStart(6), first, last),
    ),
    ...(result.erased > 0
      ? [`Of erased users, and ${moves ? 'deleted' : 'left out'}: ${result.erased}`]
      : []),
    ...result.others.map(
      ({ messageId, problem }) => `Message ${messageId} is not a promo event and stays: ${problem}`,
    ),
    ...result.removed.map((messageId) => `Removed message ${messageId}.`),
  ];
}

/** Counts that are not known, because a call failed, are null. */
function asJson(
  { promoEvents, erased, others, removed, left }: Redrive,
  { moves, removes }: Task,
): object {
  const { unread, waiting } = left ?? { unread: null, waiting: null };
  return {
    ...(moves && { moved: promoEvents }),
    ...(removes && { removed }),
    deadLetters: { ...(!moves && { promoEvents }), erased, others, unread },
    queue: { waiting },
  };
}
