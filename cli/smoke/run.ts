import { type Deployment, type DeploymentOptions, findDeployment } from '../deployment.ts';
import { CHECKS, type Check } from './checks.ts';
import { Cleanup } from './cleanup.ts';
import { createClient } from './client.ts';
import type { Subject } from './requests.ts';
import { createUser } from './user.ts';

export interface SmokeOptions extends DeploymentOptions {
  /** The base URL of the API, if it differs from `ApiUrl` in the outputs. */
  readonly apiUrl?: string | undefined;
  /** An expired ID token of the deployment. */
  readonly expiredIdToken?: string | undefined;
  /** Ends the run after the current check. */
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/**
 * Checks a deployment from outside, with its own user and client. It removes both at the end, even after a failure.
 *
 * @returns whether all checks passed and everything that they created was removed.
 * @throws CommandError if the deployment cannot be checked at all.
 * @throws what the AWS clients throw.
 */
export async function runSmoke(options: SmokeOptions): Promise<boolean> {
  const { apiUrl, expiredIdToken, signal, print } = options;
  const deployment = await findDeployment(options);
  const { outputs } = deployment;
  let allRemoved = true;
  let allPassed: boolean;
  {
    await using cleanup = new Cleanup((line) => {
      allRemoved = false;
      print(line);
    });
    const user = await createUser(outputs, deployment.outputsFile, cleanup);
    const client = await createClient(outputs, cleanup);
    let isQueued = false;
    const subject: Subject = {
      onQueued: () => {
        isQueued = true;
      },
      url: (apiUrl ?? outputs.ApiUrl).replace(/\/$/, ''),
      user: expiredIdToken ? { ...user, expiredIdToken } : user,
      client,
      isUserBound: outputs.UserIdClaim !== 'none',
    };
    print(`Checking ${subject.url} as client ${client.clientId}`);
    allPassed = await runChecks(subject, signal, print);
    if (isQueued) print(leftInTheQueue(subject, deployment));
  }
  return allPassed && allRemoved;
}

function leftInTheQueue({ client, user }: Subject, { options }: Deployment): string {
  const whose = `--client ${client.clientId} --user ${user.userId}`;
  return `NOT REMOVED: promo events in the queue. When the table accepts writes again:
  npx customer-data user erase ${options} ${whose}`;
}

async function runChecks(
  subject: Subject,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<boolean> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const check of CHECKS) {
    if (signal.aborted) break;
    const reason = check.skipped?.(subject);
    const start = performance.now();
    const problem = reason ? undefined : await problemOf(check, subject);
    const milliseconds = Math.round(performance.now() - start);
    const result = reason ? 'skipped' : problem === undefined ? 'passed' : 'failed';
    counts[result]++;
    print(`${result.padEnd(7)} ${String(milliseconds).padStart(5)} ms  ${check.name}`);
    for (const line of (reason ?? problem ?? '').split('\n'))
      if (line) print(`                  ${line}`);
  }
  const { passed, failed, skipped } = counts;
  const isComplete = passed + failed + skipped === CHECKS.length;
  if (!isComplete) print('Interrupted: the remaining checks did not run.');
  print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return isComplete && failed === 0;
}

async function problemOf(check: Check, subject: Subject): Promise<string | undefined> {
  try {
    await check.run(subject);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    const { message, cause } = error;
    return cause instanceof Error ? `${message}: ${cause.message}` : message;
  }
}
