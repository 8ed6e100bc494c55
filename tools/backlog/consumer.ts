import { setTimeout } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** Batches in flight, as the event source of the function is deployed. */
const CONCURRENCY = 10;
const IDLE_MS = 50;

/** What a consumer saw. */
export interface Consumption {
  stored: number;
  /** The longest time in which it received nothing although messages waited, in milliseconds. */
  longestGapMs: number;
}

/**
 * Receives and deletes the messages of a queue until the signal aborts, as the function that stores them does.
 *
 * @param store stores the messages of a batch.
 * @returns what it saw so far; it changes until the signal aborts.
 */
export function consume(
  sqs: SQSClient,
  QueueUrl: string,
  store: (messages: readonly Message[]) => Promise<void>,
  signal: AbortSignal,
): Consumption {
  const seen: Consumption = { stored: 0, longestGapMs: 0 };
  let lastReceived = performance.now();

  async function work(): Promise<void> {
    while (!signal.aborted) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 120 }),
      );
      if (Messages.length === 0) {
        await setTimeout(IDLE_MS);
        continue;
      }
      const now = performance.now();
      seen.longestGapMs = Math.max(seen.longestGapMs, now - lastReceived);
      lastReceived = now;
      await store(Messages);
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle,
      }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      seen.stored += Messages.length;
    }
  }
  for (let worker = 0; worker < CONCURRENCY; worker++) void work();
  return seen;
}
