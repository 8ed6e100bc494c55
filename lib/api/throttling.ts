import type { MethodDeploymentOptions, StageOptions } from 'aws-cdk-lib/aws-apigateway';
import type { Operation, Throttle } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * The limits of paths without their own: half of what API Gateway allows all APIs of an account in
 * a region, to leave the other half to the rest of the account.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const DEFAULT_THROTTLE: Throttle = { requestsPerSecond: 5000, burst: 2500 };

/** Adds up the requests per second that the operations take. */
export function requestsPerSecond({ throttling }: Settings): number {
  const limits = OPERATIONS.map(
    ({ operationId, throttle }) =>
      throttling[operationId] ?? throttle ?? throttling.default ?? DEFAULT_THROTTLE,
  );
  return limits.reduce((sum, limit) => sum + limit.requestsPerSecond, 0);
}

/**
 * Returns the deployment options that throttle the API. They repeat `common` for each path, whose
 * options replace those of the stage. API Gateway applies limits to each path separately.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
export function throttlingOptions(
  { throttling }: Settings,
  common: MethodDeploymentOptions,
): StageOptions {
  const methodOptions = ({ requestsPerSecond, burst }: Throttle): MethodDeploymentOptions => ({
    ...common,
    throttlingRateLimit: requestsPerSecond,
    throttlingBurstLimit: burst,
  });
  const limitsOf = ({ path, operationId, throttle }: Operation) => {
    const limits = throttling[operationId] ?? throttle;
    return limits ? [[`${path}/POST`, methodOptions(limits)]] : [];
  };
  return {
    ...methodOptions(throttling.default ?? DEFAULT_THROTTLE),
    methodOptions: Object.fromEntries(OPERATIONS.flatMap(limitsOf)),
  };
}
