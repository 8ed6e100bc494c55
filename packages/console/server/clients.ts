import { setImmediate } from 'node:timers/promises';
import { countFindings, type Finding, highestIdIn } from 'customer-data-api/configuration';
import { newestVersion } from 'customer-data-api/history';
import { expectCurrentRelease, inOneLine } from 'customer-data-api-deployment';
import { suggested, UserError } from 'customer-data-api-deployment/program';
import {
  type ClientConfiguration,
  configurationOf,
  expectMayUpdate,
  fileOf,
  listClients,
  listSummaries,
  liveVersion,
  readExistingClient,
  summarizeClient,
} from 'customer-data-api-operator';
import { type Call, clientIdOf } from './call.ts';
import { checkCommand } from './files.ts';
import { rolloutDigest, shownDamage, shownRollout, startCommand } from './rollout.ts';
import { shownListed } from './versions.ts';

/** Lists the clients without their fields. */
export async function listedClients({ env: { tables, deployment } }: Call) {
  const read = ['clientId', 'appIds', 'userPoolClientIds', 'lastChange'] as const;
  const clients = await Array.fromAsync(listClients(tables, read), (stored) => {
    const client = summarizeClient(stored, deployment);
    const { clientId, fingerprints, isLockedOut, lastChange } = client;
    const appIdCount = fingerprints.length;
    return { clientId, appIdCount, isLockedOut, ...(lastChange && { lastChange }) };
  });
  clients.sort((one, other) => (one.clientId < other.clientId ? -1 : 1));
  const commands = {
    list: suggested('clients', 'list'),
    create: suggested('clients', 'create', 'CLIENT', '--label', 'LABEL'),
  };
  return { clients, commands };
}

/** Checks all clients, of which the list has no fields. With thousands, it takes a while. */
export async function listedFindings({ env: { tables, deployment } }: Call) {
  const summaries = listSummaries(tables, deployment);
  const clients = await Array.fromAsync(summaries, async ({ client }) => {
    // Other calls are answered in between.
    await setImmediate();
    const { clientId, fields, isLockedOut, findings, rollout } = client;
    return {
      clientId,
      fields,
      isLockedOut,
      ...countOthers(findings),
      ...(rollout && { rollout: { percent: rollout.percent, devices: rollout.devices.length } }),
    };
  });
  return { clients };
}

/** Counts what is wrong with a client, except that it is locked out. */
function countOthers(findings: readonly Finding[]) {
  const editedRules = findings.filter(({ code }) => code === 'editedRule').length;
  const others = findings.filter(({ code }) => code !== 'lockedOut');
  return { ...countFindings(others), editedRules };
}

/** Shows a client with what is live or rolled out, which an `ETag` identifies; 304 if known. */
export async function showClient(call: Call) {
  const { deployment, tables } = call.env;
  const clientId = clientIdOf(call);
  const client = await readExistingClient(tables, clientId);
  const stored = configurationOf(client);
  const { fields, language, base } = fileOf(stored);
  const state = stateOf(stored);
  if (call.req.header('If-None-Match') === `"${state}"`) return call.body(null, 304);
  const newest = await newestVersion(tables, clientId);
  const live = await liveVersion(tables, stored);
  const refusal = await refusalOf(call);
  const rollout = shownRollout(stored);
  const damagedRollout = shownDamage(stored);
  const { isLockedOut, findings } = summarizeClient(client, deployment, newest);
  const { errors, editedRules } = countOthers(findings);
  call.header('ETag', `"${state}"`);
  return {
    clientId,
    fields,
    language,
    base,
    state,
    unknown: stored.unknown ?? [],
    highestId: highestIdIn(client.item, newest?.highestId),
    isLockedOut,
    errors,
    editedRules,
    ...(refusal !== undefined && { refusal }),
    ...(live && { live: shownListed(live) }),
    ...(rollout && { rollout }),
    ...(damagedRollout && { damagedRollout }),
    commands: {
      show: suggested('config', 'show', clientId, `${clientId}.yaml`),
      check: checkCommand(clientId),
      start: startCommand(clientId),
      publish: suggested('config', 'publish', `${clientId}.yaml`, '-m', 'MESSAGE'),
      texts: suggested('config', 'texts', clientId, '--language', 'LANGUAGE'),
    },
  };
}

/** Identifies what is shown of a configuration: its digest and, during a rollout, the rollout. */
function stateOf(stored: ClientConfiguration): string {
  const { digest, rollout, damage } = stored;
  if (!rollout && damage === undefined) return digest;
  return `${digest}-${rolloutDigest(stored)}`;
}

/** Tells early if a change of the client would be refused, so that no work is lost. */
async function refusalOf(call: Call): Promise<string | undefined> {
  const { tables, deployment } = call.env;
  try {
    expectCurrentRelease(deployment);
    await expectMayUpdate(tables, clientIdOf(call));
    return undefined;
  } catch (error) {
    const failure = inOneLine(error);
    const isRefusal =
      failure instanceof UserError && ['accessDenied', 'olderCommands'].includes(failure.code);
    if (isRefusal) return failure.message;
    throw error;
  }
}
