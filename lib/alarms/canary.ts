import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { AlarmDefinitions } from './alarm.ts';
import { countOf } from './metrics.ts';
import type { Monitored } from './monitored.ts';
import { CALL_PERIOD, ScheduledCaller } from './scheduled-caller.ts';

interface CanaryProps {
  /** The URL of the API as apps have it. */
  readonly apiUrl: string;
  readonly userPoolClientId: string;
  readonly userPoolRegion: string;
  /** The secret with the password of the canary's user and an App-Id. */
  readonly secretArn: string;
  /** Variables that other functions have, too. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Adds the canary. It may read its secret; everything else it does as an app. */
export function addCanary(
  scope: Construct,
  id: string,
  { apiUrl, userPoolClientId, userPoolRegion, secretArn, environment }: CanaryProps,
): ServiceFunction {
  const [, , , secretRegion] = secretArn.split(':');
  const { function: canary } = new ScheduledCaller(scope, id, {
    folder: 'canary',
    environment: {
      ...environment,
      CANARY_SECRET_ARN: secretArn,
      CANARY_URL: `${apiUrl}${applyPromoCode.path}`,
      CANARY_USER_POOL_CLIENT_ID: userPoolClientId,
      COGNITO_ENDPOINT: `https://cognito-idp.${userPoolRegion}.${Aws.URL_SUFFIX}`,
      SECRETS_MANAGER_ENDPOINT: `https://secretsmanager.${secretRegion}.${Aws.URL_SUFFIX}`,
    },
  });
  // By default, Lambda repeats a failed run twice, and the alarm would take it for several.
  canary.configureAsyncInvoke({ retryAttempts: 0 });
  canary.addToRolePolicy(
    new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] }),
  );
  return canary;
}

/** Returns the alarm on runs of the canary that fail or are missing. A run that crashes is both. */
export function canaryAlarms({ stage, canary }: Monitored): AlarmDefinitions {
  if (!canary) return {};
  return {
    Canary: {
      metric: countOf('CanaryFailed', stage, canary, { period: CALL_PERIOD }),
      // Apps retry, too.
      evaluationPeriods: 2,
      meaning: 'Twice within ten minutes, the promo code of the canary was not applied once.',
      isReasonToPage: true,
      pagesWithoutData: true,
    },
  };
}
