import { isDeepStrictEqual } from 'node:util';
import { storedAppIds } from 'customer-data-api/clients';
import { ClientId, characters } from 'customer-data-api/configuration';
import { newestVersion } from 'customer-data-api/history';
import { expectCurrentRelease } from 'customer-data-api-deployment';
import type { Change, Done, Shown } from 'customer-data-api-deployment/change';
import { appsHaveItBy } from 'customer-data-api-deployment/outputs';
import { suggested, UserError } from 'customer-data-api-deployment/program';
import {
  type AddedAppId,
  appClientsChange,
  appIdAddition,
  appIdNaming,
  appIdRevocation,
  clientCreation,
  clientRemoval,
  findAppIdUses,
  readExistingClient,
  stateForOperators,
} from 'customer-data-api-editor/clients';
import { OperatorError } from 'customer-data-api-editor/errors';
import * as v from 'valibot';
import { type Call, clientIdOf, readBody } from './call.ts';
import { findingsOfItem } from './clients.ts';

/* Who may call on behalf of a client: each change calls the function of a command. */

const Name = v.pipe(v.string(), v.trim(), ...characters(1, 64));
const Label = v.exactOptional(Name);
const AppClients = v.pipe(v.array(v.string()), v.minLength(1));

/** Creates a client without fields. Its App-Id is in this response, and in no other. */
export async function createNewClient(call: Call) {
  const schema = v.object({
    clientId: ClientId,
    label: Label,
    appClients: AppClients,
    caseSensitiveCodes: v.exactOptional(v.boolean()),
  });
  const { clientId, ...options } = await readBody(call, schema);
  return added(call, await make(call, clientCreation(clientId, options)));
}

/** Removes a client, whose id the operator has typed. */
export async function removeOne(call: Call) {
  const clientId = clientIdOf(call);
  const { confirm } = await readBody(call, v.object({ confirm: v.string() }));
  await make(call, clientRemoval(clientId), ({ typed }) => {
    if (confirm !== typed) throw new UserError(`Type ${typed} to confirm.`, 'notConfirmed');
  });
  return changed(call);
}

/** Shows who may call, App-Ids by their fingerprints only. */
export async function showAccess(call: Call) {
  const { tables, deployment } = call.env;
  const clientId = clientIdOf(call);
  const stored = await readExistingClient(tables, clientId);
  const newest = await newestVersion(tables, clientId);
  const state = stateForOperators(stored, deployment, newest);
  const { access, appIds, promoCodesIgnoreCase = false } = state;
  const { userPoolClientIds: appClients } = access;
  return {
    appIds: appIds.map(({ fingerprint, isAppId, named }) => ({ fingerprint, isAppId, ...named })),
    known: deployment.appClients,
    ...(appClients && { appClients }),
    isLockedOut: state.isLockedOut,
    ofItem: findingsOfItem(state.findings),
    promoCodesIgnoreCase,
    commands: {
      restore: suggested('keys', 'add', clientId, '--from', 'FILE'),
      remove: suggested('clients', 'remove', clientId),
    },
  };
}

/** Counts the uses of the App-Ids, which are in the logs. */
export async function showAppIdUses(call: Call) {
  const { tables, deployment } = call.env;
  const clientId = clientIdOf(call);
  const stored = storedAppIds(await readExistingClient(tables, clientId));
  const fingerprints = stored.map(({ fingerprint }) => fingerprint);
  const uses = await findAppIdUses(deployment, clientId, fingerprints);
  if ('unknown' in uses) return { unknown: uses.unknown };
  return { uses: Object.fromEntries(fingerprints.map((one, at) => [one, uses[at]])) };
}

/** Adds an App-Id, which is in this response, and in no other. */
export async function addOneAppId(call: Call) {
  const { label } = await readBody(call, v.object({ label: Label }));
  return added(call, await make(call, appIdAddition(clientIdOf(call), { label })));
}

/** Gives an App-Id another name. */
export async function nameOneAppId(call: Call) {
  const schema = v.object({ fingerprint: v.string(), label: Name });
  const { fingerprint, label } = await readBody(call, schema);
  await make(call, appIdNaming(clientIdOf(call), fingerprint, label));
  return {};
}

/** Revokes an App-Id. The console never revokes the last one. */
export async function revokeOneAppId(call: Call) {
  const { fingerprint } = await readBody(call, v.object({ fingerprint: v.string() }));
  await make(call, appIdRevocation(clientIdOf(call), fingerprint));
  return changed(call);
}

/** Sets the app clients, if they are those that the operator has seen. */
export async function setAccess(call: Call) {
  const clientId = clientIdOf(call);
  const schema = v.object({ appClients: AppClients, seen: v.nullable(v.array(v.string())) });
  const { appClients, seen } = await readBody(call, schema);
  await make(call, appClientsChange(clientId, appClients), ({ before = null }) => {
    if (!isDeepStrictEqual(before, seen)) {
      throw new OperatorError('conflict', { clientId, part: 'appClients' });
    }
  });
  return changed(call);
}

/**
 * Makes a change.
 *
 * @param expectSeen throws if it would do something else than what the operator has seen.
 */
async function make<TShown extends Shown, TDone extends Done>(
  { env }: Call,
  change: Change<TShown, TDone>,
  expectSeen: (shown: TShown) => void = () => {},
): Promise<TDone> {
  expectCurrentRelease(env.deployment);
  const shown = await change.show(env);
  expectSeen(shown);
  return change.apply(env, shown, await env.author());
}

function added(call: Call, { clientId, appId, fingerprint }: AddedAppId) {
  return { clientId, appId, fingerprint, liveAt: liveAt(call) };
}

function changed(call: Call) {
  return { liveAt: liveAt(call) };
}

/** The time by which every function knows a change that was just made. */
function liveAt({ env: { deployment } }: Call): string {
  return appsHaveItBy(deployment.outputs, new Date().toISOString()).toISOString();
}
