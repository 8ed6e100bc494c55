import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { storeQueuedPromoEvents } from '../../functions/store-queued-promo-events/definition.ts';
import { countOf, sumOf } from '../metrics.ts';
import type { StageAlarms } from './stage-alarms.ts';

const PERIOD = Duration.minutes(5);

/** The pipe from the table to the event bus. */
export interface MonitoredPipe {
  readonly pipeName: string;
  /** The records that did not reach the bus. */
  readonly deadLetterQueue: IQueue;
}

/**
 * A metric of the pipe.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-monitoring.html
 */
export function pipeMetric(
  metricName: string,
  { pipeName }: MonitoredPipe,
  label?: string,
): Metric {
  return new Metric({
    namespace: 'AWS/EventBridge/Pipes',
    metricName,
    dimensionsMap: { PipeName: pipeName },
    statistic: 'Sum',
    period: PERIOD,
    ...(label && { label }),
  });
}

/** Adds alarms on the pipe: it fails, is throttled, is behind, or gave records up. No promo event is lost in any of them. */
export function alarmOnPipe(alarms: StageAlarms, stage: string, pipe: MonitoredPipe): void {
  alarms.add('PipeFailing', {
    metric: sumOf(
      {
        failed: pipeMetric('ExecutionFailed', pipe),
        partly: pipeMetric('ExecutionPartiallyFailed', pipe),
        timeouts: pipeMetric('ExecutionTimeout', pipe),
      },
      PERIOD,
    ),
    threshold: 0,
    // A single failure is retried, and 15 minutes are far below the 12 hours after which the pipe gives a record up.
    evaluationPeriods: 3,
    meaning: 'For 15 minutes, the pipe has failed to send promo events to the event bus.',
    section: 'the-pipe-fails-or-is-behind',
  });
  alarms.add('PipeThrottled', {
    metric: pipeMetric('ExecutionThrottled', pipe),
    threshold: 0,
    evaluationPeriods: 3,
    meaning: 'For 15 minutes, EventBridge has throttled the pipe.',
    section: 'the-pipe-fails-or-is-behind',
  });
  // Pipes have no metric of their delay. Events that are stored while the pipe processes none are the sign of it.
  const calls = { service: applyPromoCode.folder, stage };
  const queue = { service: storeQueuedPromoEvents.folder, stage };
  const stored = sumOf({
    applied: countOf('PromoEventApplied', calls),
    repeated: countOf('PromoEventRepeated', calls),
    appliedLater: countOf('PromoEventApplied', queue),
    repeatedLater: countOf('PromoEventRepeated', queue),
  });
  alarms.add('PipeBehind', {
    metric: new MathExpression({
      expression: 'IF(stored > 0 AND FILL(sent, 0) == 0, stored, 0)',
      usingMetrics: { stored, sent: pipeMetric('EventCount', pipe) },
      period: PERIOD,
    }),
    threshold: 0,
    // A request that is sent again is counted and makes no record: a single one does not raise the alarm.
    evaluationPeriods: 3,
    meaning: 'For 15 minutes, promo events were stored, and the pipe sent none to the event bus.',
    section: 'the-pipe-fails-or-is-behind',
  });
  alarms.add('PipeDead', {
    metric: pipe.deadLetterQueue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
    }),
    threshold: 0,
    evaluationPeriods: 1,
    meaning:
      'The event bus rejected promo events. Their positions are in the dead-letter queue of the pipe for a day.',
    section: 'events-that-the-bus-rejected',
  });
}
