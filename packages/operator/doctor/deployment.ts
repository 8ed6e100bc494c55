import type { Deployment } from 'customer-data-api-deployment';
import { checkAlarms } from './alarms.ts';
import { checkClients } from './clients.ts';
import { checkGatewayLogs } from './gateway-logs.ts';
import { checkQueues } from './queues.ts';
import { type Checks, type NamedResult, note, runChecks } from './results.ts';

/** Checks a deployment. `progress` receives how many clients were checked so far. */
export function checkDeployment(
  deployment: Deployment,
  progress: (done: number) => void,
): AsyncGenerator<NamedResult> {
  const { outputs } = deployment;
  const ofAccount: Checks = {
    'gateway logs': () => checkGatewayLogs(deployment),
    alarms: () => checkAlarms(deployment),
  };
  const isLocal = outputs.JwksUri !== undefined;
  const local = Object.keys(ofAccount).map((name) => [name, doesNotApply]);
  return runChecks({
    ...(isLocal ? Object.fromEntries(local) : ofAccount),
    queues: () => checkQueues(outputs),
    clients: () => checkClients(deployment, progress),
  });
}

async function* doesNotApply() {
  yield note('Does not apply to the local server.');
}
