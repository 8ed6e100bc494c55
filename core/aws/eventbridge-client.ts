import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { awsClientSettings } from './client-settings.ts';
import { lastErrorPlugin } from './last-error-plugin.ts';

/**
 * Creates an EventBridge client.
 *
 * @param endpoint the URL of EventBridge, unless a variable of the AWS SDKs overrides it.
 */
export function createEventBridgeClient(endpoint: string): EventBridgeClient {
  const client = new EventBridgeClient({
    ...awsClientSettings('EVENTBRIDGE', endpoint),
    // For buses in several Regions. Without a value, the AWS SDK looks it up in files.
    sigv4aSigningRegionSet: [],
  });
  client.middlewareStack.use(lastErrorPlugin());
  return client;
}
