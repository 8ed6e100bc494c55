/**
 * Replaces the AWS SDK's discovery of endpoints, which DynamoDB's client asks for and no command
 * uses. With it come a cache and two packages for that, evaluated at every start.
 */
export const resolveEndpointDiscoveryConfig = <T>(config: T): T => config;

/** The clients get this setting as a value (`core/aws/client-settings.ts`). */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = undefined;
