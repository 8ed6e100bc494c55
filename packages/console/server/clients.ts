import { countFindings, type Finding, highestIdIn } from 'customer-data-api/configuration';
import { newestVersion } from 'customer-data-api/history';
import { expectCurrentRelease, inOneLine } from 'customer-data-api-deployment';
import { UserError } from 'customer-data-api-deployment/program';
import {
  expectMayUpdate,
  listClients,
  readExistingClient,
  stateForOperators,
} from 'customer-data-api-editor/clients';
import { fileOf, liveVersion } from 'customer-data-api-editor/configurations';
import { type Call, clientIdOf } from './call.ts';
import { damageAnswer, rolloutAnswer, rolloutDigest } from './rollout.ts';
import { listedVersionAnswer } from './versions.ts';

/** Lists the clients without their fields. */
export async function listedClients({ env: { tables, deployment, found } }: Call) {
  const read = ['clientId', 'appIds', 'userPoolClientIds', 'lastChange'] as const;
  const states = await Array.fromAsync(listClients(tables, read), (stored) =>
    stateForOperators(stored, deployment),
  );
  found.compare(states);
  const clients = states.map(({ clientId, access, isLockedOut, lastChange }) => {
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

/** Tells what is wrong with each client, as it was found in the last minutes or, if asked, now. */
export function listedFindings({ env, req }: Call) {
  return env.found.all(req.query('again') !== undefined);
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
  const rollout = await rolloutAnswer(tables, client);
  const damagedRollout = damageAnswer(client);
  const { findings } = stateForOperators(client, deployment, newest);
  call.header('ETag', `"${state}"`);
  return {
    clientId,
    fields,
    language,
    base,
    state,
    ofItem: findingsOfItem(findings),
    highestId: highestIdIn(client.live.attributes, newest?.highestId),
    errors: countFindings(findings.filter(({ path }) => path[0] === 'fields')).errors,
    ...(refusal !== undefined && { refusal }),
    ...(live && { live: listedVersionAnswer(live) }),
    ...(rollout && { rollout }),
    ...(damagedRollout && { damagedRollout }),
  };
}

/** The attributes of an item beside those with its fields and languages. */
const OF_ITEM: readonly unknown[] = [
  'appIds',
  'lastFieldId',
  'promoCodesIgnoreCase',
  'userPoolClientIds',
];

/** Returns the findings about attributes beside the fields and languages of a client. */
export function findingsOfItem(findings: readonly Finding[]): Finding[] {
  const isOfItem = ({ code, path: [name] }: Finding) =>
    OF_ITEM.includes(name) || code === 'misspelledAttribute' || code === 'unknownAttribute';
  return findings.filter((one) => one.path.length === 1 && isOfItem(one));
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
