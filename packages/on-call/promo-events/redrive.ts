import { setTimeout } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, inOneLine, sqsClient } from 'customer-data-api-deployment';
import type { Change, CommandContext, Done, Shown } from 'customer-data-api-deployment/change';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import type { UserError } from 'customer-data-api-deployment/program';
import { awsTime } from './aws-time.ts';
import { queuesOf } from './dead-letters.ts';
import type { SqsQueue } from './sqs-queue.ts';
import { nothingMoved, promoError } from './words.ts';

/** Promo events that were not stored, and events that were not published. */
const KINDS = ['stored', 'published'] as const;
type Kind = (typeof KINDS)[number];

/** The approximate number of dead letters, and whether SQS moves them already. */
export interface Movable {
  readonly count: number;
  readonly isMoving: boolean;
}

/** The outcome of a move by SQS. */
export interface Moved {
  /** Approximately. */
  readonly moved: number;
  /** The status as SQS says it, such as `COMPLETED`. */
  readonly status: string;
  /** The reason why it failed, as SQS says it. */
  readonly reason?: string;
}

/** The effect of a redrive. */
export interface ShownRedrive extends Shown {
  readonly found: Readonly<Record<Kind, Movable>>;
}

/** The outcome of a redrive, by the kinds that have dead letters. */
export interface Redriven extends Done {
  readonly moves: Readonly<Partial<Record<Kind, Moved>>>;
}

/** The pause before SQS is asked again how far it is. */
const POLL_MS = 1000;

/**
 * Lets SQS move dead letters: what was not stored to the queue of promo events, and what was not
 * published to that of the publisher. What is erased is moved, and dropped by the functions.
 */
export const deadLetterRedrive: Change<ShownRedrive, Redriven, CommandContext> = {
  isUnsigned: true,
  async show({ deployment }) {
    using sqs = sqsClient(deployment.outputs);
    const { stored, published } = queuesOf(sqs, deployment);
    const found = {
      stored: await look(stored.deadLetters),
      published: await look(published.deadLetters),
    };
    const hasEffect = Object.values(found).some(({ count, isMoving }) => count > 0 || isMoving);
    if (hasEffect) await expectReadable(deployment.outputs);
    return { found, hasEffect };
  },
  async apply({ deployment, signal, onCount }, { found }) {
    const { outputs } = deployment;
    using sqs = sqsClient(outputs);
    using documents = documentClient(outputs);
    const queues = queuesOf(sqs, deployment);
    const moves: Partial<Record<Kind, Moved>> = {};
    const failures: unknown[] = [];
    for (const kind of KINDS) {
      const { count, isMoving } = found[kind];
      if (count === 0 && !isMoving) continue;
      const { deadLetters, queue } = queues[kind];
      const before = moves.stored?.moved ?? 0;
      try {
        const since = isMoving ? 0 : +(await awsTime(documents, outputs.PromoEventsTableName));
        if (!isMoving) await deadLetters.startMove(queue);
        moves[kind] = await follow(deadLetters, since, signal, (moved) => onCount(before + moved));
      } catch (error) {
        failures.push(error);
      }
    }
    return { moves, failure: failures[0] ?? failureOf(Object.values(moves)) };
  },
};

async function look(deadLetters: SqsQueue): Promise<Movable> {
  const { Status } = (await deadLetters.newestMove()) ?? {};
  return { count: await deadLetters.length(), isMoving: isRunning(Status) };
}

function isRunning(status: string | undefined): boolean {
  return status === 'RUNNING' || status === 'CANCELLING';
}

/**
 * Waits until the newest task has ended, or the signal aborts. SQS may list a task late, and its
 * handle only while it runs: one that started before `since`, by AWS's clock, is another one.
 */
async function follow(
  deadLetters: SqsQueue,
  since: number,
  signal: AbortSignal,
  onMoved: (count: number) => void,
): Promise<Moved> {
  for (;;) {
    const task = await deadLetters.newestMove();
    const {
      ApproximateNumberOfMessagesMoved: moved = 0,
      Status: status = 'RUNNING',
      FailureReason: reason,
    } = task && (task.StartedTimestamp ?? 0) >= since ? task : {};
    onMoved(moved);
    if (!isRunning(status) || signal.aborted) return { moved, status, ...(reason && { reason }) };
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** The error of a redrive that ended early; undefined if SQS moved all. */
function failureOf(moves: readonly Moved[]): UserError | undefined {
  const early = moves.filter(({ status }) => status !== 'COMPLETED');
  if (early.length === 0) return undefined;
  const isMoving = early.some(({ status }) => isRunning(status));
  return promoError(isMoving ? 'stillMoving' : 'notAllMoved', {});
}

/**
 * Fails if the tables cannot be read on which the functions rely: a move starts the 14 days of a
 * letter anew. A read cannot see whether the table takes writes, and the bus events.
 */
async function expectReadable(outputs: Outputs): Promise<void> {
  using documents = documentClient(outputs);
  const query = new QueryCommand({
    TableName: outputs.ErasuresTableName,
    KeyConditionExpression: 'clientId = :none',
    ExpressionAttributeValues: { ':none': '\u0000' },
  });
  try {
    await awsTime(documents, outputs.PromoEventsTableName);
    await documents.send(query);
  } catch (error) {
    throw nothingMoved(Object(inOneLine(error)));
  }
}
