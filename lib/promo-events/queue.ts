import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { QUEUE_PROPS } from '../functions/dead-letter-queue.ts';
import { MAX_CONCURRENCY } from '../settings/capacity.ts';

/**
 * Six times the consumer's timeout, so that no message in flight is delivered again.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const VISIBILITY_TIMEOUT = Duration.seconds(120);
/** An attempt every two minutes bridges an outage of over three hours. */
const MAX_RECEIVE_COUNT = 100;

/** The queue of promo events that the table could not store, and its dead-letter queue. */
export class PromoEventsQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', QUEUE_PROPS);
    this.queue = new Queue(this, 'Queue', {
      ...QUEUE_PROPS,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
  }

  /** Invokes a function with batches of queued promo events. */
  addConsumer(consumer: IFunction): void {
    consumer.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 10,
        reportBatchItemFailures: true,
        maxConcurrency: MAX_CONCURRENCY,
      }),
    );
  }
}
