import { Duration } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { shareOf } from '../metrics.ts';
import type { StageAlarms } from './stage-alarms.ts';

const PERIOD = Duration.minutes(5);
/** As for an operation: no coincidence, and more than one call in twenty. */
const FAILURES = { least: 3, percent: 5 };

/**
 * Adds an alarm on responses of 500 or more as apps see them: those of the functions and those of the gateway, which it gives
 * while a function is throttled, crashes or is too slow.
 */
export function alarmOnGateway(alarms: StageAlarms, api: Stage): Alarm {
  return alarms.add('GatewayErrors', {
    metric: shareOf({
      part: api.metricServerError({ statistic: 'Sum' }),
      whole: api.metricCount({ statistic: 'SampleCount' }),
      minimum: { part: FAILURES.least },
      period: PERIOD,
    }),
    threshold: FAILURES.percent,
    evaluationPeriods: 1,
    meaning: `More than ${FAILURES.percent} % of all calls fail.`,
    section: 'gateway-errors',
  });
}
