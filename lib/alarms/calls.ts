import { Duration } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import {
  type Alarm,
  type IAlarmAction,
  type IMetric,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import { OK } from '../../core/runtime/metrics.ts';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import {
  ForbiddenError,
  TokenExpiredError,
  UnauthorizedError,
} from '../../functions/http/errors.ts';
import { countOf, shareOf, sumOf } from './metrics.ts';
import type { MonitoredFunction, StageAlarms } from './stage-alarms.ts';

const PERIOD = Duration.minutes(5);
const QUARTER = Duration.minutes(15);
const HOUR = Duration.hours(1);

/**
 * Apps retry a single failure. Three in five minutes, and more than one accepted call in twenty,
 * are no coincidence.
 */
const FAILURES = { least: 3, percent: 5 };

/**
 * A warm call takes less than 50 ms and a first one less than a second. Nine of ten calls are above
 * two only if DynamoDB, SQS or Cognito is slow for everybody: the first attempt of a DynamoDB call
 * is given up after 1.5 s.
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
  // Lambda counts a function that crashes or times out. It answers nothing then, so our own metrics
  // miss it.
  const crashes = lambda.metricErrors();
  const errors = countOf('ServerErrors', ours);
  const failing = alarms.add(`${name}Availability`, {
    metric: shareOf({
      part: sumOf({ errors, crashes }),
      // Without refused calls: anybody can send those, and many of them would hide that all others
      // fail.
      whole: sumOf({ ok: countOf('Responses', { ...ours, code: OK }), errors, crashes }),
      minimum: { part: FAILURES.least },
      period: PERIOD,
    }),
    threshold: FAILURES.percent,
    evaluationPeriods: 1,
    meaning: `More than ${FAILURES.percent} % of the accepted calls of ${name} fail.`,
    section: 'availability',
  });
  alarms.add(`${name}Latency`, {
    metric: lambda.metricDuration({ period: PERIOD, statistic: 'p90' }),
    threshold: SLOW_MS,
    evaluationPeriods: 3,
    meaning: `For 15 minutes, one call of ${name} in ten has taken more than ${SLOW_MS / 1000} s.`,
    section: 'latency',
  });
  return failing;
}

/**
 * Adds an alarm on responses of 500 or more as apps see them: those of the functions and those of
 * the gateway, which it gives while a function is throttled, crashes or is too slow.
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
  });
}

/**
 * Adds the alarm that pages: apps are not served. The others inform, because nothing is lost while
 * somebody sleeps, or because they concern a single client.
 *
 * @param failing the alarms on calls that fail, any of which means that apps are not served.
 */
export function pageIfAppsAreNotServed(
  alarms: StageAlarms,
  failing: readonly Alarm[],
  actions: readonly IAlarmAction[],
): void {
  alarms.addPage('AppsNotServed', {
    ...{ anyOf: failing, actions },
    meaning: 'Apps are not served.',
  });
}

/**
 * In five minutes. Strangers who search for paths are usually done within the 15 minutes of the
 * alarm, and apps send next to no call that the gateway refuses: more than a fifth means that a
 * limit or a rule is in their way.
 */
const REFUSED = { least: 50, percent: 20 };

/**
 * In an hour. Even if the traffic falls to a tenth of it, an hour without any call has a
 * probability of 1 in 20,000.
 */
const USUAL_CALLS = 100;

/** What sees calls that no function serves. */
export interface CallsOfApps {
  /** The stage of the REST API. */
  readonly api: Stage;
  /** The folders of the functions behind the operations. */
  readonly services: readonly string[];
}

/**
 * Adds alarms on calls that reach no function: the gateway or the web ACL refuses them, or there
 * are none any more.
 */
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

/**
 * In fewer requests than this in 15 minutes, one app with a fault would already be a large share.
 */
const LEAST_REQUESTS = 50;
/** A wrong `userIdClaim` refuses all; guests and apps with a fault are few. */
const OTHER_USERS_PERCENT = 10;
const LEAST_APPLICATIONS = 20;
/**
 * An app that notices the expiry from the response sends an expired token with the first call of a
 * session and a new one with the second: half of its calls are refused. More are refused only if
 * apps get no new tokens.
 */
const EXPIRED_PERCENT = 60;
/**
 * Strangers who try keys are refused too. A third of all requests is a key or a user pool that no
 * longer fits the apps.
 */
const UNAUTHORIZED_PERCENT = 30;

/** Adds alarms on the share of requests that are refused because of who sends them. */
export function alarmOnRefusals(
  alarms: StageAlarms,
  stage: string,
  operations: readonly MonitoredFunction[],
): void {
  const ours = (service: string) => ({ service, stage });
  const applications = ours(applyPromoCode.folder);
  alarms.add('OtherUsers', {
    metric: shareOf({
      part: countOf('UserBindingRefused', applications),
      // Only calls of users: anybody can send others, and many of them would hide a share of all
      // users.
      whole: sumOf({
        ok: countOf('Responses', { ...applications, code: OK }),
        forbidden: countOf('Responses', { ...applications, code: new ForbiddenError().code }),
      }),
      minimum: { whole: LEAST_APPLICATIONS },
      period: QUARTER,
    }),
    threshold: OTHER_USERS_PERCENT,
    evaluationPeriods: 1,
    meaning: `More than ${OTHER_USERS_PERCENT} % of the promo codes are refused because the token belongs to another user. These applications are lost.`,
  });
  for (const { name, service } of operations) {
    const share = (code: string) =>
      shareOf({
        part: countOf('Responses', { ...ours(service), code }),
        whole: countOf('Responses', ours(service)),
        minimum: { whole: LEAST_REQUESTS },
        period: QUARTER,
      });
    alarms.add(`${name}ExpiredTokens`, {
      metric: share(new TokenExpiredError().code),
      threshold: EXPIRED_PERCENT,
      evaluationPeriods: 1,
      meaning: `More than ${EXPIRED_PERCENT} % of the calls of ${name} have an expired token: apps get no new ones.`,
      section: 'expiredtokens',
    });
    alarms.add(`${name}Unauthorized`, {
      metric: share(new UnauthorizedError().code),
      threshold: UNAUTHORIZED_PERCENT,
      evaluationPeriods: 1,
      meaning: `More than ${UNAUTHORIZED_PERCENT} % of the calls of ${name} are refused as unauthorized.`,
      section: 'unauthorized',
    });
  }
}
