import type { Deployment } from 'customer-data-api-deployment';
import { judgeGatewayLogs } from './account.ts';
import { judgeAlarms } from './alarms.ts';
import { judgeClients } from './clients.ts';
import { type Checks, type Named, note, runChecks } from './diagnosis.ts';
import { judgeQueues } from './queues.ts';

/** Checks a deployment. `progress` receives how many clients were checked so far. */
export function diagnose(
  deployment: Deployment,
  progress: (done: number) => void,
): AsyncGenerator<Named> {
  const { outputs } = deployment;
  const ofAccount: Checks = {
    'gateway logs': () => judgeGatewayLogs(deployment),
    alarms: () => judgeAlarms(deployment),
  };
  const isLocal = outputs.JwksUri !== undefined;
  const local = Object.keys(ofAccount).map((name) => [name, doesNotApply]);
  return runChecks({
    ...(isLocal ? Object.fromEntries(local) : ofAccount),
    queues: () => judgeQueues(outputs),
    clients: () => judgeClients(deployment, progress),
  });
}

async function* doesNotApply() {
  yield note('Does not apply to the local server.');
}
