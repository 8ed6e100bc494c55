import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import type { AlarmDefinitions } from './alarm.ts';
import { ageOfRecords, countOf, deadLettersIn, SINCE_ARRIVAL, sumOf } from './metrics.ts';
import type { Monitored } from './monitored.ts';

const PERIOD = Duration.minutes(5);

/** Messages invoke the consumer within a second, and failed ones again after two minutes. */
const WAITING = Duration.minutes(5);
/** The time for which the bus may fail before somebody needs to act. */
const BEHIND = Duration.minutes(15);
/** Returns the alarms on promo events on their way into the table and to the bus. */
export function promoEventAlarms(monitored: Monitored): AlarmDefinitions {
  const { stage, consumer, publisher, checker, bus } = monitored;
  const { queue, deadLetterQueue } = monitored.queue;
  const stored = sumOf({
    applied: countOf('PromoEventApplied', stage, applyPromoCode),
    repeated: countOf('PromoEventRepeated', stage, applyPromoCode),
    appliedLater: countOf('PromoEventApplied', stage, consumer),
    repeatedLater: countOf('PromoEventRepeated', stage, consumer),
  });
  return {
    PromoEventsWaiting: {
      // Two signs. Nothing tries to store them: the age alone would also be high in a long queue.
      // Or it fails: the age leaves out what was received three times, and a message is retried
      // every two minutes, so each period has a failure until the cause is gone.
      metric: new MathExpression({
        expression: `IF(age > ${WAITING.toSeconds()}, 1, 0) - IF(invocations > 0, 1, 0) + 2 * IF(FILL(errors, 0) + FILL(crashes, 0) > 0, 1, 0)`,
        usingMetrics: {
          age: queue.metricApproximateAgeOfOldestMessage(),
          invocations: consumer.metricInvocations(),
          errors: countOf('ServerErrors', stage, consumer),
          crashes: consumer.metricErrors(),
        },
        period: PERIOD,
      }),
      evaluationPeriods: 3,
      meaning:
        'For 15 minutes, promo events of the queue were not stored. After three hours of failures, they become dead letters.',
    },
    PromoEventsDead: {
      metric: deadLettersIn(deadLetterQueue),
      ...SINCE_ARRIVAL,
      meaning:
        'Promo events could not be stored for three hours and wait in the dead-letter queue.',
    },
    ...(checker && {
      GuaranteeBroken: {
        metric: countOf('GuaranteeBroken', stage, checker, { period: PERIOD }),
        // Three hours: a record that is delivered again does not raise it again.
        evaluationPeriods: 36,
        datapointsToAlarm: 1,
        meaning:
          'A promo event was changed or removed, or a repetition was stored without its application.',
        pages: true,
      },
    }),
    BusBehind: {
      // An event source that is off has no age. Its sign: events are stored, and none is published.
      metric: new MathExpression({
        expression: `IF(stored > 0, 1, 0) - IF(published > 0, 1, 0) + 2 * IF(age > ${BEHIND.toMilliseconds()}, 1, 0)`,
        usingMetrics: {
          stored,
          published: countOf('PromoEventPublished', stage, publisher),
          age: ageOfRecords(publisher),
        },
        period: PERIOD,
      }),
      // A repeated request is counted but makes no record: a single one must not raise the alarm.
      // Six hours: a quiet stage stores nothing in most periods.
      evaluationPeriods: 72,
      datapointsToAlarm: 3,
      meaning:
        'For 15 minutes of six hours, promo events reached the event bus late, or not at all.',
      pages: true,
    },
    BusDead: {
      metric: deadLettersIn(bus.deadLetterQueue),
      ...SINCE_ARRIVAL,
      meaning: 'The event bus did not take events. They wait in its dead-letter queue for 14 days.',
    },
  };
}
