import { FetchError, KidNotFoundInJwksError } from 'aws-jwt-verify/error';
import { type Fetcher, SimpleFetcher } from 'aws-jwt-verify/https';
import { type PenaltyBox, SimpleJwksCache } from 'aws-jwt-verify/jwk';

const FETCH_TIMEOUT_MS = 3000;
const REFETCH_AFTER_MS = 10_000;

/**
 * Where the key set of the user pool is fetched from can be moved to another host by the endpoint variable that the
 * AWS SDKs use for the same service (https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html). The
 * stack does not set it; the local server and emulators do.
 */
function endpoint(): string | undefined {
  return process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER ?? process.env.AWS_ENDPOINT_URL;
}

/** Fetches a key set from its own path on another host, with one immediate retry as `SimpleFetcher` does. */
function fetcherAt(origin: string): Fetcher {
  async function fetchOnce(uri: string): Promise<ArrayBuffer> {
    const response = await fetch(new URL(new URL(uri).pathname, origin), {
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.arrayBuffer();
  }

  return {
    fetch: (uri) =>
      fetchOnce(uri)
        .catch(() => fetchOnce(uri))
        .catch((error: unknown) => {
          throw new FetchError(uri, error);
        }),
  };
}

/**
 * A key id that a key set fetched less than ten seconds ago does not hold is unknown, and the set is not fetched again
 * for it. The library's own penalty box blocks every fetch after one unknown key id, and so would let anybody with a
 * forged token delay the first use of rotated keys again and again.
 */
function refetchLimit(): PenaltyBox {
  let missedAt = Number.NEGATIVE_INFINITY;
  return {
    async wait(_uri, kid) {
      if (Date.now() - missedAt < REFETCH_AFTER_MS) {
        throw new KidNotFoundInJwksError(`The key set fetched last does not hold ${kid}`);
      }
    },
    registerFailedAttempt() {
      missedAt = Date.now();
    },
    registerSuccessfulAttempt() {},
  };
}

/** The key set of the user pool, fetched when it is first needed and kept until a token names a key that it lacks. */
export function keySetCache(): SimpleJwksCache {
  const origin = endpoint();
  return new SimpleJwksCache({
    fetcher: origin ? fetcherAt(origin) : new SimpleFetcher(),
    penaltyBox: refetchLimit(),
  });
}
