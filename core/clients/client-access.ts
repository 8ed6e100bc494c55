import { createHash, timingSafeEqual } from 'node:crypto';
import { type ConfigsItem, misspellingOf } from '../client-attributes.ts';
import { logger } from '../runtime/logger.ts';

/** A client: who may call on its behalf, and the data that an operation needs from its item. */
export interface Client<TData> {
  /** The SHA-256 digest of each App-Id. */
  readonly appIdDigests: readonly Buffer[];
  /**
   * The ids of the Cognito app clients whose tokens are accepted; undefined for all of the
   * deployment's app clients.
   */
  readonly userPoolClientIds: readonly string[] | undefined;
  readonly data: TData;
}

/**
 * Reads who may call on behalf of a client. An attribute that cannot be read gives access to
 * nobody: an outage of one client is better than an open door. The same holds for one that is
 * missing while another looks like a misspelling of it.
 *
 * @param requiresUserPoolClientIds whether that also holds for an item without `userPoolClientIds`.
 *   Otherwise it accepts the tokens of every app client of the deployment, those of other clients
 *   among them.
 */
export function readAccess(
  item: ConfigsItem,
  clientId: string,
  requiresUserPoolClientIds: boolean,
): Omit<Client<unknown>, 'data'> {
  const { appIds, userPoolClientIds } = readAccessLists(item, requiresUserPoolClientIds);
  for (const [attribute, values] of Object.entries({ appIds, userPoolClientIds })) {
    if (values?.length === 0) {
      logger.error('Every request of the client is refused: an attribute contains no string', {
        clientId,
        attribute,
        expected: 'a string set or a list of strings',
        misspelled: misspellingOf(item, attribute),
      });
    }
  }
  return { appIdDigests: appIds.map(digest), userPoolClientIds };
}

/** The keys of a client. An empty list admits nobody. */
export interface Keys {
  readonly appIds: readonly string[];
  /** Undefined if the client accepts the tokens of all app clients. */
  readonly userPoolClientIds: readonly string[] | undefined;
}

/** Reads the keys of a client, as `readAccess` does. */
export function readAccessLists(item: ConfigsItem, requiresUserPoolClientIds: boolean): Keys {
  const acceptsAll =
    item.userPoolClientIds === undefined &&
    !requiresUserPoolClientIds &&
    misspellingOf(item, 'userPoolClientIds') === undefined;
  return {
    appIds: strings(item.appIds),
    userPoolClientIds: acceptsAll ? undefined : appClients(item.userPoolClientIds),
  };
}

/**
 * The App-Ids in an attribute, whatever its name is; undefined if it has none, or if a value of it
 * cannot be read.
 */
export function appIdsIn(item: ConfigsItem, attribute: string): readonly string[] | undefined {
  const appIds = strings(item[attribute]);
  return appIds.length > 0 && appIds.length === valuesOf(item[attribute]).length
    ? appIds
    : undefined;
}

/**
 * The App-Ids in an `appIds` that is one string with commas, which admits nobody. Empty for any
 * other `appIds`.
 */
export function joinedAppIds({ appIds }: ConfigsItem): readonly string[] {
  if (typeof appIds !== 'string' || !appIds.includes(',')) return [];
  return appIds
    .split(',')
    .map((appId) => appId.trim())
    .filter((appId) => appId !== '');
}

/**
 * The ids of app clients. An id has no comma and no space. If all have one, several ids were meant,
 * and they admit nobody.
 */
function appClients(stored: unknown): readonly string[] {
  const ids = strings(stored);
  return ids.every((id) => /[,\s]/.test(id)) ? [] : ids;
}

/**
 * Returns whether an attribute of the client's item refuses every request. An empty list accepts
 * nothing.
 */
export function isLockedOut(
  appIds: readonly unknown[],
  userPoolClientIds: readonly string[] | undefined,
): boolean {
  return appIds.length === 0 || userPoolClientIds?.length === 0;
}

/**
 * Returns whether an App-Id belongs to the client. Its duration reveals nothing about the keys,
 * because it compares digests of equal length, and compares with every key.
 */
export function hasAppId({ appIdDigests }: Client<unknown>, appId: string): boolean {
  const sent = digest(appId);
  return appIdDigests.reduce((found, key) => timingSafeEqual(sent, key) || found, false);
}

/** Returns whether the client accepts tokens that were issued to a Cognito app client. */
export function acceptsAudience({ userPoolClientIds }: Client<unknown>, audience: string): boolean {
  return userPoolClientIds === undefined || userPoolClientIds.includes(audience);
}

/**
 * The strings of a string set, a list or a single string. A string with a comma looks like several
 * values, so it counts as none.
 */
function strings(stored: unknown): readonly string[] {
  if (typeof stored === 'string' && stored.includes(',')) return [];
  return valuesOf(stored).filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}

function valuesOf(stored: unknown): readonly unknown[] {
  return stored instanceof Set || Array.isArray(stored) ? [...stored] : [stored];
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
