import { Duration } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
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

/** Apps retry single failures; three in five minutes, over 5 % of accepted calls, are a pattern. */
const FAILURES = { least: 3, percent: 5 };

/**
 * In five minutes, of calls with a token of our user pool. A wrong setting refuses almost all; the
 * wrong App-Id of one client does not.
 */
const REFUSED_USERS = { least: 50, percent: 90 };

/**
 * A warm call takes under 50 ms, a first one under a second. If one in a hundred takes over two,
 * DynamoDB, SQS or Cognito is slow: a DynamoDB call gives up its first attempt after 1.5 s.
 */
const SLOW_MS = 2000;

/** Adds alarms on an operation's failures, refusals of users, and duration. */
export function alarmOnOperation(
  alarms: StageAlarms,
  stage: string,
  { name, service, function: lambda }: MonitoredFunction,
): void {
  const ours = { service, stage };
  // Lambda counts functions that crash or time out. They answer nothing, so our metrics miss them.
  const crashes = lambda.metricErrors();
  const errors = countOf('ServerErrors', ours);
  alarms.add(`${name}Availability`, {
    metric: shareOf({
      part: sumOf({ errors, crashes }),
      // Without refused calls: anyone can send those, and many would hide that all others fail.
      whole: sumOf({ ok: countOf('Responses', { ...ours, code: OK }), errors, crashes }),
      minimum: { part: FAILURES.least },
      period: PERIOD,
    }),
    threshold: FAILURES.percent,
    evaluationPeriods: 1,
    meaning: `More than ${FAILURES.percent} % of the accepted calls of ${name} fail.`,
    section: 'availability',
    isReasonToPage: true,
  });
  alarms.add(`${name}Refusals`, {
    metric: shareOf({
      part: countOf('SignedCallRefused', ours),
      whole: countOf('SignedCall', ours),
      minimum: { whole: REFUSED_USERS.least },
      period: PERIOD,
    }),
    threshold: REFUSED_USERS.percent,
    evaluationPeriods: 1,
    meaning: `${name} refuses more than ${REFUSED_USERS.percent} % of the calls with a token of the user pool.`,
    section: 'refusals',
    isReasonToPage: true,
  });
  alarms.add(`${name}Latency`, {
    metric: lambda.metricDuration({ period: PERIOD, statistic: 'p99' }),
    threshold: SLOW_MS,
    evaluationPeriods: 3,
    meaning: `For 15 minutes, one call of ${name} in a hundred has taken more than ${SLOW_MS / 1000} s.`,
    section: 'latency',
  });
}

/**
 * Adds an alarm on all 5xx responses: those of functions, and those of the gateway while a function
 * is throttled, crashes or is too slow.
 */
export function alarmOnGateway(alarms: StageAlarms, api: Stage): void {
  alarms.add('GatewayErrors', {
    metric: shareOf({
      part: api.metricServerError({ statistic: 'Sum' }),
      whole: api.metricCount({ statistic: 'SampleCount' }),
      minimum: { part: FAILURES.least },
      period: PERIOD,
    }),
    threshold: FAILURES.percent,
    evaluationPeriods: 1,
    meaning: `More than ${FAILURES.percent} % of all calls fail.`,
    isReasonToPage: true,
  });
}

/**
 * In five minutes. Scanners usually finish within the alarm's 15 minutes, and the gateway refuses
 * almost no call of an app: over a fifth means that a limit or a rule blocks apps.
 */
const REFUSED = { least: 50, percent: 20 };

/** In an hour. With a tenth of this traffic, one hour in 20,000 has no call by chance. */
const USUAL_CALLS = 100;

/** The sources of metrics on calls that no function serves. */
export interface CallsOfApps {
  readonly api: Stage;
  /** The calls that the web ACL blocks as the settings say, by name. */
  readonly blocked: Readonly<Record<string, IMetric>>;
  readonly services: readonly string[];
}

/**
 * Adds alarms on calls that the gateway or the web ACL refuses, and on the absence of successes.
 * Calls beyond a rate limit or from blocked addresses are not among them: so the web ACL answers a
 * flood.
 */
