import {
  accountOf,
  appClientIds,
  isLocal,
  storesDeviceIds,
} from 'customer-data-api-deployment/outputs';
import { suggested } from 'customer-data-api-deployment/program';
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

/** Finds what is broken, and which clients were edited manually. It reads every client. */
export async function problems({ env: { deployment } }: Call) {
  const results = await Array.fromAsync(checkDeployment(deployment, () => {}));
  return {
    results,
    commands: { find: suggested('doctor'), redrive: suggested('queue', 'redrive') },
  };
}
