import { Duration, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { APPLIED_CODES } from './applied-codes.ts';

/** A queue in the account of the deployment. */
export class QueueConsumer extends Stack {
  readonly codes: Queue;

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const bus = EventBus.fromEventBusName(
      this,
      'PromoEvents',
      Fn.importValue('CustomerDataApi-prod-PromoEventsBusName'),
    );
    // Events that the queue did not accept, and messages that failed five times.
    const failed = new Queue(this, 'Failed', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.codes = new Queue(this, 'AppliedCodes', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // Six times the timeout of a function that reads it.
      visibilityTimeout: Duration.minutes(2),
      deadLetterQueue: { queue: failed, maxReceiveCount: 5 },
    });
    new Rule(this, 'ToQueue', {
      eventBus: bus,
      eventPattern: APPLIED_CODES,
      targets: [new SqsQueue(this.codes, { deadLetterQueue: failed })],
    });
  }
}
