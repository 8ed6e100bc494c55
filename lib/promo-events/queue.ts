import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MAX_CONCURRENCY } from '../settings/capacity.ts';
import { addRetriedQueue, invokeWithMessages, type RetriedQueue } from './retried-queue.ts';

/** The queue of promo events that the table could not store, and its dead-letter queue. */
export class PromoEventsQueue extends Construct implements RetriedQueue {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    ({ queue: this.queue, deadLetterQueue: this.deadLetterQueue } = addRetriedQueue(this));
  }

  /** Invokes a function with batches of queued promo events. */
  addConsumer(consumer: IFunction): void {
    invokeWithMessages(this.queue, consumer, MAX_CONCURRENCY.StoreQueuedPromoEvents);
  }
}
