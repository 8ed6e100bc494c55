import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { FetchError, JwksValidationError, KidNotFoundInJwksError } from 'aws-jwt-verify/error';
import { type Fetcher, fetch, SimpleFetcher } from 'aws-jwt-verify/https';
import { assertIsJwks, type Jwks, type PenaltyBox, SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { logger } from '../../core/runtime/logger.ts';

/** Timeout of a fetch, in milliseconds; the library's own value. */
const FETCH_TIMEOUT_MS = 3000;
const REFETCH_AFTER_MISS_MS = 10_000;
const BACKOFF_MS = 1000;
/** The age from which a key set is refreshed. */
const REFRESH_AFTER_MS = 5 * 60_000;
/** The time between two attempts to refresh a key set. */
const REFRESH_INTERVAL_MS = 10_000;

/**
 * Reads the AWS SDKs' endpoint variable for Cognito, which moves the key set to another host
 * (https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html). The stack does not
 * set it; the local server and the emulator do. `AWS_ENDPOINT_URL`, the variable for all services,
 * is ignored: it must not decide whose keys are trusted.
 */
function endpoint(): string | undefined {
  return process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER;
}

/** Fetches a key set, from its path at `origin` if given. The library retries once, immediately. */
function fetcherAt(origin: string | undefined): Fetcher {
  const fetcher = isPlain(origin) ? { fetch: fetchOverHttp } : new SimpleFetcher();
  return { fetch: (uri) => fetcher.fetch(movedTo(origin, uri)) };
}

/** Fetches a key set in a single attempt. */
function singleFetcherAt(origin: string | undefined, signal: AbortSignal): Fetcher {
  const once = isPlain(origin) ? getOverHttp : (uri: string) => fetch(uri, { signal });
  return { fetch: (uri) => once(movedTo(origin, uri), signal) };
}

function isPlain(origin: string | undefined): boolean {
  return origin !== undefined && !origin.startsWith('https:');
}

function movedTo(origin: string | undefined, uri: string): string {
  return origin ? new URL(new URL(uri).pathname, origin).href : uri;
}

/** Fetches from an emulator. Retries once, immediately, as `SimpleFetcher` does. */
async function fetchOverHttp(uri: string): Promise<ArrayBuffer> {
  const get = () => getOverHttp(uri, AbortSignal.timeout(FETCH_TIMEOUT_MS));
  try {
    return await get().catch(get);
  } catch (error) {
    throw new FetchError(uri, error);
  }
}

// Avoids Node's `fetch`: it takes 20 ms to load, and nothing else needs it.
async function getOverHttp(uri: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const outgoing = request(uri, { signal }).end();
  // If it is aborted while the response arrives, it reports that here as well.
  outgoing.on('error', () => {});
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}

/**
 * Parses a key set, as the library does, and refuses one without keys: it would log out all users.
 *
 * @throws JwksValidationError, JwkValidationError
 */
function parseKeySet(bytes: ArrayBuffer): Jwks {
  let jwks: Parameters<typeof assertIsJwks>[0];
  try {
    jwks = JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    throw new JwksValidationError('The key set is not JSON', { cause: error });
  }
  assertIsJwks(jwks);
  if (jwks.keys.length === 0) throw new JwksValidationError('The key set has no keys');
  return jwks;
}

/**
 * Refuses unknown key ids for ten seconds, without another fetch, after a fetched key set lacked
 * one. The library's own penalty box would also refuse a known key of a set that is not fetched
 * yet, and anyone with a forged token could restart its wait.
 */
function refetchLimit(): PenaltyBox {
  const missedAt = new Map<string, number>();
  return {
    async wait(uri, kid) {
      const missed = missedAt.get(uri) ?? Number.NEGATIVE_INFINITY;
      if (Date.now() - missed < REFETCH_AFTER_MISS_MS) {
        throw new KidNotFoundInJwksError(`The last fetched key set does not contain ${kid}`);
      }
    },
    registerFailedAttempt(uri) {
      missedAt.set(uri, Date.now());
    },
    registerSuccessfulAttempt() {},
  };
}

/** An attempt to refresh a key set. */
interface Refresh {
  /** The time in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly abort: AbortController;
}

/**
 * Caches the key sets of a pool's two issuers, `cognito-idp` and `issuer-cognito-idp`. In the
 * library, concurrent requests share one fetch, and a set stays while tokens name its keys. This
 * adds a backoff, so that a flood of tokens during an outage causes one fetch per second, and a
 * refresh, so that a withdrawn key is dropped. Both are per issuer: tokens of one must not lock out
 * users of the other.
 */
export class KeySetCache extends SimpleJwksCache {
  readonly #origin: string | undefined;
  readonly #failures = new Map<string, { readonly at: number; readonly error: unknown }>();
  /** The start of each cached key set's fetch, in milliseconds since the epoch. */
  readonly #fetchedAt = new Map<string, number>();
  readonly #refreshes = new Map<string, Refresh>();

  /** @param origin replaces the host of the key sets' URIs. */
  constructor(origin: string | undefined) {
    super({ fetcher: fetcherAt(origin), penaltyBox: refetchLimit(), jwksParser: parseKeySet });
    this.#origin = origin;
  }

  /** Fetches a key set in one attempt. If it fails, a token that needs it fetches it. */
  async fetchEarly(uri: string, signal: AbortSignal): Promise<void> {
    const fetchedAt = Date.now();
    const jwks = parseKeySet(await singleFetcherAt(this.#origin, signal).fetch(uri));
    // A fetch that a freeze has interrupted can end after a later one.
    if (fetchedAt < (this.#fetchedAt.get(uri) ?? 0)) return;
    this.addJwks(uri, jwks);
    this.#fetchedAt.set(uri, fetchedAt);
  }

  /** Returns the key that a token names. Starts to refresh its key set if that is old. */
  override async getJwk(...args: Parameters<SimpleJwksCache['getJwk']>) {
    const jwk = await super.getJwk(...args);
    this.#refreshIfOld(args[0]);
    return jwk;
  }

  /** @throws the last fetch's error, for one second after it failed. */
  override async getJwks(uri: string): Promise<Jwks> {
    const failure = this.#failures.get(uri);
    if (failure && Date.now() - failure.at < BACKOFF_MS) throw failure.error;
    const fetchedAt = Date.now();
    try {
      const jwks = await super.getJwks(uri);
      this.#fetchedAt.set(uri, fetchedAt);
      return jwks;
    } catch (error) {
      this.#failures.set(uri, { at: Date.now(), error });
      throw error;
    }
  }

  /**
   * Lambda may freeze the function before the fetch ends, for any time. So the fetch has no timer:
   * it goes on beside the next calls, and one of them replaces it if it takes too long. No other
   * fetch depends on it, and a key set is as old as the start of its fetch. A failure is no backoff
   * for tokens with new keys.
   */
  #refreshIfOld(uri: string): void {
    const now = Date.now();
    if (now - (this.#fetchedAt.get(uri) ?? now) < REFRESH_AFTER_MS) return;
    const last = this.#refreshes.get(uri);
    if (last && now - last.startedAt < REFRESH_INTERVAL_MS) return;
    last?.abort.abort();
    const abort = new AbortController();
    this.#refreshes.set(uri, { startedAt: now, abort });
    this.fetchEarly(uri, abort.signal).catch((error) => {
      if (!abort.signal.aborted) logger.warn('The key set was not refreshed', { error });
    });
  }
}

/** Makes the cache of key sets. A set is fetched when a token names a key that the cache lacks. */
export function keySetCache(): KeySetCache {
  return new KeySetCache(endpoint());
}
