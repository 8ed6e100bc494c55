import { createHash, timingSafeEqual } from 'node:crypto';
import { logger } from '../platform/logger.ts';

/** An item of the Configs table as an operator left it: any attribute may be missing or of another type. */
export type ConfigsItem = Readonly<Record<string, unknown>>;

/** What the service knows about a client: who may call on its behalf, and what an operation needs of its item. */
export interface ClientRecord<TData> {
  /** The SHA-256 digest of each App-Id. */
  readonly appIdDigests: readonly Buffer[];
  /** The Cognito app clients whose tokens are accepted; undefined if all of the deployment's are. */
  readonly userPoolClientIds: readonly string[] | undefined;
  readonly data: TData;
}

/** The attributes of an item that say who may call. */
export const ACCESS_ATTRIBUTES = ['appIds', 'userPoolClientIds'] as const;

/**
 * Reads who may call on behalf of a client. An attribute that cannot be read admits nobody: an outage of one client is
 * better than an open door.
 */
export function readAccess(
  item: ConfigsItem,
  clientId: string,
): Omit<ClientRecord<unknown>, 'data'> {
  const appIds = strings(item.appIds);
  const userPoolClientIds =
    item.userPoolClientIds === undefined ? undefined : strings(item.userPoolClientIds);
  for (const [attribute, values] of Object.entries({ appIds, userPoolClientIds })) {
    if (values?.length === 0) {
      logger.error('Every request of the client is refused: an attribute contains no string', {
        clientId,
        attribute,
        expected: 'a string set or a list of strings',
      });
    }
  }
  return { appIdDigests: appIds.map(digest), userPoolClientIds };
}

/**
 * Tells whether an App-Id is one of the client's. The time that it takes reveals nothing about the keys: it compares
 * digests of equal length, and compares with every key.
 */
export function hasAppId({ appIdDigests }: ClientRecord<unknown>, appId: string): boolean {
  const sent = digest(appId);
  return appIdDigests.reduce((found, key) => timingSafeEqual(sent, key) || found, false);
}

/** Tells whether the client accepts tokens that were issued to a Cognito app client. */
export function acceptsAudience(
  { userPoolClientIds }: ClientRecord<unknown>,
  audience: string,
): boolean {
  return userPoolClientIds === undefined || userPoolClientIds.includes(audience);
}

/** The strings of a string set, a list or a single string. */
function strings(stored: unknown): readonly string[] {
  const values = stored instanceof Set || Array.isArray(stored) ? [...stored] : [stored];
  return values.filter((value) => typeof value === 'string' && value !== '');
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
