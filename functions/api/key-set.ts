import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
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

/** Fetches a key set from its own path on another host. */
function fetcherAt(origin: string): Fetcher {
  const isSecure = origin.startsWith('https:');
  const fetcher = isSecure ? new SimpleFetcher() : { fetch: fetchOverHttp };
  return { fetch: (uri) => fetcher.fetch(new URL(new URL(uri).pathname, origin).href) };
}

/** For an emulator; with one immediate retry, as `SimpleFetcher` has it. */
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
