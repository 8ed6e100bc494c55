import { counted } from 'customer-data-api/configuration';
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

/** Makes the checks of those on call. */
export async function onCallChecks({ env: { deployment } }: Call) {
  const all = await Array.fromAsync(checkDeployment(deployment, () => {}));
  const isListed = ({ code, clientId }: (typeof all)[number]) =>
    clientId !== undefined && !NOT_LISTED.includes(code);
  const wrong = all.filter((one) => isListed(one) && one.status === 'problem');
  const clients = new Set(wrong.map(({ clientId }) => clientId)).size;
  const message = `${counted(clients, 'client')} above must be repaired.`;
  const ofClients: (typeof all)[number] = { check: 'clients', status: 'problem', message };
  return {
    results: [...all.filter((one) => !isListed(one)), ...(clients > 0 ? [ofClients] : [])],
  };
}
