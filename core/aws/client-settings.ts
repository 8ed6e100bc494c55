import { AttemptTimeoutHandler } from './attempt-timeout.ts';
import { environmentCredentials } from './environment-credentials.ts';
import { Sha256 } from './sha256.ts';

/**
 * Attempts of one call. Together with their backoff they leave time to respond: functions have 20
 * s, API Gateway 29 s.
 */
export const MAX_ATTEMPTS = 3;

/**
 * The settings of an SDK client. Each is given as a value, so that the first call looks nothing up
 * and the bundles need no code that reads configuration files (`lib/bundle/bundle.ts`).
 *
 * @param service the service as in the SDKs' endpoint variables: `AWS_ENDPOINT_URL_<SERVICE>` and
 *   `AWS_ENDPOINT_URL` move the endpoint.
 * @param endpoint URL of the service unless a variable moves it.
 */
export function awsClientSettings(service: 'DYNAMODB' | 'SQS', endpoint: string) {
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
