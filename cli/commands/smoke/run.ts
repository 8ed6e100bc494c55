import type { Deployment } from '../../deployment/deployment.ts';
import { suggested } from '../../suggestion.ts';
import { wrap } from '../../terminal/wrap-text.ts';
import { ANONYMOUS_CHECKS, CHECKS, type Check } from './checks.ts';
import { Cleanup } from './cleanup.ts';
import type { Subject } from './requests.ts';
import { createClient } from './test-client-record.ts';
import { createUser } from './user.ts';

/** How a deployment is checked. */
export interface SmokeOptions {
  /** The base URL of the API, if it differs from `ApiUrl` in the outputs. */
  readonly apiUrl?: string | undefined;
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

/**
 * Checks a deployment from outside, with its own user and client. It removes both at the end, even
 * after a failure.
 *
 * @returns whether all checks passed and everything that they created was removed.
 * @throws UserError if the deployment cannot be checked at all.
 * @throws what the AWS clients throw.
 */
export async function runSmoke(deployment: Deployment, options: SmokeOptions): Promise<boolean> {
  const { note } = options;
  const { outputs } = deployment;
  let allRemoved = true;
  let allPassed: boolean;
  {
    await using cleanup = new Cleanup((line) => {
      allRemoved = false;
      note(line);
    });
    const user = await createUser(outputs, deployment.outputsFile, cleanup);
    const client = await createClient(outputs, cleanup);
    let isQueued = false;
    const subject: Subject = {
      onQueued: () => {
        isQueued = true;
      },
      url: apiUrlOf(deployment, options),
      user,
      client,
      isUserBound: outputs.UserIdClaim !== 'none',
    };
    note(`Checking ${subject.url} as the client ${client.clientId}`);
    allPassed = await runChecks(CHECKS, subject, options);
    if (isQueued) leftInTheQueue(subject).forEach(note);
  }
  return allPassed && allRemoved;
}

/** A subject that exists nowhere. */
const NOBODY = {
  user: { userId: 'smoke', idToken: 'a.b.c', accessToken: 'a.b.c', expiredIdToken: undefined },
  client: { clientId: 'smoke', appId: 'smoke', promoEvents: async () => [] },
  isUserBound: true,
} satisfies Omit<Subject, 'url'>;

/** Checks what a deployment refuses without looking at the token. Creates and stores nothing. */
export async function runAnonymousSmoke(
  deployment: Deployment,
  options: SmokeOptions,
): Promise<boolean> {
  const subject = { ...NOBODY, url: apiUrlOf(deployment, options) };
  options.note(`Checking ${subject.url} without a user and a client`);
  return runChecks(ANONYMOUS_CHECKS, subject, options);
}

/** The URL that the checks call, without a slash at its end. */
export function apiUrlOf(
  { outputs }: Pick<Deployment, 'outputs'>,
  { apiUrl = outputs.ApiUrl }: Pick<SmokeOptions, 'apiUrl'>,
): string {
  return apiUrl.replace(/\/$/, '');
}

function leftInTheQueue({ client, user }: Subject): string[] {
  return [
    'NOT REMOVED: promo events in the queue. When the table accepts writes again, run',
    `  ${suggested('user', 'erase', client.clientId, '--user', user.userId)}`,
  ];
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
    else for (const line of linesOf(result, columns)) print(line);
  }
  const { passed, failed, skipped } = counts;
  const isComplete = passed + failed + skipped === checks.length;
  if (!isComplete) note('Interrupted: the remaining checks did not run.');
  note(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return isComplete && failed === 0;
}

/** What came of a check. */
interface Result {
  readonly check: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  /** Why it failed, or was skipped. */
  readonly reason?: string;
}

async function resultOf(check: Check, subject: Subject): Promise<Result> {
  const skipped = check.skipped?.(subject);
  const start = performance.now();
  const problem = skipped ? undefined : await problemOf(check, subject);
  const reason = skipped ?? problem;
  return {
    check: check.name,
    result: skipped ? 'skipped' : problem === undefined ? 'passed' : 'failed',
    milliseconds: Math.round(performance.now() - start),
    ...(reason !== undefined && { reason }),
  };
}

function linesOf({ check, result, milliseconds, reason = '' }: Result, columns: number): string[] {
  const start = `${result.padEnd(7)} ${String(milliseconds).padStart(5)} ms  `;
  const indent = ' '.repeat(start.length);
  const [first = '', ...more] = wrap(check, columns, indent);
  return [
    `${start}${first.trimStart()}`,
    ...more,
    ...reason.split('\n').flatMap((line) => (line ? wrap(line, columns, indent) : [])),
  ];
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
