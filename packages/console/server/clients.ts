import { setImmediate } from 'node:timers/promises';
import type { StateOfItem } from 'customer-data-api/clients';
import { countFindings, highestIdIn, listOf } from 'customer-data-api/configuration';
import { newestVersion } from 'customer-data-api/history';
import { expectCurrentRelease, inOneLine } from 'customer-data-api-deployment';
import { UserError } from 'customer-data-api-deployment/program';
import {
  expectMayUpdate,
  listClients,
  listStates,
  readExistingClient,
  stateFor,
} from 'customer-data-api-editor/clients';
import { fileOf, liveVersion } from 'customer-data-api-editor/configurations';
import { type Call, clientIdOf } from './call.ts';
import { rolloutDigest, shownDamage, shownRollout } from './rollout.ts';
import { shownListed } from './versions.ts';

/** Lists the clients without their fields. */
export async function listedClients({ env: { tables, deployment } }: Call) {
  const read = ['clientId', 'appIds', 'userPoolClientIds', 'lastChange'] as const;
  const clients = await Array.fromAsync(listClients(tables, read), (stored) => {
    const state = stateFor(stored, deployment);
    const { clientId, access, isLockedOut, lastChange } = state;
    const appIdCount = access.fingerprints.length;
    return {
      clientId,
      appIdCount,
      isLockedOut,
      ...(lastChange && { lastChange }),
    };
  });
  clients.sort((one, other) => (one.clientId < other.clientId ? -1 : 1));
  return { clients };
}

/** Checks all clients, of which the list has no fields. With thousands, it takes a while. */
export async function listedFindings({ env: { tables, deployment } }: Call) {
  const states = listStates(tables, deployment);
  const clients = await Array.fromAsync(states, async (state) => {
    // Other calls are answered in between.
    await setImmediate();
    const { clientId, live, rollout } = state;
    return {
      clientId,
      fields: listOf(live.attributes.fields).length,
      ...countFindingsOf(state),
      ...(rollout && { rollout: { percent: rollout.percent, devices: rollout.devices.length } }),
    };
  });
  return { clients };
}

/** Tells if a client is locked out, and counts what else is wrong with it. */
function countFindingsOf(state: StateOfItem) {
  const { findings, isLockedOut } = state;
  const editedRules = findings.filter(({ code }) => code === 'editedRule').length;
  const others = findings.filter(({ code }) => code !== 'lockedOut');
  return { isLockedOut, ...countFindings(others), editedRules };
}

/** Shows a client with what is live or rolled out, which an `ETag` identifies; 304 if known. */
export async function showClient(call: Call) {
  const { deployment, tables } = call.env;
  const clientId = clientIdOf(call);
  const client = await readExistingClient(tables, clientId);
  const { digest } = client.live;
  const { fields, language, base } = fileOf(clientId, client.live);
  // It identifies what is shown: what is live, and the rollout.
  const state = `${digest}-${rolloutDigest(client)}`;
  if (call.req.header('If-None-Match') === `"${state}"`) return call.body(null, 304);
  const newest = await newestVersion(tables, clientId);
  const live = await liveVersion(tables, { clientId, digest });
  const refusal = await refusalOf(call);
  const rollout = await shownRollout(tables, client);
  const damagedRollout = shownDamage(client);
  const shown = stateFor(client, deployment, newest);
  const { warnings: _, ...found } = countFindingsOf(shown);
  call.header('ETag', `"${state}"`);
  return {
    clientId,
    fields,
    language,
    base,
    state,
    unknown: Object.keys(shown.unknown),
    highestId: highestIdIn(client.live.attributes, newest?.highestId),
    ...found,
    ...(refusal !== undefined && { refusal }),
    ...(live && { live: shownListed(live) }),
    ...(rollout && { rollout }),
    ...(damagedRollout && { damagedRollout }),
  };
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
