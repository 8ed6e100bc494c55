import {
  accountOf,
  appClientIds,
  isLocal,
  storesDeviceIds,
} from 'customer-data-api-deployment/outputs';
import { checkDeployment } from 'customer-data-api-on-call';
import type { Call } from './call.ts';

/** Names the deployment, so that nobody takes it for another one. */
export async function showDeployment({ env: { deployment, author } }: Call) {
  const { stackName, outputs, isProduction } = deployment;
  const account = accountOf(outputs);
  return {
    id: [isLocal(outputs) ? 'local' : account, outputs.Region, stackName].join('/'),
    stackName,
    region: outputs.Region,
    account,
    isProduction,
    isLocal: isLocal(outputs),
    appClients: appClientIds(outputs),
    storesDeviceIds: storesDeviceIds(outputs),
    author: await author(),
  };
}

/** The results about a client that the list of clients does not have. */
const NOT_LISTED: readonly unknown[] = ['revokedInUse', 'rolloutRunsAgain'];

/** Makes the checks of those on call. Of what the list of clients has, only a number is left. */
export async function onCallChecks({ env: { deployment } }: Call) {
  const all = await Array.fromAsync(checkDeployment(deployment, () => {}));
  const isListed = ({ code, clientId }: (typeof all)[number]) =>
    clientId !== undefined && !NOT_LISTED.includes(code);
  const broken = all.filter((one) => isListed(one) && one.status === 'error');
  return {
    results: all.filter((one) => !isListed(one)),
    brokenClients: new Set(broken.map(({ clientId }) => clientId)).size,
  };
}
