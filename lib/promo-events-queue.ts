import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import {
  type Alarm,
  ComparisonOperator,
  type IAlarmAction,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MAX_CONCURRENCY } from '../functions/store-queued-promo-events/definition.ts';

export interface PromoEventsQueueProps {
  /** Whether the queues are deleted with the stack. */
  readonly removalPolicy: RemovalPolicy;
  /** What happens when an alarm goes off, and when it is over. */
  readonly alarmActions: readonly IAlarmAction[];
}

/**
 * Six times the timeout of the consumer, so that no message is delivered again while it is in flight.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const VISIBILITY_TIMEOUT = Duration.seconds(120);
/** One attempt every two minutes bridges an outage of over three hours. */
const MAX_RECEIVE_COUNT = 100;

/** The queue of promo events that the table could not store, and the dead-letter queue for those that keep failing. */
export class PromoEventsQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(
    scope: Construct,
    id: string,
    { removalPolicy, alarmActions }: PromoEventsQueueProps,
  ) {
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
    for (const alarm of this.#createAlarms()) {
      alarm.addAlarmAction(...alarmActions);
      alarm.addOkAction(...alarmActions);
    }
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

  #createAlarms(): Alarm[] {
    const common = {
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    };
    const period = Duration.minutes(1);
    return [
      this.deadLetterQueue
        .metricApproximateNumberOfMessagesVisible({ period })
        .createAlarm(this, 'DeadLetterAlarm', {
          ...common,
          alarmDescription:
            'Promo events could not be stored and are in the dead-letter queue. See docs/runbook.md.',
          threshold: 0,
          evaluationPeriods: 1,
        }),
      // AgeAlarm misses messages that fail: SQS ignores those received three times in the age of the oldest message.
      this.queue
        .metricApproximateNumberOfMessagesNotVisible({ period })
        .createAlarm(this, 'FailingAlarm', {
          ...common,
          alarmDescription:
            'For 15 minutes, storing promo events has failed, or very many were queued. See docs/runbook.md.',
          threshold: 0,
          evaluationPeriods: 15,
        }),
      this.queue.metricApproximateAgeOfOldestMessage({ period }).createAlarm(this, 'AgeAlarm', {
        ...common,
        alarmDescription:
          'For 15 minutes, no function has tried to store a queued promo event. See docs/runbook.md.',
        threshold: Duration.minutes(15).toSeconds(),
        evaluationPeriods: 1,
      }),
    ];
  }
}
