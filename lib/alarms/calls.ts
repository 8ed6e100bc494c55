import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { OK } from '../../core/runtime/metrics.ts';
import { CALL_PERIOD } from '../functions/heartbeat.ts';
import type { AlarmDefinition, AlarmDefinitions } from './alarm.ts';
import { byFunction, countOf, shareOf, sumOf } from './metrics.ts';
import type { Monitored } from './monitored.ts';

const PERIOD = Duration.minutes(5);
const HOUR = Duration.hours(1);

/** Apps retry single failures; three in five minutes, over 5 % of accepted calls, are a pattern. */
const FAILURES = { least: 3, percent: 5 };

/**
 * Refusals in five minutes, of calls with a token of our user pool: anyone can send others. A wrong
 * setting refuses almost all, a removed App-Id those of a client. Guests and faulty apps are fewer.
 * Each customer counts once in an hour: one of them cannot raise an alarm.
 */
const REFUSED_USERS = { least: 20, percent: 30 };

/** Returns the alarms on failures and refusals of users. */
export function callAlarms({ stage, api, operations }: Monitored): AlarmDefinitions {
  const alarmsOn = (lambda: Monitored['operations'][number]) => {
    const name = lambda.node.id;
    // Functions that crash or time out answer nothing, so our metrics miss them.
    const crashes = lambda.metricErrors();
    const errors = countOf('ServerErrors', stage, lambda);
    return Object.entries<AlarmDefinition>({
      [`${name}Availability`]: {
        metric: shareOf({
          part: sumOf({ errors, crashes }),
          // Without refused calls: anyone can send those, and many would hide that all others fail.
          whole: sumOf({ ok: countOf('Responses', stage, lambda, { code: OK }), errors, crashes }),
          least: FAILURES.least,
          period: PERIOD,
        }),
        threshold: FAILURES.percent,
        meaning: `More than ${FAILURES.percent} % of the accepted calls of ${name} fail.`,
        section: 'availability',
        pages: true,
      },
      [`${name}Refusals`]: {
        metric: shareOf({
          part: countOf('SignedCallRefused', stage, lambda),
          whole: countOf('SignedCall', stage, lambda),
          least: REFUSED_USERS.least,
          period: PERIOD,
        }),
        threshold: REFUSED_USERS.percent,
        meaning: `${name} refuses more than ${REFUSED_USERS.percent} % of the calls with a token of the user pool.`,
        section: 'refusals',
        pages: true,
      },
    });
  };
  return {
    ...Object.fromEntries(operations.flatMap(alarmsOn)),
    // All 5xx responses: also those of the gateway while a function is throttled, crashes or is too
    // slow.
    GatewayErrors: {
      metric: shareOf({
        part: api.metricServerError({ statistic: 'Sum' }),
        whole: api.metricCount({ statistic: 'SampleCount' }),
        least: FAILURES.least,
        period: PERIOD,
      }),
      threshold: FAILURES.percent,
      meaning: `More than ${FAILURES.percent} % of all calls fail.`,
      pages: true,
    },
  };
}

/**
 * Refusals in five minutes. Scanners usually finish within the alarm's 15 minutes, and the gateway
 * refuses almost no call of an app: over a fifth means that a limit or a rule blocks apps.
 */
const REFUSED = { least: 50, percent: 20 };
const RATE_LIMITED_PERCENT = 50;

/** Calls in an hour. With a tenth of this traffic, one hour in 20,000 has no call by chance. */
const USUAL_CALLS = 100;

/**
 * Returns the alarms on calls that the gateway or the web ACL refuses, and on the absence of
 * successes. Calls beyond a rate limit or from blocked addresses are not among them: so the web ACL
 * answers a flood.
 */
export function unservedCallAlarms({
  stage,
  api,
  webAcl,
  operations,
}: Monitored): AlarmDefinitions {
  const notOfGateway = {
    // Managed rules block by mistake, the others as the settings say.
    ...blockedBy(webAcl, /^(?!AWS)/),
    ...byFunction('ours', operations, (lambda) => countOf('ClientErrors', stage, lambda)),
  };
  // Successes only: forged calls must not hide that those of users have stopped.
  const calls = byFunction('ok', operations, (lambda) =>
    countOf('Responses', stage, lambda, { code: OK }),
  );
  return {
    GatewayRefusals: {
      metric: shareOf({
        // The 4xx responses that apps see, without those of functions and rate limits.
        part: new MathExpression({
          expression: ['refused', ...Object.keys(notOfGateway)]
            .map((name) => `FILL(${name}, 0)`)
            .join(' - '),
          usingMetrics: { refused: api.metricClientError({ statistic: 'Sum' }), ...notOfGateway },
        }),
        whole: api.metricCount({ statistic: 'SampleCount' }),
        least: REFUSED.least,
        period: PERIOD,
      }),
      threshold: REFUSED.percent,
      evaluationPeriods: 3,
      meaning: `For 15 minutes, the gateway or the web ACL has refused more than ${REFUSED.percent} % of all calls.`,
      pages: true,
    },
    CallsStopped: {
      metric: new MathExpression({
        expression: `IF(calls == 0 AND DIFF(calls) <= -${USUAL_CALLS}, 1, 0)`,
        usingMetrics: { calls: sumOf(calls) },
        period: HOUR,
      }),
      meaning: `For an hour no call has succeeded. At least ${USUAL_CALLS} did in the hour before.`,
      pages: true,
    },
  };
}

/** Returns the calls that some rules of the web ACL block. */
function blockedBy(webAcl: Monitored['webAcl'], names: RegExp) {
  const rules = [...(webAcl?.blocked ?? [])].filter(([name]) => names.test(name));
  return byFunction('blocked', rules, ([, metric]) => metric);
}

/**
 * Returns the alarm on rate limits that block most calls. It only informs: so the web ACL answers a
 * flood, too. Behind a proxy, all customers share its address.
 */
export function rateLimitAlarms({ api, webAcl }: Monitored): AlarmDefinitions {
  if (!webAcl) return {};
  return {
    RateLimited: {
      metric: shareOf({
        part: sumOf(blockedBy(webAcl, /^Rate/)),
        whole: api.metricCount({ statistic: 'SampleCount' }),
        least: REFUSED.least,
        period: PERIOD,
      }),
      threshold: RATE_LIMITED_PERCENT,
      evaluationPeriods: 3,
      meaning:
        'For 15 minutes, the rate limits of the web ACL have blocked most calls: those of a flood, or of all customers behind one address.',
    },
  };
}

/**
 * Returns the alarm on calls of the heartbeat that fail or are missing. Missing calls are missing
 * data: an expression that made them a failure would page at the first deployment.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricAlarm.html
 */
export function heartbeatAlarms({ heartbeat }: Monitored): AlarmDefinitions {
  if (!heartbeat) return {};
  return {
    Heartbeat: {
      metric: new MathExpression({
        expression: 'IF(calls - errors > 0, 0, 1)',
        usingMetrics: { calls: heartbeat.metricInvocations(), errors: heartbeat.metricErrors() },
        period: CALL_PERIOD,
      }),
      evaluationPeriods: 2,
      meaning: 'For ten minutes, the API has not answered a call that is made every five minutes.',
      pages: true,
      pagesWithoutData: true,
    },
  };
}
