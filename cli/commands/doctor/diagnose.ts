import type { Deployment } from '../../deployment/deployment.ts';
import { judgeConcurrency, judgeGatewayLogs, judgeRequests } from './account.ts';
import { judgeAlarms } from './alarms.ts';
import { judgeClients } from './clients.ts';
import { type Named, note, runChecks } from './diagnosis.ts';
import { judgeQueues } from './queues.ts';

/**
 * Checks a deployment.
 *
 * @param progress receives how many clients were checked so far.
 */
export function diagnose(
  deployment: Deployment,
  progress: (done: number) => void,
): AsyncGenerator<Named> {
  const { outputs } = deployment;
  const ofAccount = {
    'gateway logs': () => judgeGatewayLogs(deployment),
    requests: () => judgeRequests(outputs.Region),
    concurrency: () => judgeConcurrency(outputs.Region),
    alarms: () => judgeAlarms(deployment),
  };
  const local = {
    'gateway logs': () => doesNotApply('the local server has no gateway logs'),
    requests: () => doesNotApply('the local server has no limit'),
    concurrency: () => doesNotApply('the local server has no limit'),
    alarms: () => doesNotApply('the local server has no alarms'),
  };
  return runChecks({
    ...(outputs.JwksUri === undefined ? ofAccount : local),
    queues: () => judgeQueues(outputs),
    clients: () => judgeClients(deployment, progress),
  });
}

async function* doesNotApply(reason: string) {
  yield note(`Does not apply: ${reason}.`);
}
