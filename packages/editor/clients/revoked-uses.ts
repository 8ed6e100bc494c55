import { listVersions, type VersionsTable } from 'customer-data-api/history';
import { OPERATIONS } from 'customer-data-api/operations';
import { REQUEST_REFUSED } from 'customer-data-api/stack';
import type { Deployment } from 'customer-data-api-deployment';
import { readRefusals } from 'customer-data-api-deployment/local';
import { searchLogs, type UnknownLogs } from 'customer-data-api-deployment/logs';

/** The requests that the functions refused for an App-Id, as far as they logged them. */
export interface RefusedAppId {
  readonly clientId: string;
  readonly fingerprint: string;
  readonly requests: number;
}

/** The `mistake` of a request whose App-Id is not one of the client's. */
const FOREIGN = 'foreignAppId';

/**
 * Finds revoked App-Ids that apps have sent in the last day: those that the history knows. Others
 * may be typing errors or guesses, and say nothing. It never throws for the logs.
 *
 * @param clientId the client; without it, of all clients.
 * @returns the App-Ids with the most requests first, or why they are unknown.
 */
export async function findRevokedUses(
  deployment: Deployment,
  tables: VersionsTable,
  clientId?: string,
): Promise<readonly RefusedAppId[] | UnknownLogs> {
  const refused = await searchLogs(deployment, {
    inAws: async (query) =>
      (await query(OPERATIONS, refusedQuery(clientId))).map((row) => ({
        clientId: row.clientId ?? '',
        fingerprint: row.appId ?? '',
        requests: Number(row.requests),
      })),
    local: async (folder, since) => {
      const lines = await Promise.all(
        OPERATIONS.map((operation) => readRefusals(folder, operation.folder, since)),
      );
      const ofAppIds = lines.flat().filter(({ mistake }) => mistake === FOREIGN);
      return [...Map.groupBy(ofAppIds, (line) => `${line.appId} ${line.clientId}`).values()].map(
        (same) => ({
          clientId: same[0]?.clientId ?? '',
          fingerprint: same[0]?.appId ?? '',
          requests: same.length,
        }),
      );
    },
  });
  if ('unknown' in refused) return refused;
  const found: RefusedAppId[] = [];
  for (const [id, uses] of Map.groupBy(refused, (one) => one.clientId)) {
    if (id === '' || id !== (clientId ?? id)) continue;
    const revoked = await revokedAppIds(tables, id);
    found.push(...uses.filter(({ fingerprint }) => revoked.has(fingerprint)));
  }
  return found.toSorted((one, other) => other.requests - one.requests);
}

/** Lists the App-Ids that a client had, and has no more. */
async function revokedAppIds(tables: VersionsTable, clientId: string): Promise<Set<string>> {
  const before = new Set<string>();
  let now: ReadonlySet<string> | undefined;
  for await (const { access } of listVersions(tables, clientId)) {
    now ??= new Set(access.fingerprints);
    for (const fingerprint of access.fingerprints) before.add(fingerprint);
  }
  return before.difference(now ?? new Set());
}

function refusedQuery(clientId: string | undefined): string {
  return [
    `filter message = "${REQUEST_REFUSED}" and mistake = "${FOREIGN}"`,
    ...(clientId === undefined ? [] : [`filter clientId = ${JSON.stringify(clientId)}`]),
    'stats count(*) as requests by clientId, appId',
    'sort requests desc',
  ].join(' | ');
}
