import { Messages } from '../../../admin/promo-events/sqs-queue.ts';
import { counted } from '../../../core/text.ts';
import { sqsClient } from '../../deployment/aws-clients.ts';
import { confirmChange, expectConfirmation } from '../../deployment/confirm.ts';
import { findDeployment } from '../../deployment/deployment.ts';
import type { DeploymentOptions } from '../../deployment/options.ts';
import type { JsonOption, WriteOptions } from '../../options.ts';
import { printTo, type Terminal } from '../../terminal/terminal.ts';

/**
 * Removes all dead letters of the history. They are positions in a stream and name no client, so
 * there is nothing to choose from: the log names the clients.
 */
export async function purgeHistory(
  terminal: Terminal,
  { yes, dryRun, json, ...options }: DeploymentOptions & WriteOptions & JsonOption,
): Promise<void> {
  expectConfirmation(terminal, { yes, dryRun });
  const deployment = await findDeployment(options);
  const sqs = sqsClient(deployment.outputs);
  try {
    const deadLetters = new Messages(sqs, deployment.outputs.ConfigVersionsDeadLetterQueueUrl);
    const { waiting, inFlight } = await deadLetters.count();
    const found = waiting + inFlight;
    const removes = !dryRun && found > 0;
    if (removes) {
      const question = `Remove ${counted(found, 'dead letter')} of the history for good?`;
      await confirmChange(terminal, { deployment, question, isAnswered: yes });
      await deadLetters.purge();
    }
    const print = printTo(terminal);
    if (json) print(JSON.stringify({ deadLetters: found, removed: removes ? found : 0 }));
    else print(`Dead letters of the history: ${found}${removes ? ', removed' : ''}`);
  } finally {
    sqs.destroy();
  }
}
