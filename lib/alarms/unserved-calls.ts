import { Duration } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { countOf, shareOf, sumOf } from '../metrics.ts';
import type { StageAlarms } from './stage-alarms.ts';

const PERIOD = Duration.minutes(5);
const HOUR = Duration.hours(1);

/**
 * In five minutes. Strangers who search for paths are usually done within the 15 minutes of the alarm, and apps send next to
 * no call that the gateway refuses: more than a fifth means that a limit or a rule is in their way.
 */
const REFUSED = { least: 50, percent: 20 };

/** In an hour. Even if the traffic falls to a tenth of it, an hour without any call has a probability of 1 in 20,000. */
const USUAL_CALLS = 100;

/** What sees calls that no function serves. */
export interface CallsOfApps {
  /** The stage of the REST API. */
  readonly api: Stage;
  /** The folders of the functions behind the operations. */
  readonly services: readonly string[];
}

/** Adds alarms on calls that reach no function: the gateway or the web ACL refuses them, or there are none any more. */
export function alarmOnUnservedCalls(
  alarms: StageAlarms,
  stage: string,
  { api, services }: CallsOfApps,
): void {
  alarms.add('GatewayRefusals', {
    metric: shareOf({
      part: refusedByTheGateway({ api, services }, stage),
      whole: api.metricCount({ statistic: 'SampleCount' }),
      minimum: { part: REFUSED.least },
      period: PERIOD,
    }),
    threshold: REFUSED.percent,
    evaluationPeriods: 3,
    meaning: `For 15 minutes, the gateway or the web ACL has refused more than ${REFUSED.percent} % of all calls.`,
    section: 'the-gateway-refuses-calls',
  });
  const calls = byService('answered', services, (service) =>
    countOf('Responses', { service, stage }),
  );
  alarms.add('CallsStopped', {
    metric: new MathExpression({
      expression: `IF(calls == 0 AND DIFF(calls) <= -${USUAL_CALLS}, 1, 0)`,
      usingMetrics: { calls: sumOf(calls) },
      period: HOUR,
    }),
    threshold: 0,
    evaluationPeriods: 1,
    meaning: `For an hour no call was answered. There were at least ${USUAL_CALLS} in the hour before.`,
    section: 'calls-stopped',
  });
}

/** The 4xx responses that apps see, without those that the functions give. */
function refusedByTheGateway({ api, services }: CallsOfApps, stage: string): MathExpression {
  const ours = byService('ours', services, (service) =>
    countOf('ClientErrors', { service, stage }),
  );
  return new MathExpression({
    expression: ['refused', ...Object.keys(ours)].map((name) => `FILL(${name}, 0)`).join(' - '),
    usingMetrics: {
      refused: api.metricClientError({ statistic: 'Sum' }),
      ...ours,
    },
  });
}

/** A metric of each service, by a name that expressions can use: the prefix and a number. */
function byService(
  prefix: string,
  services: readonly string[],
  metricOf: (service: string) => IMetric,
): Record<string, IMetric> {
  return Object.fromEntries(
    services.map((service, index) => [`${prefix}${index}`, metricOf(service)]),
  );
}
