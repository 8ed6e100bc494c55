import { counted } from 'customer-data-api/configuration';
import { AwsError, inOneLine } from 'customer-data-api-deployment';
import { suggested } from 'customer-data-api-deployment/program';

/**
 * `problem`: the deployment lacks something. `unchecked`: AWS did not say. `note`: worth knowing,
 * and no problem.
 */
export type Status = 'ok' | 'note' | 'problem' | 'unchecked';

/** The finding for programs, and for the console, which has words of its own. */
export type ResultCode =
  | 'acceptsAllAppClients'
  | 'configurationErrors'
  | 'deadLetters'
  | 'editedRule'
  | 'foreignAppClients'
  | 'lockedOut'
  | 'lostTopic'
  | 'lowConcurrency'
  | 'deletedClient'
  | 'manualEdit'
  | 'mutedAlarms'
  | 'noSubscription'
  | 'rolloutRunsAgain'
  | 'revokedInUse'
  | 'sharedAppId'
  | 'silentAlarms'
  | 'unconfirmedSubscription'
  | 'unpublished'
  | 'unrecorded'
  | 'unusableKey'
  | 'waiting';

/** The result of a check. */
export interface CheckResult {
  readonly status: Status;
  readonly code?: ResultCode;
  /** The facts of the message, for programs. */
  readonly facts?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** In one or two sentences: what is wrong, and what to do. */
  readonly message: string;
  /** The command in which the message ends. */
  readonly command?: string | undefined;
  /** The section of the documents in which the message ends, such as `runbook.md#alarms`. */
  readonly document?: string;
  /** The client that the message is about, if it is about one. */
  readonly clientId?: string;
}

/** A problem of a client: the rest of a sentence about it, and what it is for programs. */
export interface ClientProblem extends Pick<CheckResult, 'command' | 'facts'> {
  readonly text: string;
  readonly code: ResultCode;
}

/** A result with the name of its check. */
export type NamedResult = CheckResult & { readonly check: string };

/** The checks by name. What they throw is what the SDK's clients throw. */
export type Checks = Readonly<Record<string, () => AsyncGenerator<CheckResult>>>;

export const ok = (message: string): CheckResult => ({ status: 'ok', message });
export const note = (message: string): CheckResult => ({ status: 'note', message });
export const problem = (message: string, code?: ResultCode): CheckResult => ({
  status: 'problem',
  message,
  ...(code && { code }),
});

/** Returns a message with the command of this program in which it ends. */
export function ending(message: string, ...words: readonly string[]) {
  return { message, command: suggested(...words) };
}

/** The most names in a message. */
const MAX_NAMED = 10;

/** Names the first of many, and counts the others: `A, B and 3 other alarms`. */
export function firstNames(names: readonly string[], other: string): string {
  const others = names.length - MAX_NAMED;
  const more = others > 0 ? ` and ${counted(others, other)}` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/**
 * Runs checks one after the other. One that AWS refuses or does not answer is unchecked; the others
 * still run.
 */
export async function* runChecks(checks: Checks): AsyncGenerator<NamedResult> {
  for (const [check, run] of Object.entries(checks)) {
    try {
      for await (const result of run()) yield { check, ...result };
    } catch (error) {
      const failure = inOneLine(error);
      if (!(failure instanceof AwsError)) throw error;
      yield { check, status: 'unchecked', message: failure.message };
    }
  }
}
