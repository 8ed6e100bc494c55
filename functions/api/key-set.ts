import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { FetchError, KidNotFoundInJwksError } from 'aws-jwt-verify/error';
import { type Fetcher, SimpleFetcher } from 'aws-jwt-verify/https';
import { type Jwks, type PenaltyBox, SimpleJwksCache } from 'aws-jwt-verify/jwk';

const FETCH_TIMEOUT_MS = 3000;
const REFETCH_AFTER_MISS_MS = 10_000;
const BACKOFF_MS = 1000;

/**
 * The endpoint variable that the AWS SDKs have for Cognito moves the key set to another host
 * (https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html). The stack does not set it; the local
 * server and the emulator do. `AWS_ENDPOINT_URL`, the variable for all services, is not read: it must not decide whose
 * keys are trusted.
 */
function endpoint(): string | undefined {
  return process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER;
}

/** Fetches a key set from its own path on another host. */
function fetcherAt(origin: string): Fetcher {
  const isSecure = origin.startsWith('https:');
  const fetcher = isSecure ? new SimpleFetcher() : { fetch: fetchOverHttp };
  return { fetch: (uri) => fetcher.fetch(new URL(new URL(uri).pathname, origin).href) };
}

/** For an emulator; with one immediate retry, as in `SimpleFetcher`. */
async function fetchOverHttp(uri: string): Promise<ArrayBuffer> {
  try {
    return await getOverHttp(uri).catch(() => getOverHttp(uri));
  } catch (error) {
    throw new FetchError(uri, error);
  }
}

// Not with `fetch`, which takes 20 ms to load and is needed for nothing else.
async function getOverHttp(uri: string): Promise<ArrayBuffer> {
  const outgoing = request(uri, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}

/**
 * If a fetched key set lacks a key id, that set is not fetched again for ten seconds; until then, unknown key ids are
 * refused at once. The library's own penalty box would also refuse a known key of a set that was not fetched yet, and
 * anybody with a forged token could start its wait again and again.
 */
function refetchLimit(): PenaltyBox {
  const missedAt = new Map<string, number>();
  return {
    async wait(uri, kid) {
      const missed = missedAt.get(uri) ?? Number.NEGATIVE_INFINITY;
      if (Date.now() - missed < REFETCH_AFTER_MISS_MS) {
        throw new KidNotFoundInJwksError(`The key set fetched last does not hold ${kid}`);
      }
    },
    registerFailedAttempt(uri) {
      missedAt.set(uri, Date.now());
    },
    registerSuccessfulAttempt() {},
  };
}

/**
 * Caches the key sets of a pool's two issuers, `cognito-idp` and `issuer-cognito-idp`. The library lets concurrent
 * requests share one fetch; this adds a backoff, so that a flood of tokens during an outage makes one fetch a second.
 * Each set is tracked by itself: a token that names one issuer must not lock out users with tokens of the other.
 */
class KeySetCache extends SimpleJwksCache {
  readonly #failures = new Map<string, { readonly at: number; readonly error: unknown }>();

  /** @throws what the last fetch threw, for one second after it failed. */
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

/** The key sets of the user pool, fetched when they are first needed and kept until a token names a key they lack. */
export function keySetCache(): SimpleJwksCache {
  const origin = endpoint();
  return new KeySetCache({
    fetcher: origin ? fetcherAt(origin) : new SimpleFetcher(),
    penaltyBox: refetchLimit(),
  });
}
