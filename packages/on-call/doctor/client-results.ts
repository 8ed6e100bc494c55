import type { StateOfItem } from 'customer-data-api/clients';
import type { Finding } from 'customer-data-api/configuration';
import { isOfRollout } from 'customer-data-api/effects';
import { listVersions, type VersionsTable } from 'customer-data-api/history';
import { configurationTables, type Deployment } from 'customer-data-api-deployment';
import {
  DELETED,
  findClient,
  findDeletedClients,
  findRevokedUses,
  listStates,
} from 'customer-data-api-editor/clients';
import {
  findManualEdits,
  type ListedVersion,
  withNeighbours,
} from 'customer-data-api-editor/configurations';
import { type CheckResult, result } from './results.ts';

/** Finds clients that are locked out, lost their separation or have fields that apps do not get. */
export async function* checkClients(
  deployment: Deployment,
  progress: (done: number) => void,
): AsyncGenerator<CheckResult> {
  using tables = configurationTables(deployment.outputs);
  const found = new Set<string>();
  const rollouts = new Map<string, string>();
  /** The clients of each App-Id, by its digest. */
  const clientsOf = new Map<string, string[]>();
  let isOk = true;
  for await (const client of listStates(tables, deployment)) {
    const { clientId, rollout, appIds } = client;
    for (const one of errorsIn(client, deployment)) {
      isOk = false;
      yield one;
    }
    if (rollout) rollouts.set(clientId, rollout.id);
    for (const { digest } of appIds.filter(({ isAppId }) => isAppId)) {
      clientsOf.set(digest, [...(clientsOf.get(digest) ?? []), clientId]);
    }
    progress(found.add(clientId).size);
  }
  for await (const { clientId } of findDeletedClients(tables, found)) {
    isOk = false;
    yield result('deletedClient', { clientId, finding: DELETED });
  }
  for (const clientIds of withOneAppId([...clientsOf.values()])) {
    yield result('sharedAppId', { clientIds });
  }
  for (const { clientId, version, older, at } of await findManualEdits(tables, [...found])) {
    yield result('manualEdit', {
      clientId,
      at,
      edit: { clientId, version, before: older?.version },
    });
  }
  for (const [clientId, id] of rollouts) {
    const end = await endOf(tables, clientId, id);
    // It may have ended since its item was listed.
    if (!end || (await findClient(tables, clientId))?.rollout?.id !== id) continue;
    isOk = false;
    const { at, version, effects } = end;
    const ended = effects.filter(isOfRollout);
    yield result('rolloutRunsAgain', { clientId, at, version, effects: ended });
  }
  if (isOk) yield result('validClients', { clients: found.size });
}

/** Finds revoked App-Ids that apps still send. Not every caller may search the logs. */
export async function* checkRevokedAppIds(deployment: Deployment): AsyncGenerator<CheckResult> {
  using tables = configurationTables(deployment.outputs);
  const found = await findRevokedUses(deployment, tables);
  if ('unknown' in found) {
    return yield result(found.isDenied ? 'logsDenied' : 'awsFailed', { reason: found.unknown });
  }
  for (const use of found) yield result('revokedInUse', { clientId: use.clientId, use });
  if (found.length === 0) yield result('noRevokedUse', {});
}

/** Lists the clients that have an App-Id in common, each group once. */
function withOneAppId(clientsOfAppIds: readonly (readonly string[])[]): (readonly string[])[] {
  const shared = clientsOfAppIds.filter(({ length }) => length > 1);
  return [...new Map(shared.map((clientIds) => [JSON.stringify(clientIds), clientIds])).values()];
}

const OF_ACCESS = ['lockedOut', 'acceptsAllAppClients', 'foreignAppClients', 'editedRule'] as const;

/** Lists the errors of a client: those about who may call one by one, and the first of others. */
function* errorsIn(
  { clientId, findings }: StateOfItem,
  { appClients }: Pick<Deployment, 'appClients'>,
): Generator<CheckResult> {
  const others: Finding[] = [];
  for (const finding of findings.filter(({ severity }) => severity === 'error')) {
    const code = OF_ACCESS.find((one) => one === finding.code);
    if (code) yield result(code, { clientId, access: { clientId, finding, appClients } });
    else others.push(finding);
  }
  const [first] = others;
  if (first) {
    yield result('configurationErrors', { clientId, first, more: others.length - 1 });
  }
}

/** Versions per query. The history of most clients is short. */
const PAGE_SIZE = 25;

/** Finds the version that ended a rollout; undefined if none did. Its id is never given again. */
async function endOf(
  versions: VersionsTable,
  clientId: string,
  id: string,
): Promise<ListedVersion | undefined> {
  for await (const version of withNeighbours(listVersions(versions, clientId, PAGE_SIZE))) {
    if (version.older?.rollout?.id === id && version.rollout?.id !== id) return version;
  }
  return undefined;
}
