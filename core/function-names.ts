/** The name of the function that stores queued promo events. */
export const QUEUE_FUNCTION = 'StoreQueuedPromoEvents';

/** The name of the function that records versions of configurations. */
export const RECORDING_FUNCTION = 'RecordConfigurationVersions';

/** The name of the log group of a function, by the stack and the function's name. */
export function functionLogGroup(stackName: string, functionName: string): string {
  return `/aws/lambda/${stackName}/${functionName}`;
}
