import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { OK } from '../../core/runtime/metrics.ts';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import { storeQueuedPromoEvents } from '../../functions/store-queued-promo-events/definition.ts';
import { countOf, deadLettersIn, sumOf } from './metrics.ts';
import type { MonitoredFunction, StageAlarms } from './stage-alarms.ts';

const PERIOD = Duration.minutes(5);
const HOUR = Duration.hours(1);

/** Retries bridge a moment of throttling. Five events that were not stored are more than that. */
const QUEUED = 4;
/** Messages invoke the consumer within a second. After 15 minutes without, something is wrong. */
const WAITING = Duration.minutes(15);
/** Per hour. Fewer requests may all fail by chance. */
const APPLICATIONS = 10;
/** Per hour. With this many app starts, some apps usually apply a code. Nights have fewer. */
const APP_STARTS = 1000;

/** The path of promo events into the table. */
export interface MonitoredQueue {
  readonly queue: IQueue;
  readonly deadLetterQueue: IQueue;
  /** The function that stores the events of the queue. */
  readonly consumer: MonitoredFunction;
}

/** Adds alarms on promo events on their way into the table, and on their absence. */
export function alarmOnPromoEvents(
  alarms: StageAlarms,
  stage: string,
  { queue, deadLetterQueue, consumer }: MonitoredQueue,
): void {
  const applications = { service: applyPromoCode.folder, stage };
  alarms.add('PromoEventsQueued', {
    metric: countOf('PromoEventQueued', { ...applications, period: PERIOD }),
    threshold: QUEUED,
    evaluationPeriods: 1,
    meaning: 'The table does not store promo events. They wait in the queue.',
  });
  // The age alone would raise the alarm while a slow table is retried and new messages queue up.
  alarms.add('PromoEventsWaiting', {
    metric: new MathExpression({
      expression: `IF(age > ${WAITING.toSeconds()} AND FILL(invocations, 0) == 0, age, 0)`,
      usingMetrics: {
        age: queue.metricApproximateAgeOfOldestMessage(),
        invocations: consumer.function.metricInvocations(),
      },
      period: PERIOD,
    }),
    threshold: 0,
    // The newest point may be there only because invocations are published with a delay.
    evaluationPeriods: 2,
    meaning: 'Promo events have waited for 15 minutes, and nothing tries to store them.',
  });
  // Failures instead of messages in flight, which a healthy consumer of a long queue has too.
  alarms.add('PromoEventsFailing', {
    metric: sumOf(
      {
        errors: countOf('ServerErrors', { service: consumer.service, stage }),
        crashes: consumer.function.metricErrors(),
      },
      PERIOD,
    ),
    threshold: 0,
    // A message is retried every two minutes: each period has a failure until the cause is gone.
    evaluationPeriods: 3,
    meaning:
      'For 15 minutes, promo events of the queue could not be stored. They are retried for three hours.',
  });
  alarms.add('PromoEventsDead', {
    metric: deadLettersIn(deadLetterQueue),
    threshold: 0,
    evaluationPeriods: 1,
    meaning: 'Promo events could not be stored for three hours and wait in the dead-letter queue.',
    isRepeated: true,
  });
  alarms.add('NoPromoCodesApplied', {
    metric: new MathExpression({
      expression: `IF(FILL(applied, 0) == 0 AND (FILL(requests, 0) >= ${APPLICATIONS} OR FILL(starts, 0) >= ${APP_STARTS}), 1, 0)`,
      usingMetrics: {
        applied: countOf('Responses', { ...applications, code: OK }),
        requests: countOf('Responses', applications),
        starts: countOf('Responses', { service: getConfig.folder, stage, code: OK }),
      },
      period: HOUR,
    }),
    threshold: 0,
    evaluationPeriods: 3,
    meaning: 'For three hours, no promo code was applied, although apps are in use.',
  });
}

/** The pipe from the table to the event bus. */
export interface MonitoredPipe {
  readonly pipeName: string;
  /** The records that did not reach the bus. */
  readonly deadLetterQueue: IQueue;
}

/**
 * Returns a metric of the pipe.
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

/** Adds alarms on the pipe. No promo event is lost when it fails, lags or gives up records. */
export function alarmOnPipe(alarms: StageAlarms, stage: string, pipe: MonitoredPipe): void {
  alarms.add('PipeFailing', {
    metric: sumOf(
      {
        failed: pipeMetric('ExecutionFailed', pipe),
        partly: pipeMetric('ExecutionPartiallyFailed', pipe),
        timeouts: pipeMetric('ExecutionTimeout', pipe),
        throttled: pipeMetric('ExecutionThrottled', pipe),
      },
      PERIOD,
    ),
    threshold: 0,
    // Single failures are retried, and the pipe gives a record up only after 12 hours.
    evaluationPeriods: 3,
    meaning: 'For 15 minutes, the pipe has failed to send promo events to the event bus.',
    section: 'pipefailing-pipebehind',
  });
  // Pipes have no metric of their delay. Its sign: events are stored while the pipe processes none.
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
    // A repeated request is counted but makes no record: a single one must not raise the alarm.
    evaluationPeriods: 3,
    meaning: 'For 15 minutes, promo events were stored, and the pipe sent none to the event bus.',
    section: 'pipefailing-pipebehind',
  });
  alarms.add('PipeDead', {
    metric: deadLettersIn(pipe.deadLetterQueue),
    threshold: 0,
    evaluationPeriods: 1,
    isRepeated: true,
    meaning:
      'The event bus rejected promo events. Their positions are in the dead-letter queue of the pipe for a day.',
  });
}
