import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** The common properties of all queues. They keep messages as long as SQS can. */
export const QUEUE_PROPS = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} as const satisfies QueueProps;

/** Keeps the positions of stream records that the reader, such as "a pipe", has given up. */
export class StreamDeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string, reader: string) {
    super(scope, id, QUEUE_PROPS);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: `It is the dead-letter queue of ${reader}, which no redrive policy names.`,
    });
  }
}
