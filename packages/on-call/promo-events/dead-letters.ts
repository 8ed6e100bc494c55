import type { SQSClient } from '@aws-sdk/client-sqs';
import { readDeadLetter } from 'customer-data-api/events';
import { isTooOld, readPromoEvent } from 'customer-data-api/promo-events';
import { type Deployment, sqsClient } from 'customer-data-api-deployment';
import { printable } from 'customer-data-api-deployment/program';
import { type ReceivedMessage, SqsQueue } from './sqs-queue.ts';
import { OBSTACLES } from './words.ts';

/** The most letters of each kind that are shown. */
const SHOWN = 10;
/** The longest content of a message that is returned, in characters. */
const MAX_CONTENT = 4000;

/** A dead letter. */
interface ShownLetter {
  readonly messageId: string;
  /** The time when it was sent, in ISO 8601. SQS deletes it 14 days later. */
  readonly sentAt: string;
  readonly clientId?: string;
  /** The time of the request, or of what is to be published, in ISO 8601. */
  readonly time?: string;
  /** The reason why the bus did not take it. */
  readonly reason?: string;
  /** The reason why it would come back. */
  readonly problem?: string;
  /** The beginning of what cannot be read. */
  readonly content?: string;
}

/** The dead letters of a kind, and the queue that they are moved to. */
interface Kind {
  readonly deadLetters: SqsQueue;
  readonly queue: SqsQueue;
}

/** The content of the queues of a kind. */
export interface ShownQueue {
  /** The number of dead letters, approximately. */
  readonly count: number;
  /** The first of them. */
  readonly first: readonly ShownLetter[];
  /** The number of messages in the queue, approximately. */
  readonly waiting: number;
}

/** The dead letters of both kinds. */
export interface DeadLetters {
  readonly stored: ShownQueue;
  readonly published: ShownQueue;
}

/** Returns the queues of promo events that were not stored, and of events not published. */
export function queuesOf(sqs: SQSClient, { outputs }: Pick<Deployment, 'outputs'>) {
  const queue = (url: string) => new SqsQueue(sqs, url);
  const stored: Kind = {
    deadLetters: queue(outputs.PromoEventsDeadLetterQueueUrl),
    queue: queue(outputs.PromoEventsQueueUrl),
  };
  const published: Kind = {
    deadLetters: queue(outputs.PromoEventsBusDeadLetterQueueUrl),
    queue: queue(outputs.PromoEventsBusQueueUrl),
  };
  return { stored, published };
}

/** Counts the dead letters, and looks at the first ones. */
export async function showDeadLetters(deployment: Deployment): Promise<DeadLetters> {
  using sqs = sqsClient(deployment.outputs);
  const { stored, published } = queuesOf(sqs, deployment);
  return {
    stored: await show(stored, unstored),
    published: await show(published, unpublished),
  };
}

async function show(
  { deadLetters, queue }: Kind,
  read: (body: string) => Partial<ShownLetter>,
): Promise<ShownQueue> {
  const letterOf = ({ messageId, body, sentAt }: ReceivedMessage): ShownLetter => ({
    messageId,
    sentAt: sentAt.toISOString(),
    ...read(body),
  });
  const count = await deadLetters.length();
  const first = (await deadLetters.look(SHOWN)).map(letterOf);
  return { count: Math.max(count, first.length), first, waiting: await queue.length() };
}

function unstored(body: string): Partial<ShownLetter> {
  const { event, problem } = readPromoEvent(body);
  if (!event) return { problem, content: body.slice(0, MAX_CONTENT) };
  const { clientId, receivedAt: time } = event;
  const isOld = isTooOld(event, new Date());
  return {
    clientId,
    time,
    ...(isOld && { problem: OBSTACLES.tooOld }),
  };
}

function unpublished(body: string): Partial<ShownLetter> {
  const letter = readDeadLetter(body);
  if (!letter) return { problem: OBSTACLES.noDeadLetter, content: body.slice(0, MAX_CONTENT) };
  const clientId = printable(String(Object(letter.detail).clientId ?? ''));
  return { clientId, time: letter.time, reason: printable(letter.reason) };
}
