import { AttemptTimeoutHandler } from './attempt-timeout.ts';
import { environmentCredentials } from './environment-credentials.ts';
import { Sha256 } from './sha256.ts';

/** Attempts per call. With backoff they leave time to respond (function: 20 s, gateway: 29 s). */
export const MAX_ATTEMPTS = 3;

/** A service of AWS, as its endpoint variable names it. */
type Service = 'COGNITO_IDENTITY_PROVIDER' | 'DYNAMODB' | 'SECRETS_MANAGER' | 'SQS';

/**
 * Returns the settings of an AWS SDK client. All are explicit: the first call looks nothing up, and
 * the bundles need no code that reads configuration files (`lib/bundle/bundle.ts`).
 *
 * @param endpoint can be overridden by `AWS_ENDPOINT_URL_<SERVICE>` and `AWS_ENDPOINT_URL`.
 */
export function awsClientSettings(service: Service, endpoint: string) {
  const { env } = process;
  return {
    region: env.AWS_REGION ?? '',
    endpoint: env[`AWS_ENDPOINT_URL_${service}`] ?? env.AWS_ENDPOINT_URL ?? endpoint,
    credentials: environmentCredentials,
    maxAttempts: MAX_ATTEMPTS,
    retryMode: 'standard',
    requestHandler: new AttemptTimeoutHandler(),
    sha256: Sha256,
    defaultsMode: 'standard' as const,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    authSchemePreference: ['sigv4'],
    userAgentAppId: 'customer-data-api',
  };
}
