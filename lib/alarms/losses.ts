import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { type CountMetric, OK } from '../../core/runtime/metrics.ts';
import type { AlarmDefinitions } from './alarm.ts';
import { byFunction, countOf } from './metrics.ts';
import type { Monitored } from './monitored.ts';

const HOUR = Duration.hours(1);
const HALF_DAY = Duration.hours(12);

/** The number of calls below which some fail, or stay away, by chance. */
const LEAST = 20;
/** Calls that are lost for each that succeeds. */
const PER_SUCCESS = 10;
/** An alarm can use ten metrics: four of each operation, and one of all. */
const OPERATIONS_PER_ALARM = 2;

/**
 * Returns the alarms on an operation that serves almost nobody, however few its calls are. Each
 * operation is judged by itself: getConfig has most calls, and would hide that all codes are lost.
 */
export function lossAlarms(monitored: Monitored): AlarmDefinitions {
  const { operations } = monitored;
  const starts = operations.flatMap((_, at) => (at % OPERATIONS_PER_ALARM === 0 ? [at] : []));
  const alarms = starts.map((start, at) => {
    const judged = operations.slice(start, start + OPERATIONS_PER_ALARM);
    return alarmsOn({ ...monitored, operations: judged }, at === 0 ? '' : `${at + 1}`);
  });
  return Object.assign({}, ...alarms);
}

/** @param suffix tells the alarms on further operations apart. */
function alarmsOn(monitored: Monitored, suffix: string): AlarmDefinitions {
  return {
    [`CallsLost${suffix}`]: {
      metric: worst(HOUR, lost(monitored, 'SignedCallRefused')),
      meaning: `In an hour, at least ${LEAST} calls of one operation were refused with a good token or failed, and under a tenth as many succeeded.`,
      section: 'callslost-callslostslowly',
      pages: true,
    },
    [`CallsLostSlowly${suffix}`]: {
      metric: worst(HALF_DAY, lost(monitored, 'CustomerRefused'), blocked(monitored)),
      meaning: `In twelve hours, at least ${LEAST} calls of one operation were refused with a good token or failed, and under a tenth as many succeeded. Or its successes fell to under a tenth while calls were refused.`,
      section: 'callslost-callslostslowly',
    },
    [`CallsBlocked${suffix}`]: {
      metric: worst(HOUR, blocked(monitored)),
      meaning:
        'In an hour, the successes of one operation fell to under a tenth of the hour before, while calls were refused: by the web ACL, the gateway or a function.',
      section: 'callsblocked',
    },
  };
}

/** Conditions of operations: each is 1 or 0. */
interface Conditions {
  readonly expressions: readonly string[];
  readonly usingMetrics: Readonly<Record<string, IMetric>>;
}

/** Returns how many of the conditions hold in a period. */
function worst(period: Duration, ...conditions: readonly Conditions[]): MathExpression {
  return new MathExpression({
    expression: conditions.flatMap(({ expressions }) => expressions).join(' + '),
    usingMetrics: Object.assign({}, ...conditions.map(({ usingMetrics }) => usingMetrics)),
    period,
  });
}

const successes = ({ stage, operations }: Monitored) =>
  byFunction('ok', operations, (lambda) => countOf('Responses', stage, lambda, { code: OK }));

/** True if calls reach the function, and almost all are lost. */
function lost(monitored: Monitored, refused: CountMetric): Conditions {
  const { stage, operations } = monitored;
  return {
    expressions: operations.map((_, n) => {
      const calls = `FILL(refused${n}, 0) + FILL(errors${n}, 0) + FILL(crashes${n}, 0)`;
      return `IF(${calls} >= ${LEAST}, 1, 0) * IF(${calls} - ${PER_SUCCESS} * FILL(ok${n}, 0) > 0, 1, 0)`;
    }),
    usingMetrics: {
      ...byFunction('refused', operations, (lambda) => countOf(refused, stage, lambda)),
      ...byFunction('errors', operations, (lambda) => countOf('ServerErrors', stage, lambda)),
      ...byFunction('crashes', operations, (lambda) => lambda.metricErrors()),
      ...successes(monitored),
    },
  };
}

/**
 * True if successes end while calls are refused, at least half as many as are missing: nights have
 * fewer successes, and scanners are always refused.
 */
function blocked(monitored: Monitored): Conditions {
  const { api, operations } = monitored;
  return {
    expressions: operations.map((_, n) => {
      const ok = `FILL(ok${n}, 0)`;
      return `IF(DIFF(${ok}) <= -${LEAST}, 1, 0) * IF(${PER_SUCCESS - 1} * ${ok} + DIFF(${ok}) < 0, 1, 0) * IF(2 * FILL(refused, 0) + DIFF(${ok}) >= 0, 1, 0)`;
    }),
    usingMetrics: {
      refused: api.metricClientError({ statistic: 'Sum' }),
      ...successes(monitored),
    },
  };
}
