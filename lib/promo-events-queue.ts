import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import {
  ComparisonOperator,
  type IAlarmAction,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

export interface PromoEventsQueueProps {
  /** What becomes of the queues when the stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  /** Told of alarms. */
  readonly alarmAction?: IAlarmAction | undefined;
}

/** Six times the timeout of the function that drains the queue, as AWS advises, so that no message is in two hands. */
const VISIBILITY_TIMEOUT = Duration.seconds(120);
/** At one attempt every two minutes, an outage of over three hours. */
const MAX_RECEIVE_COUNT = 100;

/** Where promo events wait that the table could not take, and the dead-letter queue of those that keep failing. */
export class PromoEventsQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { removalPolicy, alarmAction }: PromoEventsQueueProps) {
    super(scope, id);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy,
    };
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', common);
    this.queue = new Queue(this, 'Queue', {
      ...common,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: MAX_RECEIVE_COUNT },
    });

    const alarm = {
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    };
    const period = Duration.minutes(1);
    const alarms = [
      this.deadLetterQueue
        .metricApproximateNumberOfMessagesVisible({ period })
        .createAlarm(this, 'DeadLetterAlarm', {
          ...alarm,
          alarmDescription: 'Promo events cannot be stored. See "At night" in the README.',
          threshold: 0,
          evaluationPeriods: 1,
        }),
      // SQS leaves a message that was received three times out of the age of the oldest: those are in hand.
      this.queue
        .metricApproximateNumberOfMessagesNotVisible({ period })
        .createAlarm(this, 'FailingAlarm', {
          ...alarm,
          alarmDescription:
            'For 15 minutes promo events have failed to be stored, or were very many.',
          threshold: 0,
          evaluationPeriods: 15,
        }),
      this.queue.metricApproximateAgeOfOldestMessage({ period }).createAlarm(this, 'AgeAlarm', {
        ...alarm,
        alarmDescription: 'Nothing has tried to store promo events for 15 minutes.',
        threshold: Duration.minutes(15).toSeconds(),
        evaluationPeriods: 1,
      }),
    ];
    if (alarmAction) for (const one of alarms) one.addAlarmAction(alarmAction);
  }

  /** Has a function write what waits in the queue. */
  storeBy(drain: IFunction): void {
    drain.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 10,
        reportBatchItemFailures: true,
        // A table that throttles is not mended by more writers.
        maxConcurrency: 10,
      }),
    );
  }
}
