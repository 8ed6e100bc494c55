import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** The common properties of all queues. They keep messages as long as SQS can. */
export const QUEUE_PROPS = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} as const satisfies QueueProps;

/** Keeps what the reader of a stream, such as "a function", has given up. */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string, reader: string) {
    super(scope, id, QUEUE_PROPS);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: `It is the dead-letter queue of ${reader}, which no redrive policy names.`,
    });
  }
}
