import type { Deployment } from 'customer-data-api-deployment';
import { appClientIds } from 'customer-data-api-deployment/outputs';
import { UsageError } from 'customer-data-api-deployment/program';

/**
 * The app clients whose tokens a client is to accept: those that were chosen, or the only one of
 * the deployment.
 *
 * @throws UsageError if the deployment does not have them, or has several to choose from.
 */
export function chooseAppClients(
  { outputs }: Deployment,
  chosen: readonly string[] = [],
): readonly string[] {
  const known = appClientIds(outputs);
  const foreign = chosen.filter((id) => !known.includes(id));
  if (foreign.length > 0) {
    throw new UsageError(
      `The deployment has no app client ${foreign.join(', ')}; it has ${known.join(', ')}.`,
    );
  }
  if (chosen.length > 0) return chosen;
  if (known.length === 1) return known;
  throw new UsageError(
    `Add --app-client with the Cognito app clients that the apps of this client sign in with. The deployment has ${known.join(', ')}.`,
  );
}
