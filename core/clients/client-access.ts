import { timingSafeEqual } from 'node:crypto';
import type { ConfigsItem } from '../client-attributes.ts';
import type { Environment } from '../runtime/environment.ts';
import { logger } from '../runtime/logger.ts';
import { isSendableAppId } from './app-id.ts';
import { fullFingerprint } from './app-id-fingerprint.ts';

/** The facts that decide whether a request is admitted for a client. */
export interface Admission {
  /** Fingerprints of the App-Ids. */
  readonly fingerprints: readonly Buffer[];
  /** The app clients whose tokens are accepted. */
  readonly appClients: readonly string[];
  readonly isLockedOut: boolean;
}

/** A client: who may call on its behalf, and what an operation needs of its item. */
export interface Client<TData> extends Admission {
  readonly data: TData;
}

/** The decisions of a deployment about who may call. */
export interface AccessRules {
  /** The app clients of the deployment. */
  readonly appClients: readonly string[];
  /** True if a client without `userPoolClientIds` is locked out. Otherwise it accepts all. */
  readonly requiresUserPoolClientIds: boolean;
}

/** Returns the rules of the deployment about who may call. */
export function accessRules({
  REQUIRE_USER_POOL_CLIENT_IDS: requiresUserPoolClientIds,
  USER_POOL_CLIENT_IDS: ids,
}: Environment<'REQUIRE_USER_POOL_CLIENT_IDS' | 'USER_POOL_CLIENT_IDS'>): AccessRules {
  return { appClients: ids.split(','), requiresUserPoolClientIds };
}

/** The callers on behalf of a client. If one of the lists is empty, it is locked out. */
export interface Access {
  /** The App-Ids that apps can send. */
  readonly appIds: readonly string[];
  /** The app clients whose tokens are accepted. The deployment has each of them. */
  readonly appClients: readonly string[];
}

/**
 * Returns what requests for a client are checked with, and logs what locks it out. An unreadable
 * attribute does: an outage of one client is better than an open door.
 */
export function admission(clientId: string, lists: AccessLists, rules: AccessRules): Admission {
  const { appIds, appClients } = accessAsDeployed(lists, rules);
  const empty = lockedOutBy({ appIds, appClients });
  for (const attribute of empty) {
    logger.error('Every request of the client is refused', { clientId, attribute });
  }
  const fingerprints = appIds.map(fullFingerprint);
  return { fingerprints, appClients, isLockedOut: empty.length > 0 };
}

/** The access lists of a client. One that cannot be read is empty. */
export interface AccessLists {
  readonly appIds: readonly string[];
  /** Undefined if the item does not have the attribute. */
  readonly userPoolClientIds: readonly string[] | undefined;
}

/** Returns who may call on behalf of a client, by its access lists. */
export function accessAsDeployed(
  { appIds, userPoolClientIds }: AccessLists,
  rules: AccessRules,
): Access {
  return {
    appIds: appIds.filter(isSendableAppId),
    appClients: acceptedAppClients(userPoolClientIds, rules),
  };
}

/** Returns those of a client's app clients that the deployment has. */
export function acceptedAppClients(
  userPoolClientIds: readonly string[] | undefined,
  { appClients, requiresUserPoolClientIds }: AccessRules,
): readonly string[] {
  const named = userPoolClientIds ?? (requiresUserPoolClientIds ? [] : appClients);
  return appClients.filter((id) => named.includes(id));
}

/** Names the attributes that lock a client out, so that every request of it is refused. */
export function lockedOutBy({ appIds, appClients }: Access): (keyof AccessLists)[] {
  return [
    ...(appIds.length === 0 ? (['appIds'] as const) : []),
    ...(appClients.length === 0 ? (['userPoolClientIds'] as const) : []),
  ];
}

/** Reads the access lists of a client, whatever its deployment requires. */
export function accessLists(item: ConfigsItem): AccessLists {
  const { appIds, userPoolClientIds: ids } = item;
  return { appIds: strings(appIds), userPoolClientIds: ids === undefined ? ids : strings(ids) };
}

/** True if the App-Id is the client's. Constant time: compares all fingerprints, as long as one. */
export function hasAppId({ fingerprints }: Admission, appId: string): boolean {
  const sent = fullFingerprint(appId);
  return fingerprints.reduce((found, own) => timingSafeEqual(sent, own) || found, false);
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
