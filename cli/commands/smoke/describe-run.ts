import { type Deployment, deploymentName } from '../../deployment/deployment.ts';
import { CHECKS } from './checks.ts';
import { apiUrlOf, type SmokeOptions } from './run.ts';

/** Prints which checks a run would make, and notes what they would create. Calls nothing. */
export function describeRun(
  deployment: Deployment,
  options: Pick<SmokeOptions, 'apiUrl' | 'json' | 'print' | 'note'>,
): void {
  const { json, print, note } = options;
  const { outputs } = deployment;
  const user =
    outputs.JwksUri === undefined
      ? `the user smoke-<random> in the user pool ${outputs.UserPoolId}`
      : 'a user smoke-<random> of the local issuer';
  note(`Would create in ${deploymentName(deployment)}, and remove at the end:`);
  note(`  ${user}`);
  note(`  the client smoke-<random> in the table ${outputs.ConfigsTableName}`);
  note(`  their promo events in the table ${outputs.PromoEventsTableName}`);
  note(`Would call ${apiUrlOf(deployment, options)} to check that:`);
  for (const { name } of CHECKS) print(json ? JSON.stringify({ check: name }) : name);
}
