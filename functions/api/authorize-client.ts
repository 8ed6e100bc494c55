import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareObj } from '@middy/core';
import { available, dynamodb } from '../../core/platform/dynamodb.ts';
import { environment, numericEnvironment } from '../../core/platform/environment.ts';
import { logger } from '../../core/platform/logger.ts';
import { count } from '../../core/platform/metrics.ts';
import { LastGoodCache } from '../../core/platform/stale-if-error-cache.ts';
import type { WithRemarks } from './envelope.ts';
import { UnauthorizedError } from './errors.ts';
import type { WithRequestHeaders } from './headers.ts';
import type { WithClaims } from './id-token.ts';
import type { WithRequest } from './json-body.ts';

/** An item of the Configs table as an operator left it: any attribute may be missing or of another type. */
export type ConfigsItem = Readonly<Record<string, unknown>>;

/** What this middleware adds to an event: what the operation needs of the client's item. */
export interface WithClient<TClient> {
  client: TClient;
}

/** Who may call on behalf of a client. */
interface Access {
  /** The digest of each. */
  readonly appIds: readonly Buffer[];
  /** The Cognito app clients whose tokens are accepted; undefined when all of the deployment's are. */
  readonly userPoolClientIds: readonly string[] | undefined;
}

const LAST_GOOD_MS = 15 * 60 * 1000;
const MAX_CLIENTS = 1000;

/**
 * Loads the client that the request names, through a cache, and checks that the caller belongs to it: the App-Id is one
 * of the client's `appIds`, and the token was issued to one of its `userPoolClientIds` if it has any.
 *
 * @param attributes the attributes of the item that `derive` needs.
 * @param derive makes of the item what the operation needs; called once for each read of the item.
 * @throws UnauthorizedError the same for an unknown client, a wrong App-Id and another client's token.
 * @throws UnavailableError when the item cannot be read and no last good copy is there.
 */
export function client<TClient>(
  attributes: readonly string[],
  derive: (item: ConfigsItem, clientId: string) => TClient,
): MiddlewareObj<
  WithRequestHeaders &
    WithClaims &
    WithRemarks &
    WithRequest<{ clientId: string }> &
    WithClient<TClient>
> {
  const TableName = environment('CONFIGS_TABLE_NAME');
  const projection = ['appIds', 'userPoolClientIds', ...attributes];

  const cache = new LastGoodCache({
    read: async (clientId) => {
      const { Item } = await available(
        dynamodb('GetItem', {
          TableName,
          Key: { clientId },
          // Otherwise an edit could be missed by the read after it, and take a second cache time.
          ConsistentRead: true,
          ProjectionExpression: projection.map((_, index) => `#${index}`).join(', '),
          ExpressionAttributeNames: Object.fromEntries(
            projection.map((attribute, index) => [`#${index}`, attribute]),
          ),
        }),
      );
      return Item && { access: readAccess(Item, clientId), client: derive(Item, clientId) };
    },
    freshMs: numericEnvironment('CONFIG_CACHE_SECONDS') * 1000,
    lastGoodMs: LAST_GOOD_MS,
    maxKeys: MAX_CLIENTS,
    onLastGood: (clientId, error) =>
      logger.error('The client could not be read; its last good copy is served', {
        clientId,
        error,
      }),
  });

  return {
    before: async function loadClient({ event }) {
      const { clientId } = event.request;
      const { value, stale } = await cache.get(clientId);
      if (!value) throw refusal('unknown client');
      if (!isOneOf(event.requestHeaders.appId, value.access.appIds)) {
        throw refusal("App-Id is not one of the client's");
      }
      const audiences = value.access.userPoolClientIds;
      if (audiences && !audiences.includes(event.claims.aud)) {
        throw refusal("token is of another client's app");
      }
      if (stale) {
        event.warnings.push('The configuration may be out of date: it could not be read again.');
        count('LastGoodConfigServed', 1, { clientId });
      }
      event.client = value.client;
    },
  };
}

function refusal(reason: string): UnauthorizedError {
  return new UnauthorizedError({ cause: new Error(reason) });
}

/** Reads who may call. What is unreadable admits nobody: an outage of one client is better than an open door. */
function readAccess({ appIds, userPoolClientIds }: ConfigsItem, clientId: string): Access {
  const access = {
    appIds: texts(appIds),
    userPoolClientIds: userPoolClientIds === undefined ? undefined : texts(userPoolClientIds),
  };
  for (const [attribute, values] of Object.entries(access)) {
    if (values?.length === 0) {
      logger.error('Every request of the client is refused: an attribute holds no text', {
        clientId,
        attribute,
        expected: 'a string set or a list of strings',
      });
    }
  }
  return { ...access, appIds: access.appIds.map(digest) };
}

/** The texts of a string set, a list or a single string. */
function texts(stored: unknown): readonly string[] {
  const values = stored instanceof Set || Array.isArray(stored) ? [...stored] : [stored];
  return values.filter((value) => typeof value === 'string' && value !== '');
}

/** Compares in a time that tells nothing about the keys: digests of equal length, and every key is looked at. */
function isOneOf(appId: string, appIds: readonly Buffer[]): boolean {
  const sent = digest(appId);
  return appIds.reduce((found, key) => timingSafeEqual(sent, key) || found, false);
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
