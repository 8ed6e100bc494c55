import { createHash, timingSafeEqual } from 'node:crypto';
import { UnauthorizedError } from '../../../../functions/http/errors.ts';
import { type ConfigsItem, readConfigsItem } from './configs-table.ts';
import type { Claims } from './issuer.ts';

/** A client's record. */
interface Client<TParsed> {
  readonly appIds: readonly unknown[];
  readonly userPoolClientIds: readonly unknown[] | undefined;
  readonly parsed: TParsed;
}

const FRESH_MS = Number(process.env.CONFIG_CACHE_SECONDS) * 1000;
const MAX_CLIENTS = 1000;

/**
 * Creates a function that loads a client through a cache and checks that the caller may act for it.
 *
 * @param parse reads what the operation needs from an item. It runs once for each read.
 * @returns a function that throws an UnauthorizedError or returns what `parse` returned.
 */
export function clientAuthorizer<TParsed>(parse: (item: ConfigsItem) => TParsed) {
  const cache = new Map<string, { record: Client<TParsed> | undefined; until: number }>();

  async function load(clientId: string): Promise<Client<TParsed> | undefined> {
    const cached = cache.get(clientId);
    if (cached && Date.now() < cached.until) return cached.record;
    const item = await readConfigsItem(clientId);
    const record = item && {
      appIds: toList(item.appIds),
      userPoolClientIds: item.userPoolClientIds ? toList(item.userPoolClientIds) : undefined,
      parsed: parse(item),
    };
    if (cache.size >= MAX_CLIENTS) cache.clear();
    cache.set(clientId, { record, until: Date.now() + FRESH_MS });
    return record;
  }

  return async (clientId: string, appId: string, { aud }: Claims): Promise<TParsed> => {
    const record = await load(clientId);
    if (!record || !isOneOf(appId, record.appIds)) throw new UnauthorizedError();
    if (record.userPoolClientIds && !record.userPoolClientIds.includes(aud)) {
      throw new UnauthorizedError();
    }
    return record.parsed;
  };
}

function toList(value: unknown): readonly unknown[] {
  return value instanceof Set || Array.isArray(value) ? [...value] : [value];
}

/** Compares in constant time. */
function isOneOf(appId: string, appIds: readonly unknown[]): boolean {
  const digest = (key: unknown) => createHash('sha256').update(String(key)).digest();
  const sent = digest(appId);
  return appIds.reduce((found: boolean, key) => timingSafeEqual(sent, digest(key)) || found, false);
}