export function alarmOnUnservedCalls(
  alarms: StageAlarms,
  stage: string,
  { api, blocked, services }: CallsOfApps,
): void {
  alarms.add('GatewayRefusals', {
    metric: shareOf({
      part: refusedByTheGateway({ api, blocked, services }, stage),
      whole: api.metricCount({ statistic: 'SampleCount' }),
      minimum: { part: REFUSED.least },
      period: PERIOD,
    }),
    threshold: REFUSED.percent,
    evaluationPeriods: 3,
    meaning: `For 15 minutes, the gateway or the web ACL has refused more than ${REFUSED.percent} % of all calls.`,
    isReasonToPage: true,
  });
  // Successes only: forged calls must not hide that those of users have stopped.
  const calls = byService('ok', services, (service) =>
    countOf('Responses', { service, stage, code: OK }),
  );
  alarms.add('CallsStopped', {
    metric: new MathExpression({
      expression: `IF(calls == 0 AND DIFF(calls) <= -${USUAL_CALLS}, 1, 0)`,
      usingMetrics: { calls: sumOf(calls) },
      period: HOUR,
    }),
    threshold: 0,
    evaluationPeriods: 1,
    meaning: `For an hour no call has succeeded. At least ${USUAL_CALLS} did in the hour before.`,
    isReasonToPage: true,
  });
}

/** Returns the 4xx responses that apps see, without those of functions and rate limits. */
function refusedByTheGateway(
  { api, blocked, services }: CallsOfApps,
  stage: string,
): MathExpression {
  const others = {
    ...blocked,
    ...byService('ours', services, (service) => countOf('ClientErrors', { service, stage })),
  };
  return new MathExpression({
    expression: ['refused', ...Object.keys(others)].map((name) => `FILL(${name}, 0)`).join(' - '),
    usingMetrics: {
      refused: api.metricClientError({ statistic: 'Sum' }),
      ...others,
    },
  });
}

/** Names each service's metric for use in expressions: prefix and number. */
function byService(
  prefix: string,
  services: readonly string[],
  metricOf: (service: string) => IMetric,
): Record<string, IMetric> {
  return Object.fromEntries(
    services.map((service, index) => [`${prefix}${index}`, metricOf(service)]),
  );
}

/** In 15 minutes. Below this, one faulty app would be a large share. */
const LEAST_REQUESTS = 50;
/** A wrong `userIdClaim` refuses all users; guests and faulty apps are few. */
const OTHER_USERS_PERCENT = 10;
const LEAST_APPLICATIONS = 20;
/**
 * An app that learns of the expiry from the response sends an expired token first and a new one
 * next: half of its calls are refused. More means that apps get no new tokens.
 */
const EXPIRED_PERCENT = 60;
/** A few strangers guess App-Ids. At 30 %, the App-Id or the user pool no longer fits the apps. */
const UNAUTHORIZED_PERCENT = 30;

/** Adds alarms on the share of requests refused because of their sender. */
export function alarmOnRefusals(
  alarms: StageAlarms,
  stage: string,
  services: readonly string[],
): void {
  const ours = (service: string) => ({ service, stage });
  const applications = ours(applyPromoCode.folder);
  alarms.add('OtherUsers', {
    metric: shareOf({
      part: countOf('UserBindingRefused', applications),
      // Only calls of users: anyone can send others, and many would hide that users are refused.
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
  const share = (code: string) =>
    shareOf({
      part: sumOf(
        byService('part', services, (service) => countOf('Responses', { ...ours(service), code })),
      ),
      whole: sumOf(byService('whole', services, (service) => countOf('Responses', ours(service)))),
      minimum: { whole: LEAST_REQUESTS },
      period: QUARTER,
    });
  alarms.add('ExpiredTokens', {
    metric: share(new TokenExpiredError().code),
    threshold: EXPIRED_PERCENT,
    evaluationPeriods: 1,
    meaning: `More than ${EXPIRED_PERCENT} % of the calls have an expired token: apps get no new ones.`,
  });
  alarms.add('Unauthorized', {
    metric: share(new UnauthorizedError().code),
    threshold: UNAUTHORIZED_PERCENT,
    evaluationPeriods: 1,
    meaning: `More than ${UNAUTHORIZED_PERCENT} % of the calls are refused as unauthorized.`,
  });
}
