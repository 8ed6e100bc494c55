import { Aws, Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/* The schedules that call functions. */

/**
 * Every five minutes. More calls would raise the share of refused ones with little traffic (alarm
 * `Unauthorized`).
 */
export const CALL_PERIOD = Duration.minutes(5);

/** A function that calls the API on a schedule, so that an outage is noticed when no app calls. */
export class ScheduledCaller extends Construct {
  readonly function: ServiceFunction;

  constructor(
    scope: Construct,
    id: string,
    props: Pick<ServiceFunctionProps, 'folder' | 'environment'>,
  ) {
    super(scope, id);
    this.function = new ServiceFunction(this, id, {
      ...props,
      memoryMegabytes: 256,
      reservedConcurrency: undefined,
    });
    new Rule(this, 'Schedule', {
      schedule: Schedule.rate(CALL_PERIOD),
      targets: [new LambdaFunction(this.function, { retryAttempts: 0 })],
    });
  }
}

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
