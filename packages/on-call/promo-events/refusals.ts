import { applyPromoCode, errors, PROMO_CODE_MAX } from 'customer-data-api/operations';
import { REQUEST_FAILED, REQUEST_REFUSED } from 'customer-data-api/stack';
import type { Deployment } from 'customer-data-api-deployment';
import { readRefusals } from 'customer-data-api-deployment/local';
import { hourOf, searchLogs, type UnknownLogs } from 'customer-data-api-deployment/logs';

/*
 * Requests of `promoCode/apply` that stored nothing, from the lines that the function logged. A
 * line has the client of a request only if its token was valid, and never the user.
 */

/** Requests that were refused, or that failed, in an hour for one reason. */
export interface Refusal {
  /** The start of the hour, in ISO 8601. */
  readonly hour: string;
  readonly requests: number;
  /** Why, in a sentence for the app's developer. */
  readonly reason: string;
  /** The message for the customer, in a sentence. */
  readonly advice: string;
}

/** The refusals that the function logged in the last day, the newest hour first. */
export interface Refusals {
  /** Those of requests that named the client. */
  readonly ofClient: readonly Refusal[];
  /** Those of any client: they were refused before the client was read. */
  readonly ofAnyClient: readonly Refusal[];
}

/** The properties of the log lines of refused or failed requests. */
interface LoggedRefusal {
  readonly clientId?: string | undefined;
  readonly code?: string | undefined;
  /** That of `ApiError`, or the `reason` of a header. */
  readonly mistake?: string | undefined;
  readonly why?: string | undefined;
  readonly hour?: string | undefined;
  readonly requests?: string | number | undefined;
}

/**
 * Finds the refusals of a client in the logs of the last day. It never throws.
 *
 * @returns the refusals, or why they are unknown.
 */
export function findRefusals(
  deployment: Deployment,
  clientId: string,
): Promise<Refusals | UnknownLogs> {
  return searchLogs(deployment, {
    inAws: async (query) => refusalsIn(await query([applyPromoCode], refusalsQuery(clientId))),
    local: async (folder, since) =>
      refusalsIn(
        (await readRefusals(folder, applyPromoCode.folder, since)).filter(
          (line) => line.clientId === undefined || line.clientId === clientId,
        ),
      ),
  });
}

/** The query of Logs Insights. `problems.0` is the first of a response's entries. */
function refusalsQuery(clientId: string): string {
  return [
    `filter message in ["${REQUEST_REFUSED}", "${REQUEST_FAILED}"]`,
    `filter clientId = ${JSON.stringify(clientId)} or not ispresent(clientId)`,
    'fields coalesce(reason, problems.0) as why',
    'stats count(*) as requests by clientId, code, mistake, why, bin(1h) as hour',
  ].join(' | ');
}

function refusalsIn(lines: readonly LoggedRefusal[]): Refusals {
  const groups = Map.groupBy(lines, ({ clientId }) => clientId !== undefined && clientId !== '');
  return {
    ofClient: summed(groups.get(true) ?? []),
    ofAnyClient: summed(groups.get(false) ?? []),
  };
}

/** Adds lines with one reason up, by hour. */
function summed(lines: readonly LoggedRefusal[]): Refusal[] {
  const found = new Map<string, Refusal>();
  for (const line of lines) {
    const hour = hourOf(line.hour) ?? '';
    const explained = explain(line);
    const key = `${hour} ${explained.reason}`;
    const requests = Number(line.requests ?? 1) + (found.get(key)?.requests ?? 0);
    found.set(key, { hour, requests, ...explained });
  }
  return [...found.values()].sort(
    (one, other) => other.hour.localeCompare(one.hour) || other.requests - one.requests,
  );
}

/** Advice for customers, by the mistake in the log. Customers can do nothing about others. */
const ADVICE: Readonly<Record<string, string>> = {
  promoCode: `Type the code exactly as it is printed. No code has more than ${PROMO_CODE_MAX} characters.`,
  otherUser: 'The app sent the id of somebody else. Sign out of the app, and sign in again.',
  unverified: 'Confirm the e-mail address or phone number of the account first.',
  foreignAppId: 'Update the app: this version is not permitted any more.',
  wrongClock: "The phone's clock is wrong. Let the phone set its time.",
};
const BY_CODE: Readonly<Record<string, readonly [advice: string, reason: string]>> = {
  [new errors.TokenExpiredError().code]: ['Sign in again.', 'the token has expired'],
  [new errors.ServiceUnavailableError().code]: [
    'Apply the code again: the service was not available.',
    'the service was not available',
  ],
  [new errors.InternalServerError().code]: [
    'Apply the code again: the service failed.',
    'the service failed',
  ],
};
const OF_THE_APP = 'There is nothing that a customer can do. Ask the developer of the app.';

function explain({
  code = '',
  mistake = '',
  why = '',
}: LoggedRefusal): Pick<Refusal, 'reason' | 'advice'> {
  const [advice, reason] = BY_CODE[code] ?? [];
  if (advice !== undefined && reason !== undefined) return { reason: `${reason}.`, advice };
  const text = why.replace(/^\w*Error: /, '').replace(/\.$/, '');
  return { reason: `${text}.`, advice: ADVICE[mistake] ?? OF_THE_APP };
}
