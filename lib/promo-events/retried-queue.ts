import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** The common properties of all queues. They keep messages as long as SQS can. */
export const QUEUE_PROPS = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} as const satisfies QueueProps;

/**
 * Six times the functions' timeout, so that no message in flight is delivered again.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const VISIBILITY_TIMEOUT = Duration.seconds(120);
/** An attempt every two minutes bridges an outage of over three hours. */
const MAX_RECEIVE_COUNT = 100;

/** A queue that retries its messages for over three hours, and its dead-letter queue. */
export interface RetriedQueue {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
}

/** Adds a queue that retries its messages, with its dead-letter queue. */
export function addRetriedQueue(scope: Construct): RetriedQueue {
  const deadLetterQueue = new Queue(scope, 'DeadLetterQueue', QUEUE_PROPS);
  const queue = new Queue(scope, 'Queue', {
    ...QUEUE_PROPS,
    visibilityTimeout: VISIBILITY_TIMEOUT,
    deadLetterQueue: { queue: deadLetterQueue, maxReceiveCount: MAX_RECEIVE_COUNT },
  });
  return { queue, deadLetterQueue };
}

/** Invokes a function with batches of a queue, `maxConcurrency` at the same time. */
export function invokeWithMessages(queue: Queue, lambda: IFunction, maxConcurrency: number): void {
  lambda.addEventSource(
    new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true, maxConcurrency }),
  );
}
