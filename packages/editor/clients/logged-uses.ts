import { OPERATIONS } from 'customer-data-api/operations';
import { APP_IDS_USED } from 'customer-data-api/stack';
import type { Deployment } from 'customer-data-api-deployment';
import { readAppIdUses } from 'customer-data-api-deployment/local';
import { hourOf, type Row, searchLogs, type UnknownLogs } from 'customer-data-api-deployment/logs';

/** The uses of an App-Id in the last day, as far as the functions logged them. */
export interface LoggedUses {
  readonly uses: number;
  /** The time of the last logged use, in ISO 8601; in AWS, its hour. There may be later ones. */
  readonly lastLogged?: string | undefined;
}

/**
 * Adds up the uses of App-Ids in the logs of the functions. It never throws: an App-Id that has
 * leaked is revoked even while the logs cannot be read.
 *
 * @returns the uses in the same order, or why they are unknown.
 */
export function findAppIdUses(
  deployment: Deployment,
  clientId: string,
  fingerprints: readonly string[],
): Promise<readonly LoggedUses[] | UnknownLogs> {
  const all = (uses: (fingerprint: string) => Promise<LoggedUses>) =>
    Promise.all(fingerprints.map(uses));
  return searchLogs(deployment, {
    inAws: (query) => all(async (one) => usesIn(await query(OPERATIONS, usesQuery(clientId, one)))),
    local: (folder, since) => all((one) => readAppIdUses(folder, clientId, one, since)),
  });
}

/** Sums the hours, which begin with the newest. */
function usesIn(hours: readonly Row[]): LoggedUses {
  return {
    uses: hours.reduce((sum, { uses = 0 }) => sum + Number(uses), 0),
    lastLogged: hourOf(hours.find(({ uses = 0 }) => Number(uses) > 0)?.hour),
  };
}

/**
 * The query of Logs Insights that sums the uses of an App-Id by hour, the newest first. It finds
 * the count by a pattern, because the name of a field of Insights cannot contain everything that a
 * client id can.
 */
function usesQuery(clientId: string, fingerprint: string): string {
  // Every character with a meaning in a pattern, and the slash that ends it.
  const client = JSON.stringify(clientId).replaceAll(/[\\^$.|?*+()[\]{}/]/g, '\\$&');
  return [
    `filter message = "${APP_IDS_USED}"`,
    `parse @message /${client}:\\{[^}]*"${fingerprint}":(?<count>\\d+)/`,
    'stats sum(count) as uses by bin(1h) as hour',
    'sort hour desc',
  ].join(' | ');
}
