import { readAppIdLabels } from '../../admin/clients/app-id-labels.ts';
import { summarizeClient } from '../../admin/clients/client-summary.ts';
import { listClients, readRawClient } from '../../admin/clients/configs-table.ts';
import { tryToUpdate } from '../../admin/clients/update-client.ts';
import { configurationIn, fileOf } from '../../admin/configuration/stored-configuration.ts';
import { NoSuchClient } from '../../admin/errors.ts';
import type {
  AppIds,
  Client,
  Clients,
  Deployment,
  ListedClient,
  Permission,
} from '../../console/src/types.ts';
import { readItem } from '../../core/aws/attribute-values.ts';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import { isLockedOut, readAccessLists } from '../../core/clients/client-access.ts';
import { readLastChange } from '../../core/clients/last-change.ts';
import { highestIdIn } from '../../core/configuration/assign-ids.ts';
import { newestVersion } from '../../core/history/versions-table.ts';
import { UserError } from '../../core/user-error.ts';
import { countAppIdUses } from '../commands/keys/app-id-uses.ts';
import { inOneLine } from '../deployment/aws-error.ts';
import { expectCurrentRelease } from '../deployment/deployment.ts';
import { accountOf } from '../deployment/outputs.ts';
import { suggested } from '../suggestion.ts';
import type { Call } from './call.ts';
import { json } from './responses.ts';
import { shownVersion } from './versions.ts';

/** Names the deployment, so that nobody takes it for another one. */
export async function showDeployment({ caller }: Call): Promise<Response> {
  const { deployment } = caller;
  const { stackName, outputs, isProduction } = deployment;
  const account = accountOf(outputs);
  const isLocal = outputs.JwksUri !== undefined;
  return json<Deployment>({
    id: [isLocal ? 'local' : account, outputs.Region, stackName].join('/'),
    ...{ stackName, region: outputs.Region, account, isProduction, isLocal },
    author: await caller.author(),
  });
}

/** Lists the clients without their fields. */
export async function listedClients({ caller: { configs, deployment } }: Call): Promise<Response> {
  const clients: ListedClient[] = [];
  const read = ['clientId', 'appIds', 'userPoolClientIds', 'lastChange'] as const;
  for await (const item of listClients(configs, read)) {
    const { appIds, userPoolClientIds } = readAccessLists(
      item,
      deployment.requiresUserPoolClientIds,
    );
    clients.push({
      clientId: String(item.clientId),
      ...{ appIdCount: appIds.length, isLockedOut: isLockedOut(appIds, userPoolClientIds) },
      ...shownChange(item),
    });
  }
  clients.sort((one, other) => (one.clientId < other.clientId ? -1 : 1));
  return json<Clients>({ clients, command: suggested('clients', 'list') });
}

/** Shows a client with its configuration, which an `ETag` identifies. */
export async function showClient({ caller, clientId }: Call): Promise<Response> {
  const { configs, deployment, tables } = caller;
  const raw = await readRawClient(configs, clientId);
  if (!raw) throw new NoSuchClient(clientId);
  const item = readItem(raw);
  const stored = configurationIn(clientId, raw);
  const { fields, lastFieldId, base } = fileOf(stored);
  const newest = await newestVersion(tables, clientId);
  return json<Client>(
    {
      ...{ clientId, fields, lastFieldId, base, unknown: stored.unknown ?? [] },
      highestId: Math.max(highestIdIn(item), newest?.highestId ?? 0),
      isLockedOut: summarizeClient(item, deployment.requiresUserPoolClientIds).admitsNobody,
      ...(newest?.digest === base && newest && { live: shownVersion(newest) }),
      command: suggested('config', 'publish', `${clientId}.yaml`, '-m', 'MESSAGE'),
    },
    200,
    { ETag: `"${base}"` },
  );
}

/** Tells early if AWS refuses a change of the client, so that no work is lost. */
export async function showPermission({ caller, clientId }: Call): Promise<Response> {
  try {
    expectCurrentRelease(caller.deployment);
    await tryToUpdate(caller.configs, clientId);
    return json<Permission>({ mayPublish: true });
  } catch (error) {
    const failure = inOneLine(error);
    const isRefusal =
      failure instanceof UserError && ['accessDenied', 'olderCommands'].includes(failure.code);
    if (!isRefusal) throw error;
    return json<Permission>({ mayPublish: false, reason: failure.message });
  }
}

/** Shows the App-Ids of a client by their fingerprints, with their uses, which are in the logs. */
export async function showAppIds({ caller, clientId }: Call): Promise<Response> {
  const raw = await readRawClient(caller.configs, clientId);
  if (!raw) throw new NoSuchClient(clientId);
  const item = readItem(raw);
  const labels = readAppIdLabels(item);
  const { keys } = summarizeClient(item, false);
  const uses = await countAppIdUses(caller.deployment, clientId, keys);
  const isUnknown = typeof uses === 'string';
  return json<AppIds>({
    appIds: keys.map((key, index) => ({
      ...{ key, ...labels.get(key) },
      ...(!isUnknown && { uses: uses[index]?.uses }),
    })),
    ...(isUnknown && { unknown: uses }),
    command: suggested('keys', 'list', clientId),
  });
}

/** The last change that a tool made. */
function shownChange(item: ConfigsItem): Pick<ListedClient, 'lastChange'> {
  const { at, by, message } = readLastChange(item) ?? {};
  return at === undefined ? {} : { lastChange: { at, by, message } };
}
