import type { Parts } from 'customer-data-api/sentences';
import { AwsError, inOneLine } from 'customer-data-api-deployment';
import { filled } from '../filled.ts';
import { type Facts, FORMATS, type ResultCode, type Status, WORDS } from './words.ts';

/** The result of a check, before anybody words it. */
export interface CheckResult {
  readonly code: ResultCode;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A result as programs and people get it. */
export interface NamedResult extends CheckResult {
  /** The name of its check. */
  readonly check: string;
  readonly status: Status;
  /** One or two sentences: what is wrong, and what to do. */
  readonly message: Parts;
  /** The section of the documents in which the message ends, such as `runbook.md#alarms`. */
  readonly document?: string;
  /** The client that the message is about, if it is about one. */
  readonly clientId?: string;
}

/** The checks by name. What they throw is what the SDK's clients throw. */
export type Checks = Readonly<Record<string, () => AsyncGenerator<CheckResult>>>;

/** Makes a result. */
export function result<TCode extends ResultCode>(code: TCode, facts: Facts<TCode>): CheckResult {
  return { code, facts };
}

function named(check: string, { code, facts }: CheckResult): NamedResult {
  const { status, text, document } = WORDS[code];
  const { clientId } = facts;
  return {
    check,
    status,
    code,
    ...(typeof clientId === 'string' && { clientId }),
    facts,
    message: filled(text, facts, FORMATS),
    ...(document !== undefined && { document }),
  };
}

/**
 * Runs checks one after the other. One that AWS refuses or does not answer is unchecked; the others
 * still run.
 */
export async function* runChecks(checks: Checks): AsyncGenerator<NamedResult> {
  for (const [check, run] of Object.entries(checks)) {
    try {
      for await (const one of run()) yield named(check, one);
    } catch (error) {
      const failure = inOneLine(error);
      if (!(failure instanceof AwsError)) throw error;
      yield named(check, result('awsFailed', { reason: failure.message }));
    }
  }
}
