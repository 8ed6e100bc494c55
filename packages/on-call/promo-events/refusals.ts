import { applyPromoCode } from 'customer-data-api/operations';
import { REQUEST_FAILED, REQUEST_REFUSED } from 'customer-data-api/stack';
import type { Deployment } from 'customer-data-api-deployment';
import { readRefusals } from 'customer-data-api-deployment/local';
import { hourOf, searchLogs, type UnknownLogs } from 'customer-data-api-deployment/logs';
import { explainRefusal } from './words.ts';

/*
 * Requests of `promoCode/apply` that stored nothing, from the lines that the function logged. A
 * line has the client of a request only if its token was valid, and never the user.
 */

/** Requests that were refused, or that failed, in an hour for one reason. */
export interface Refusal {
  /** The start of the hour, in ISO 8601. */
  readonly hour: string;
  readonly requests: number;
  /** The reason, in a sentence for the app's developer. */
  readonly reason: string;
  /** The message for the customer, in a sentence. */
  readonly advice: string;
}

/** The refusals that the function logged in the last day, the newest hour first. */
export interface Refusals {
  /** The refusals of requests that named the client. */
  readonly ofClient: readonly Refusal[];
  /** The refusals before the client was read, of any client. */
  readonly ofAnyClient: readonly Refusal[];
}

/** The properties of the log lines of refused or failed requests. */
interface LoggedRefusal {
  readonly clientId?: string | undefined;
  readonly code?: string | undefined;
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
    const explained = explainRefusal(line);
    const key = `${hour} ${explained.reason}`;
    const requests = Number(line.requests ?? 1) + (found.get(key)?.requests ?? 0);
    found.set(key, { hour, requests, ...explained });
  }
  return [...found.values()].sort(
    (one, other) => other.hour.localeCompare(one.hour) || other.requests - one.requests,
  );
}
