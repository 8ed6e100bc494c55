import { Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/**
 * What all queues of the stack have in common. Messages are kept for as long as SQS can keep them.
 */
export const QUEUE_PROPS = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} as const satisfies QueueProps;

export interface StreamDeadLetterQueueProps {
  /** What reads the stream, as in "a pipe". */
  readonly reader: string;
  /** Whether the queue is deleted with the stack. */
  readonly removalPolicy: RemovalPolicy;
}

/** Keeps the positions of the records in a table's stream that its reader has given up. */
export class StreamDeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string, { reader, removalPolicy }: StreamDeadLetterQueueProps) {
    super(scope, id, { ...QUEUE_PROPS, removalPolicy });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: `It is the dead-letter queue of ${reader}, which no redrive policy names.`,
    });
  }
}
