import { Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** The common properties of all queues. They keep messages as long as SQS can. */
export const QUEUE_PROPS = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} as const satisfies QueueProps;

export interface StreamDeadLetterQueueProps {
  /** The reader of the stream, as in "a pipe". */
  readonly reader: string;
  /** Decides whether the queue is deleted with the stack. */
  readonly removalPolicy: RemovalPolicy;
}

/** Keeps the positions of stream records that the reader has given up. */
export class StreamDeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string, { reader, removalPolicy }: StreamDeadLetterQueueProps) {
    super(scope, id, { ...QUEUE_PROPS, removalPolicy });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: `It is the dead-letter queue of ${reader}, which no redrive policy names.`,
    });
  }
}
