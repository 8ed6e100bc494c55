import { timingSafeEqual } from 'node:crypto';
import { type ConfigsItem, misspellingOf } from '../client-attributes.ts';
import { logger } from '../runtime/logger.ts';
import { isAppId } from './app-id.ts';
import { fullFingerprint } from './app-id-fingerprint.ts';

/** A client: who may call on its behalf, and what an operation needs of its item. */
export interface Client<TData> {
  /** Fingerprints of the App-Ids. */
  readonly fingerprints: readonly Buffer[];
  /** Ids of the app clients whose tokens are accepted; undefined for all of the deployment's. */
  readonly userPoolClientIds: readonly string[] | undefined;
  readonly data: TData;
}

/**
 * Reads who may call on behalf of a client. An unreadable attribute locks it out: an outage of one
 * client is better than an open door. So does a missing one if another attribute looks like a
 * misspelling of it.
 *
 * @param requiresUserPoolClientIds if true, an item without `userPoolClientIds` is locked out.
 *   Otherwise it accepts the tokens of all app clients of the deployment, including other clients'.
 */
export function readAccess(
  { item, lists }: { readonly item: ConfigsItem; readonly lists: AccessLists },
  clientId: string,
  requiresUserPoolClientIds: boolean,
): Omit<Client<unknown>, 'data'> {
  const { appIds: stored, userPoolClientIds } = accessFor(lists, requiresUserPoolClientIds);
  const appIds = stored.filter(isAppId);
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
  return { fingerprints: appIds.map(fullFingerprint), userPoolClientIds };
}

/** The access lists of a client. An empty list locks it out. */
export interface AccessLists {
  readonly appIds: readonly string[];
  /** Undefined if the client accepts the tokens of all app clients. */
  readonly userPoolClientIds: readonly string[] | undefined;
}

/** Returns the access lists of a client as a deployment applies them. */
export function accessFor(
  { appIds, userPoolClientIds }: AccessLists,
  requiresUserPoolClientIds: boolean,
): AccessLists {
  const ids = userPoolClientIds ?? (requiresUserPoolClientIds ? [] : undefined);
  return { appIds, userPoolClientIds: ids };
}

/** Reads the access lists of a client, whatever its deployment requires. */
export function readAccessLists(item: ConfigsItem): AccessLists {
  const acceptsAll =
    item.userPoolClientIds === undefined && misspellingOf(item, 'userPoolClientIds') === undefined;
  return {
    appIds: strings(item.appIds),
    userPoolClientIds: acceptsAll ? undefined : appClients(item.userPoolClientIds),
  };
}

/** Returns app client ids. If all contain commas or spaces, several were meant: none counts. */
function appClients(stored: unknown): readonly string[] {
  const ids = strings(stored);
  return ids.every((id) => /[,\s]/.test(id)) ? [] : ids;
}

/** True if an access list is empty, so that every request of the client is refused. */
export function admitsNobody(
  appIds: readonly unknown[],
  userPoolClientIds: readonly string[] | undefined,
): boolean {
  return appIds.length === 0 || userPoolClientIds?.length === 0;
}

/** True if the App-Id is the client's. Constant time: compares all fingerprints, as long as one. */
export function hasAppId({ fingerprints }: Client<unknown>, appId: string): boolean {
  const sent = fullFingerprint(appId);
  return fingerprints.reduce((found, own) => timingSafeEqual(sent, own) || found, false);
}

/** True if the client accepts tokens issued to the app client `audience`. */
export function acceptsAudience({ userPoolClientIds }: Client<unknown>, audience: string): boolean {
  return userPoolClientIds === undefined || userPoolClientIds.includes(audience);
}

/** Returns the strings in a value. A single string with a comma means several: none counts. */
function strings(stored: unknown): readonly string[] {
  if (typeof stored === 'string' && stored.includes(',')) return [];
  return valuesOf(stored).filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}

function valuesOf(stored: unknown): readonly unknown[] {
  return stored instanceof Set || Array.isArray(stored) ? [...stored] : [stored];
}
