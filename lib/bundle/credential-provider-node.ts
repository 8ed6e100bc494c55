/**
 * Replaces the AWS SDK's chain of credential providers in the bundles. The clients get their
 * credentials (`core/aws/environment-credentials.ts`), so the chain would only take space.
 */
export function defaultProvider(): never {
  throw new Error('The bundles have no credential chain. Give the client its credentials.');
}
