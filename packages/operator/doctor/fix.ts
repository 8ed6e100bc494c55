import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from 'customer-data-api/clients';
import { appIdsIn, joinedAppIds } from 'customer-data-api/clients';
import { author, deploymentName, findDeploymentToChange } from 'customer-data-api-deployment';
import { appClientIds } from 'customer-data-api-deployment/outputs';
import {
  noteTo,
  printable,
  printTo,
  type Terminal,
  UserError,
  wrapped,
} from 'customer-data-api-deployment/program';
import { readAppIdLabels } from '../clients/app-id-labels.ts';
import {
  type Change,
  changeAppIds,
  misspellingsOf,
  setAppClients,
} from '../clients/change-client.ts';
import { listed } from '../clients/commands/keys/find-app-id.ts';
import { type ConfigsTable, readExistingClient } from '../clients/configs-table.ts';
import { configurationTables } from '../configurations/tables.ts';
import { confirm, expectConfirmation } from '../confirm.ts';
import { ClientConflict } from '../errors.ts';
import type { ChangeOptions } from '../options.ts';

/** A repair of one attribute of a client's item. */
interface Repair {
  readonly attribute: 'appIds' | 'userPoolClientIds';
  /** The misspelled attributes, which are removed. */
  readonly names: readonly string[];
  /** Whether the attribute itself is one string. */
  readonly isJoined: boolean;
  /** The values: `App-Ids 0a1b2c3d, 4e5f6071`. */
  readonly what: string;
  /** What would be done: `move them to appIds`. */
  readonly action: string;
  readonly effect: string;
  readonly run: (change: Change) => Promise<void>;
}

/**
 * Repairs what a typing mistake did to the App-Ids and app clients of a client: moves them from
 * misspelled attributes, and separates those in one string. Asks for each change.
 *
 * @throws UserError if there is nothing to repair, if a value cannot be read, and if every answer
 *   is no.
 * @throws ClientConflict if somebody changes the attributes meanwhile.
 */
export async function fixClient(
  terminal: Terminal,
  clientId: string,
  { yes, dryRun, json, ...options }: ChangeOptions,
): Promise<void> {
  expectConfirmation(terminal, { yes, dryRun });
  const note = wrapped(noteTo(terminal), terminal.stderr);
  const deployment = await findDeploymentToChange(options);
  using table = configurationTables(deployment.outputs);
  const item = await readExistingClient(table, clientId);
  const repairs = [
    appIdsRepair(table, item, clientId),
    appClientsRepair(table, item, appClientIds(deployment.outputs)),
  ].filter((repair) => repair !== undefined);
  if (repairs.length === 0) {
    throw new UserError(`Client ${clientId} has no typing mistake to repair.`, 'nothingFound');
  }
  const repaired: string[] = [];
  for (const { attribute, names, isJoined, what, action, effect, run } of repairs) {
    const misspelled = names.map(printable);
    const from = [...(isJoined ? [attribute] : []), ...misspelled].join(', ');
    note(`Refused now: ${what} in ${from} of client ${clientId}.`);
    const all = `${action}${names.length > 0 ? `, and remove ${misspelled.join(', ')}` : ''}`;
    if (dryRun) {
      note(`Would ${all} in ${deploymentName(deployment)}.`);
      continue;
    }
    const question = `${all[0]?.toUpperCase()}${all.slice(1)}? ${effect}`;
    if (!(await confirm(terminal, { deployment, question, isAnswered: yes }))) continue;
    const message = `Moved ${what} from ${from} to ${attribute}`;
    await run({ by: await author(deployment), message });
    repaired.push(attribute);
  }
  if (json) printTo(terminal)(JSON.stringify({ clientId, repaired }));
  if (repaired.length === 0 && !dryRun) throw new UserError('Nothing was changed.', 'notConfirmed');
  if (repaired.length > 0) note(`Repaired ${repaired.join(' and ')} of client ${clientId}.`);
}

/** @throws UserError if an attribute has a value that cannot be read: moving it would lose it. */
function appIdsRepair(
  table: ConfigsTable,
  item: ConfigsItem,
  clientId: string,
): Repair | undefined {
  const names = misspellingsOf(item, 'appIds');
  const isJoined = joinedAppIds(item).length > 0;
  if (names.length === 0 && !isJoined) return undefined;
  const appIds = readAll(item, names);
  const them = appIds.length === 1 ? 'it' : 'them';
  const next = (stored: readonly string[], found: ConfigsItem) => {
    if (isDeepStrictEqual(readAll(found, names), appIds)) return [...stored, ...appIds];
    throw new ClientConflict(clientId, 'App-Ids');
  };
  return {
    attribute: 'appIds',
    names,
    isJoined,
    what: listed(appIds, readAppIdLabels(item)),
    action: `move ${them} to appIds${isJoined ? ', each as its own string' : ''}`,
    effect: `Apps that send ${them} will work again.`,
    run: (change) => changeAppIds(table, clientId, next, change, names),
  };
}

/**
 * The App-Ids in attributes of a client, and in an `appIds` that is one string with commas.
 *
 * @throws UserError if a value cannot be read.
 */
function readAll(item: ConfigsItem, names: readonly string[]): string[] {
  const found = names.flatMap((name) => {
    const appIds = appIdsIn(item, name);
    if (appIds) return appIds;
    throw new UserError(
      `Nothing was changed: the attribute ${printable(name)} contains no App-Ids, or a value that is not one. It must be a string set, or a list of strings. Correct or remove it in the table.`,
      'unreadableAppIds',
    );
  });
  return [...new Set([...joinedAppIds(item), ...found])].toSorted();
}

/** @param known the app clients of the deployment: a misspelled id is never moved. */
function appClientsRepair(
  table: ConfigsTable,
  item: ConfigsItem,
  known: readonly string[],
): Repair | undefined {
  const names = misspellingsOf(item, 'userPoolClientIds');
  const stored = partsOf(item.userPoolClientIds);
  const ids = [...new Set([stored, ...names.map((name) => partsOf(item[name]))].flat())].toSorted();
  const isJoined = stored.some((id) => !valuesOf(item.userPoolClientIds).includes(id));
  const isKnown = ids.length > 0 && ids.every((id) => known.includes(id));
  if (!isKnown || (names.length === 0 && !isJoined)) return undefined;
  return {
    attribute: 'userPoolClientIds',
    names,
    isJoined,
    what: `${ids.length === 1 ? 'app client' : 'app clients'} ${ids.join(', ')}`,
    action: `set userPoolClientIds to ${ids.join(', ')}`,
    effect: 'Apps that sign in with any other are refused.',
    run: (change) => setAppClients(table, item, ids, change, names),
  };
}

/** The strings of a value, separated at commas and spaces: no id of an app client has one. */
function partsOf(stored: unknown): string[] {
  return valuesOf(stored)
    .flatMap((value) => (typeof value === 'string' ? value.split(/[,\s]+/) : []))
    .filter((id) => id !== '');
}

const valuesOf = (stored: unknown): readonly unknown[] =>
  stored instanceof Set || Array.isArray(stored) ? [...stored] : [stored];
