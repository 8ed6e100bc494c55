import { confirmChange } from '../../packages/deployment/commands/confirm.ts';
import { findDeploymentToChange } from '../../packages/deployment/deployment.ts';
import { Cleanup } from '../../packages/on-call/smoke/subject.ts';
import type { History } from './history.ts';
import { Recorder } from './recorder.ts';
import { createService } from './service.ts';

const MAX_CALLS = 500;
/** Four calls of each in two phases; the rest is for retries. */
const CODES = 60;
/** Ten a second. */
const MS_PER_CALL = 100;
/** SQS counts exactly only a minute after the last message. */
const EMPTY_COUNTS = { count: 6, everyMs: 15_000 };

/**
 * Records the calls of a user of a deployment, without faults. It asks first, and removes what it
 * has created.
 */
export async function judgeDeployment({
  outputs: file,
  seed,
  yes,
  print,
}: {
  readonly outputs: string;
  readonly seed: string;
  readonly yes: boolean;
  readonly print: (line: string) => void;
}): Promise<History> {
  const deployment = await findDeploymentToChange({ outputs: file });
  const { outputs, outputsFile } = deployment;
  await confirmChange(process, {
    deployment,
    isAnswered: yes,
    question: `Create a user and a client smoke-<random>, send up to ${MAX_CALLS} requests, 10 a second, and remove all of it?`,
  });
  await using cleanup = new Cleanup(print);
  const service = await createService(outputs, outputsFile, 1, EMPTY_COUNTS, cleanup);
  print(`Calls ${outputs.ApiUrl} as the client ${service.clientId}, for about four minutes`);
  const recorder = new Recorder(service, seed);
  // A query of DynamoDB that runs beside writes is not one moment: reads wait for the queues.
  const phase = {
    codes: CODES,
    atOnce: 1,
    reads: false,
    msPerCall: MS_PER_CALL,
    maxCalls: MAX_CALLS,
  };
  for (const _ of ['new codes', 'the same codes']) {
    await recorder.send(phase);
    await recorder.readDrained();
  }
  return recorder.history;
}
