import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from 'customer-data-api/clients';
import { appIdsIn, joinedAppIds } from 'customer-data-api/clients';
import { printable, UserError } from 'customer-data-api-deployment/program';
import { ClientConflict } from '../errors.ts';
import { readAppIdLabels } from './app-id-labels.ts';
import { type Change, changeAppIds, misspellingsOf, setAppClients } from './change-client.ts';
import type { ConfigsTable } from './configs-table.ts';
import { listed } from './find-app-id.ts';

/** A repair of one attribute of a client's item. */
export interface Repair {
  readonly attribute: 'appIds' | 'userPoolClientIds';
  /** The attributes whose values are refused now: misspelled ones, and one that is one string. */
  readonly from: string;
  /** The values: `App-Ids 0a1b2c3d, 4e5f6071`. */
  readonly what: string;
  /** What would be done: `move them to appIds, and remove appIDs`. */
  readonly action: string;
  readonly effect: string;
  readonly run: (by: string) => Promise<void>;
}

/** What is special about an attribute. */
interface Found extends Omit<Repair, 'from' | 'run'> {
  /** The misspelled attributes, which are removed. */
  readonly names: readonly string[];
  /** Whether the attribute itself is one string. */
  readonly isJoined: boolean;
  readonly run: (change: Change) => Promise<void>;
}

/**
 * Finds what a typing mistake did to the App-Ids and app clients of a client.
 *
 * @param known the app clients of the deployment: a misspelled id is never moved.
 * @throws UserError if an attribute has a value that cannot be read: moving it would lose it.
 */
export function repairsOf(
  table: ConfigsTable,
  item: ConfigsItem,
  known: readonly string[],
): Repair[] {
  const found = [
    appIdsRepair(table, item, String(item.clientId)),
    appClientsRepair(table, item, known),
  ];
  return found.flatMap((one) => (one ? [repairOf(one)] : []));
}

function repairOf({ names, isJoined, run, ...found }: Found): Repair {
  const { attribute, what, action } = found;
  const misspelled = names.map(printable);
  const from = [...(isJoined ? [attribute] : []), ...misspelled].join(', ');
  const message = `Moved ${what} from ${from} to ${attribute}`;
  return {
    ...found,
    from,
    action: `${action}${names.length > 0 ? `, and remove ${misspelled.join(', ')}` : ''}`,
    run: (by) => run({ by, message }),
  };
}

function appIdsRepair(table: ConfigsTable, item: ConfigsItem, clientId: string): Found | undefined {
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

function appClientsRepair(
  table: ConfigsTable,
  item: ConfigsItem,
  known: readonly string[],
): Found | undefined {
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
