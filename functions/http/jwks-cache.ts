import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { FetchError, KidNotFoundInJwksError } from 'aws-jwt-verify/error';
import { type Fetcher, fetch, SimpleFetcher } from 'aws-jwt-verify/https';
import { findJwkInJwks, type Jwks, type PenaltyBox, SimpleJwksCache } from 'aws-jwt-verify/jwk';

/** Timeout of a fetch, in milliseconds; the library's own value. */
const FETCH_TIMEOUT_MS = 3000;
const REFETCH_AFTER_MISS_MS = 10_000;
const BACKOFF_MS = 1000;

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
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  return new Uint8Array(Buffer.concat(chunks)).buffer;
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

/** A key set fetched before any token needed it. */
interface EarlyKeySet {
  readonly uri: string;
  readonly jwks: Jwks;
  /** Start of the fetch, in milliseconds since the epoch. */
  readonly fetchedAt: number;
}

/**
 * Caches the key sets of a pool's two issuers, `cognito-idp` and `issuer-cognito-idp`. In the
 * library, concurrent requests share one fetch; this adds a backoff, so that a flood of tokens
 * during an outage causes one fetch per second. Backoff is per issuer: tokens of one must not lock
 * out users of the other.
 */
export class KeySetCache extends SimpleJwksCache {
  readonly #origin: string | undefined;
  readonly #failures = new Map<string, { readonly at: number; readonly error: unknown }>();
  #early: EarlyKeySet | undefined;

  /** @param origin replaces the host of the key sets' URIs. */
  constructor(origin: string | undefined) {
    super({ fetcher: fetcherAt(origin), penaltyBox: refetchLimit() });
    this.#origin = origin;
  }

  /** Fetches a key set for the first token, in one attempt. If it fails, that token fetches it. */
  async fetchEarly(uri: string, signal: AbortSignal): Promise<void> {
    const fetchedAt = Date.now();
    const fetcher = singleFetcherAt(this.#origin, signal);
    const jwks = await new SimpleJwksCache({ fetcher }).getJwks(uri);
    this.#early = { uri, jwks, fetchedAt };
  }

  /**
   * Gives the first token the early key set only while that is as fresh as a fetched one could be.
   * The first token may come hours later, when a key of the set has been withdrawn.
   */
  override getJwk(...args: Parameters<SimpleJwksCache['getJwk']>) {
    const [uri, { header }] = args;
    const early = this.#early;
    if (early?.uri === uri) {
      this.#early = undefined;
      const isYoung = Date.now() - early.fetchedAt < FETCH_TIMEOUT_MS;
      if (isYoung && findJwkInJwks(early.jwks, header.kid ?? '')) this.addJwks(uri, early.jwks);
    }
    return super.getJwk(...args);
  }

  /** @throws the last fetch's error, for one second after it failed. */
  override async getJwks(uri: string): Promise<Jwks> {
    const failure = this.#failures.get(uri);
    if (failure && Date.now() - failure.at < BACKOFF_MS) throw failure.error;
    try {
      return await super.getJwks(uri);
    } catch (error) {
      this.#failures.set(uri, { at: Date.now(), error });
      throw error;
    }
  }
}

/** Makes the cache of key sets. A set is fetched when a token names a key that the cache lacks. */
export function keySetCache(): KeySetCache {
  return new KeySetCache(endpoint());
}
