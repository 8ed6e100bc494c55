import { type Deployment, deploymentName, inOneLine } from 'customer-data-api-deployment';
import { suggested, wrap } from 'customer-data-api-deployment/program';
import { CHECKS, type Check } from './checks.ts';
import { Cleanup } from './cleanup.ts';
import type { Subject } from './requests.ts';
import { createClient } from './test-client-record.ts';
import { createUser } from './user.ts';

/** How a deployment is checked. */
export interface SmokeOptions {
  /** The base URL of the API, if it differs from `ApiUrl` in the outputs. */
  readonly apiUrl?: string | undefined;
  /** Makes only the checks of what is refused without looking at the token. Creates nothing. */
  readonly withoutWrites?: boolean | undefined;
  /** The checks to make; all by default. */
  readonly checks?: readonly Check[];
  /** Ends the run after the current check. */
  readonly signal: AbortSignal;
  /** How long a line may be; without a limit by default. */
  readonly columns?: number;
  /** Prints a JSON document for each check instead of a line. */
  readonly json?: boolean | undefined;
  /** Prints the result of a check. */
  readonly print: (line: string) => void;
  /** Prints a line that is not the result of a check. */
  readonly note: (line: string) => void;
}

/** A subject that exists nowhere. */
const NOBODY: Pick<Subject, 'user' | 'client'> = {
  user: { userId: 'smoke', idToken: 'a.b.c' },
  client: { clientId: 'smoke', appId: 'smoke', promoEvents: async () => [] },
};

/**
 * Checks a deployment from outside, with its own user and client. It removes both at the end, even
 * after a failure.
 *
 * @returns whether all checks passed and everything that they created was removed.
 * @throws UserError if the deployment cannot be checked at all.
 */
export async function runSmoke(deployment: Deployment, options: SmokeOptions): Promise<boolean> {
  const { withoutWrites, note, checks: all = CHECKS } = options;
  const { outputs } = deployment;
  const url = apiUrlOf(deployment, options);
  let isGood = true;
  let isQueued = false;
  {
    await using cleanup = new Cleanup((line) => {
      isGood = false;
      note(line);
    });
    const { user, client } = withoutWrites ? NOBODY : await createSubject(deployment, cleanup);
    const who = withoutWrites ? 'without a user and a client' : `as the client ${client.clientId}`;
    note(`Checking ${url} ${who}`);
    const subject: Subject = {
      url,
      user,
      client,
      isUserBound: outputs.UserIdClaim !== 'none',
      onQueued: () => {
        isQueued = true;
      },
    };
    const checks = withoutWrites ? all.filter(({ isAnonymous }) => isAnonymous) : all;
    isGood = await runChecks(checks, subject, options);
    if (isQueued) {
      note('NOT REMOVED: promo events in the queue. When the table accepts writes again, run');
      note(`  ${suggested('user', 'erase', client.clientId, '--user', user.userId)}`);
    }
  }
  return isGood;
}

async function createSubject({ outputs, outputsFile }: Deployment, cleanup: Cleanup) {
  try {
    const user = await createUser(outputs, outputsFile, cleanup);
    return { user, client: await createClient(outputs, cleanup) };
  } catch (error) {
    throw inOneLine(
      error,
      'The checks need the permissions that docs/deploy.md lists (Check a deployment), and an app client with the flow ADMIN_USER_PASSWORD_AUTH.',
    );
  }
}

/** Prints which checks a run would make, and notes what they would create. Calls nothing. */
export function describeRun(
  deployment: Deployment,
  options: Pick<SmokeOptions, 'apiUrl' | 'json' | 'print' | 'note'>,
): void {
  const { json, print, note } = options;
  const { outputs } = deployment;
  note(`Would create in ${deploymentName(deployment)}, and remove at the end:`);
  note(
    outputs.JwksUri === undefined
      ? `  the user smoke-<random> in the user pool ${outputs.UserPoolId}`
      : '  a user smoke-<random> of the local issuer',
  );
  note(`  the client smoke-<random> in the table ${outputs.ConfigsTableName}`);
  note(`  their promo events in the table ${outputs.PromoEventsTableName}`);
  note(`Would call ${apiUrlOf(deployment, options)} to check that:`);
  for (const { name } of CHECKS) print(json ? JSON.stringify({ check: name }) : name);
}

/** The URL that the checks call, without a slash at its end. */
function apiUrlOf(
  { outputs }: Deployment,
  { apiUrl = outputs.ApiUrl }: Pick<SmokeOptions, 'apiUrl'>,
): string {
  return apiUrl.replace(/\/$/, '');
}

/**
 * Runs checks one after the other, until the signal aborts.
 *
 * @returns whether all of them ran, and none failed.
 */
async function runChecks(
  checks: readonly Check[],
  subject: Subject,
  { signal, columns = Number.POSITIVE_INFINITY, json, print, note }: SmokeOptions,
): Promise<boolean> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const check of checks) {
    if (signal.aborted) break;
    const result = await resultOf(check, subject);
    counts[result.result]++;
    if (json) print(JSON.stringify(result));
    else linesOf(result, columns).forEach(print);
  }
  const { passed, failed, skipped } = counts;
  const isComplete = passed + failed + skipped === checks.length;
  if (!isComplete) note('Interrupted: the remaining checks did not run.');
  note(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return isComplete && failed === 0;
}

/** The outcome of a check. */
interface Result {
  readonly check: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  /** Why it failed, or was skipped. */
  readonly reason?: string | undefined;
}

async function resultOf({ name, run, skipped }: Check, subject: Subject): Promise<Result> {
  const why = skipped?.(subject);
  if (why) return { check: name, result: 'skipped', milliseconds: 0, reason: why };
  const start = performance.now();
  const reason = await run(subject).then(() => undefined, problemOf);
  const milliseconds = Math.round(performance.now() - start);
  return { check: name, result: reason === undefined ? 'passed' : 'failed', milliseconds, reason };
}

function linesOf({ check, result, milliseconds, reason = '' }: Result, columns: number): string[] {
  const start = `${result.padEnd(7)} ${String(milliseconds).padStart(5)} ms  `;
  const indent = ' '.repeat(start.length);
  const [first = '', ...more] = [check, ...reason.split('\n').filter(Boolean)].flatMap((line) =>
    wrap(line, columns, indent),
  );
  return [`${start}${first.trimStart()}`, ...more];
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
