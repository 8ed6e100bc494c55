/** The namespace of the functions' metrics. */
export const NAMESPACE = 'CustomerDataApi';

/** The name of the function that stores queued promo events. */
export const QUEUE_FUNCTION = 'StoreQueuedPromoEvents';

/** The name of the function that records versions of configurations. */
export const RECORDING_FUNCTION = 'RecordConfigurationVersions';

/** The name of the function that checks promo events. */
export const CHECKING_FUNCTION = 'CheckPromoEvents';

/** The name of the function that stops rollouts. */
export const STOPPING_FUNCTION = 'StopRollouts';

/** Returns the name of a function's log group. */
export function functionLogGroup(stackName: string, functionName: string): string {
  return `/aws/lambda/${stackName}/${functionName}`;
}
