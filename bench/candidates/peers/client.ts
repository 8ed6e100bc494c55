import { createHash, timingSafeEqual } from 'node:crypto';
import { ForbiddenError, UnauthorizedError } from '../../../functions/api/errors.ts';
import { readConfigsItem } from './tables.ts';
import type { Claims } from './token.ts';

type Item = Readonly<Record<string, unknown>>;

/** A client of the service, as its item has it. */
interface Client<TDerived> {
  readonly appIds: readonly unknown[];
  readonly userPoolClientIds: readonly unknown[] | undefined;
  readonly derived: TDerived;
}

const FRESH_MS = Number(process.env.CONFIG_CACHE_SECONDS) * 1000;
const MAX_CLIENTS = 1000;

/**
 * Makes the function that reads a client through a cache and checks that the caller belongs to it.
 *
 * @param derive makes what the operation needs of an item; called once for each read.
 */
export function clients<TDerived>(derive: (item: Item) => TDerived) {
  const cache = new Map<string, { client: Client<TDerived> | undefined; until: number }>();

  async function read(clientId: string): Promise<Client<TDerived> | undefined> {
    const cached = cache.get(clientId);
    if (cached && Date.now() < cached.until) return cached.client;
    const item = await readConfigsItem(clientId);
    const client = item && {
      appIds: list(item.appIds),
      userPoolClientIds: item.userPoolClientIds ? list(item.userPoolClientIds) : undefined,
      derived: derive(item),
    };
    if (cache.size >= MAX_CLIENTS) cache.clear();
    cache.set(clientId, { client, until: Date.now() + FRESH_MS });
    return client;
  }

  /** @throws UnauthorizedError */
  return async (clientId: string, appId: string, { aud }: Claims): Promise<TDerived> => {
    const client = await read(clientId);
    if (!client || !isOneOf(appId, client.appIds)) throw new UnauthorizedError();
    if (client.userPoolClientIds && !client.userPoolClientIds.includes(aud)) {
      throw new UnauthorizedError();
    }
    return client.derived;
  };
}

/** @throws ForbiddenError when the token is another user's than the request names. */
export function checkUser(userId: string, claims: Claims): void {
  const { USER_ID_CLAIM = 'none' } = process.env;
  if (USER_ID_CLAIM !== 'none' && claims[USER_ID_CLAIM] !== userId) throw new ForbiddenError();
}

function list(value: unknown): readonly unknown[] {
  return value instanceof Set || Array.isArray(value) ? [...value] : [value];
}

function isOneOf(appId: string, appIds: readonly unknown[]): boolean {
  const digest = (key: unknown) => createHash('sha256').update(String(key)).digest();
  const sent = digest(appId);
  return appIds.reduce((found: boolean, key) => timingSafeEqual(sent, digest(key)) || found, false);
}
