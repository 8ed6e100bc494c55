import { Duration } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { OK } from '../../core/platform/metrics.ts';
import { countOf, shareOf, sumOf } from '../metrics.ts';
import type { StageAlarms } from './stage-alarms.ts';

/** A function of the service, as alarms and graphs see it. */
export interface MonitoredFunction {
  /** Its name in the stack, such as `GetConfig`. */
  readonly name: string;
  /** Its folder, which is the dimension `service` of its metrics. */
  readonly service: string;
  readonly function: IFunction;
}

const PERIOD = Duration.minutes(5);

/** Apps retry a single failure. Three in five minutes, and more than one accepted call in twenty, are no coincidence. */
const FAILURES = { least: 3, percent: 5 };

/**
 * A warm call takes less than 50 ms and a first one less than a second. Nine of ten calls are above two only if DynamoDB,
 * SQS or Cognito is slow for everybody: the first attempt of a DynamoDB call is given up after 1.5 s.
 */
const SLOW_MS = 2000;

/**
 * Adds alarms on an operation: how many of its calls fail, and how long they take.
 *
 * @returns the alarm on failing calls.
 */
export function alarmOnOperation(
  alarms: StageAlarms,
  stage: string,
  { name, service, function: lambda }: MonitoredFunction,
): Alarm {
  const ours = { service, stage };
  // Lambda counts a function that crashes or times out. It answers nothing then, so our own metrics miss it.
  const crashes = lambda.metricErrors();
  const errors = countOf('ServerErrors', ours);
  const failing = alarms.add(`${name}Availability`, {
    metric: shareOf({
      part: sumOf({ errors, crashes }),
      // Without refused calls: anybody can send those, and many of them would hide that all others fail.
      whole: sumOf({ ok: countOf('Responses', { ...ours, code: OK }), errors, crashes }),
      minimum: { part: FAILURES.least },
      period: PERIOD,
    }),
    threshold: FAILURES.percent,
    evaluationPeriods: 1,
    meaning: `More than ${FAILURES.percent} % of the accepted calls of ${name} fail.`,
    section: 'availability-of-an-operation',
  });
  alarms.add(`${name}Latency`, {
    metric: lambda.metricDuration({ period: PERIOD, statistic: 'p90' }),
    threshold: SLOW_MS,
    evaluationPeriods: 3,
    meaning: `For 15 minutes, one call of ${name} in ten has taken more than ${SLOW_MS / 1000} s.`,
    section: 'latency-of-an-operation',
  });
  return failing;
}
