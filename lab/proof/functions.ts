import type { Context } from 'aws-lambda';
import { vi } from 'vitest';
import type { ErasuresTable } from '../../core/promo-events/erasures.ts';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { createJwksServer } from '../../packages/deployment/local/issuer.ts';
import { close, listen } from '../../packages/deployment/local/listen.ts';
import { eraseItems, markErased } from '../../packages/on-call/promo-events/erase.ts';
import type { User } from '../../packages/on-call/promo-events/stored-spellings.ts';
import { startFunction, stubEnvironment, testIssuer } from '../../test/support/started-function.ts';
import type { Tables } from '../../test/support/tables.ts';

/** The dates of requests, by their names in the model. */
export const DATES: Readonly<Record<string, string>> = {
  monday: '2026-11-23T09:00:00.000Z',
  tuesday: '2026-11-24T09:00:00.000Z',
  wednesday: '2026-11-25T09:00:00.000Z',
};
export const CONTEXT = { getRemainingTimeInMillis: () => 20_000 } as Context;

/** A time that each timeout of the service reaches, and each backoff stays below. */
const SHORTEST_TIMEOUT_MS = 500;

/**
 * Starts the functions of the models, which call DynamoDB and SQS at a URL. For them time stands
 * still: no timeout ends, and a backoff takes no time.
 */
export async function startFunctions(tables: Tables, url: string) {
  const issuer = testIssuer();
  const keySet = createJwksServer(issuer);
  stubEnvironment(issuer, await listen(keySet), url);
  const own = {
    CONFIGS_TABLE_NAME: tables.configurations.configsTableName,
    PROMO_EVENTS_TABLE_NAME: tables.promoEventsTableName,
    ERASURES_TABLE_NAME: tables.erasuresTableName,
    USER_ID_CLAIM: 'none',
    REQUEST_DATE_WINDOW_SECONDS: String(10 * 365 * 86_400),
  };
  for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value);
  const apply = await startFunction(applyPromoCode, issuer);
  const { handler: store } = await import('../../functions/store-queued-promo-events/handler.ts');
  const { setTimeout: realTimeout } = globalThis;
  vi.stubGlobal('setTimeout', (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    ms < SHORTEST_TIMEOUT_MS ? realTimeout(run, 0, ...args) : realTimeout(run, 2 ** 31 - 1).unref(),
  );
  return {
    apply,
    store,
    stop: async () => {
      vi.unstubAllGlobals();
      vi.unstubAllEnvs();
      await close(keySet);
    },
  };
}

/** Searches a table for what a user has, and erases it, as `user erase` does each time. */
export async function searchAndErase(
  table: Parameters<typeof eraseItems>[0],
  user: User,
  erasedAt: string,
): Promise<void> {
  const waiting = new AbortController();
  const [onRemoved, onWait] = [() => {}, () => waiting.abort()];
  const erasing = eraseItems(table, user, erasedAt, { signal: waiting.signal, onRemoved, onWait });
  await erasing.catch((error) => {
    if (!waiting.signal.aborted) throw error;
  });
}

/** Writes the marker of an erasure that begins now. Returns its time. */
export function beginErasure(table: ErasuresTable, user: User): Promise<string> {
  // The marker has the end of the given second.
  return markErased(table, user, new Date(Date.now() - 1000));
}
