import { Duration, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { EventBus as EventBusTarget, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { APPLIED_CODES } from './applied-codes.ts';

const BUS_NAME = 'PromoEvents';

export interface ReceiverProps extends StackProps {
  /** The account of the deployment. */
  readonly sender: string;
}

/** The stack of the consumer's account: a bus that accepts the events. Deploy it first. */
export class Receiver extends Stack {
  constructor(scope: Construct, id: string, { sender, ...props }: ReceiverProps) {
    super(scope, id, props);
    const bus = new EventBus(this, 'PromoEvents', { eventBusName: BUS_NAME });
    bus.addToResourcePolicy(
      new PolicyStatement({
        sid: 'FromTheDeployment',
        principals: [new AccountPrincipal(sender)],
        actions: ['events:PutEvents'],
        resources: [bus.eventBusArn],
      }),
    );
    // EventBridge forwards an event once: a rule here cannot send it to a third bus.
    const failed = new Queue(this, 'Failed', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    const codes = new Queue(this, 'AppliedCodes', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      deadLetterQueue: { queue: failed, maxReceiveCount: 5 },
    });
    new Rule(this, 'ToQueue', {
      eventBus: bus,
      eventPattern: { ...APPLIED_CODES, account: [sender] },
      targets: [new SqsQueue(codes, { deadLetterQueue: failed })],
    });
  }
}

export interface SenderProps extends StackProps {
  /** The account of the consumer. */
  readonly receiver: string;
}

/** The stack of the deployment's account: a rule that sends the events there. */
export class Sender extends Stack {
  constructor(scope: Construct, id: string, { receiver, ...props }: SenderProps) {
    super(scope, id, props);
    const bus = EventBus.fromEventBusName(
      this,
      'PromoEvents',
      Fn.importValue('CustomerDataApi-prod-PromoEventsBusName'),
    );
    const there = EventBus.fromEventBusArn(
      this,
      'There',
      `arn:${this.partition}:events:${this.region}:${receiver}:event-bus/${BUS_NAME}`,
    );
    const failed = new Queue(this, 'Failed', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    new Rule(this, 'ToAccount', {
      eventBus: bus,
      eventPattern: APPLIED_CODES,
      targets: [new EventBusTarget(there, { deadLetterQueue: failed })],
    });
  }
}
