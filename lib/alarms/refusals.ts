import { Duration } from 'aws-cdk-lib';
import { OK } from '../../core/platform/metrics.ts';
import {
  ForbiddenError,
  TokenExpiredError,
  UnauthorizedError,
} from '../../functions/api/errors.ts';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { countOf, shareOf, sumOf } from '../metrics.ts';
import type { MonitoredFunction } from './operations.ts';
import type { StageAlarms } from './stage-alarms.ts';

const PERIOD = Duration.minutes(15);

/** In fewer requests than this in 15 minutes, one app with a fault would already be a large share. */
const LEAST_REQUESTS = 50;
/** A wrong `userIdClaim` refuses all; guests and apps with a fault are few. */
const OTHER_USERS_PERCENT = 10;
const LEAST_APPLICATIONS = 20;
/**
 * An app that notices the expiry from the response sends an expired token with the first call of a session and a new one with
 * the second: half of its calls are refused. More are refused only if apps get no new tokens.
 */
const EXPIRED_PERCENT = 60;
/** Strangers who try keys are refused too. A third of all requests is a key or a user pool that no longer fits the apps. */
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
      // Only calls of users: anybody can send others, and many of them would hide a share of all users.
      whole: sumOf({
        ok: countOf('Responses', { ...applications, code: OK }),
        forbidden: countOf('Responses', { ...applications, code: new ForbiddenError().code }),
      }),
      minimum: { whole: LEAST_APPLICATIONS },
      period: PERIOD,
    }),
    threshold: OTHER_USERS_PERCENT,
    evaluationPeriods: 1,
    meaning: `More than ${OTHER_USERS_PERCENT} % of the promo codes are refused because the token belongs to another user. These applications are lost.`,
    section: 'other-users',
  });
  for (const { name, service } of operations) {
    const share = (code: string) =>
      shareOf({
        part: countOf('Responses', { ...ours(service), code }),
        whole: countOf('Responses', ours(service)),
        minimum: { whole: LEAST_REQUESTS },
        period: PERIOD,
      });
    alarms.add(`${name}ExpiredTokens`, {
      metric: share(new TokenExpiredError().code),
      threshold: EXPIRED_PERCENT,
      evaluationPeriods: 1,
      meaning: `More than ${EXPIRED_PERCENT} % of the calls of ${name} have an expired token: apps get no new ones.`,
      section: 'expired-tokens',
    });
    alarms.add(`${name}Unauthorized`, {
      metric: share(new UnauthorizedError().code),
      threshold: UNAUTHORIZED_PERCENT,
      evaluationPeriods: 1,
      meaning: `More than ${UNAUTHORIZED_PERCENT} % of the calls of ${name} are refused as unauthorized.`,
      section: 'unauthorized-calls',
    });
  }
}
