/**
 * Stands in for the SDK's chain of credential providers in the bundles. The clients are given their
 * credentials (`core/aws/environment-credentials.ts`), so the chain would only make the bundles
 * larger.
 */
export function defaultProvider(): never {
  throw new Error('The bundles have no credential chain. Give the client its credentials.');
}
