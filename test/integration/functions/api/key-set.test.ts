import { createServer, type Server, type ServerResponse } from 'node:http';
import {
  FetchError,
  JwksValidationError,
  JwkValidationError,
  KidNotFoundInJwksError,
} from 'aws-jwt-verify/error';
import type { DecomposedJwt } from 'aws-jwt-verify/jwt';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keySetCache } from '../../../../functions/api/key-set.ts';
import {
  createJwksServer,
  generateSigningKey,
  jwksPath,
  type SigningKey,
} from '../../../../local/issuer.ts';
import { close, listen } from '../../../../local/listen.ts';

const USER_POOL_ID = 'us-east-1_Pool';
// The key sets of the two issuers of a pool. The server of these tests serves both.
const URI = `https://cognito-idp.us-east-1.amazonaws.com${jwksPath(USER_POOL_ID)}`;
const OTHER_URI = `https://issuer-cognito-idp.us-east-1.amazonaws.com${jwksPath(USER_POOL_ID)}`;
const URIS = [
  ['the first issuer', URI, OTHER_URI],
  ['the second issuer', OTHER_URI, URI],
] as const;

/** When a test starts, in milliseconds since the epoch. */
const START = Date.parse('2026-11-20T09:30:00Z');
/** Sets the clock to a time after the start, in milliseconds. */
const setTime = (ms: number) => vi.setSystemTime(START + ms);

let server: Server;
let key: SigningKey;
let kid: string;
/** What the server does instead of publishing the key. */
let fault: ((response: ServerResponse) => unknown) | undefined;
let fetches: number;

// Each key takes a tenth of a second.
beforeAll(async () => {
  key = await generateSigningKey();
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  [kid, fault, fetches] = ['first', undefined, 0];
  server = createServer((request, response) => {
    fetches++;
    if (fault) return fault(response);
    // The currently published key.
    const issuer = { userPoolId: USER_POOL_ID, userPoolClientId: '', signingKey: { ...key, kid } };
    return createJwksServer(issuer).emit('request', request, response);
  });
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', await listen(server));
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await close(server);
});

const tokenOf = (keyId: string) =>
  ({ header: { kid: keyId, alg: 'RS256' }, payload: {} }) as DecomposedJwt;

test('the endpoint variable replaces the host and keeps the path', async () => {
  const jwk = await keySetCache().getJwk(URI, tokenOf('first'));
  expect(jwk.kid).toBe('first');
});

test('an endpoint may use TLS', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', 'https://127.0.0.1:9');
  await expect(keySetCache().getJwk(URI, tokenOf('first'))).rejects.toThrow('ECONNREFUSED');
});

test('a fetch from an endpoint that does not answer times out after three seconds', async () => {
  fault = () => {};
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), milliseconds / 100);
    return controller.signal;
  });
  await expect(keySetCache().getJwk(URI, tokenOf('first'))).rejects.toThrow(FetchError);
  expect(timeout.mock.calls).toEqual([[3000], [3000]]);
  timeout.mockRestore();
});

test('the endpoint variable of all services does not replace the host of the key set', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL', process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER);
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', undefined);
  // No resolver knows this name. A request for it would have gone to AWS.
  const uri = `https://cognito-idp.us-east-1.invalid${jwksPath(USER_POOL_ID)}`;
  await expect(keySetCache().getJwk(uri, tokenOf('first'))).rejects.toThrow(uri);
  expect(fetches).toBe(0);
});

test('the key set is fetched once for all tokens of a key', async () => {
  const cache = keySetCache();
  for (let tokens = 0; tokens < 3; tokens++) await cache.getJwk(URI, tokenOf('first'));
  expect(fetches).toBe(1);
});

test('unknown keys cause one fetch in ten seconds, and are refused at once in between', async () => {
  const cache = keySetCache();
  for (const unknown of ['x', 'y', 'x']) {
    await expect(cache.getJwk(URI, tokenOf(unknown))).rejects.toThrow(unknown);
  }
  expect(fetches).toBe(1);
  setTime(10_000);
  await expect(cache.getJwk(URI, tokenOf('x'))).rejects.toThrow('x');
  expect(fetches).toBe(2);
});

test('a rotated key is accepted within ten seconds of a forged token', async () => {
  const cache = keySetCache();
  await cache.getJwk(URI, tokenOf('first'));
  await expect(cache.getJwk(URI, tokenOf('forged'))).rejects.toThrow('forged');
  kid = 'second';
  setTime(10_000);
  expect((await cache.getJwk(URI, tokenOf('second'))).kid).toBe('second');
});

describe.each(URIS)('a forged token of %s', (_, forgedUri, validUri) => {
  test('does not prevent a cold function from fetching the keys of the other issuer', async () => {
    const cache = keySetCache();
    await expect(cache.getJwk(forgedUri, tokenOf('forged'))).rejects.toThrow('forged');
    expect((await cache.getJwk(validUri, tokenOf('first'))).kid).toBe('first');
    expect(fetches).toBe(2);
  });

  test('does not delay a rotated key of the other issuer', async () => {
    const cache = keySetCache();
    await cache.getJwk(validUri, tokenOf('first'));
    await expect(cache.getJwk(forgedUri, tokenOf('forged'))).rejects.toThrow('forged');
    kid = 'second';
    expect((await cache.getJwk(validUri, tokenOf('second'))).kid).toBe('second');
  });

  test('does not shorten the wait of the other issuer', async () => {
    const cache = keySetCache();
    await expect(cache.getJwk(validUri, tokenOf('x'))).rejects.toThrow('x');
    setTime(5000);
    await expect(cache.getJwk(forgedUri, tokenOf('forged'))).rejects.toThrow('forged');
    setTime(9999);
    await expect(cache.getJwk(validUri, tokenOf('x'))).rejects.toThrow('x');
    expect(fetches).toBe(2);
    setTime(10_000);
    await expect(cache.getJwk(validUri, tokenOf('x'))).rejects.toThrow('x');
    expect(fetches).toBe(3);
  });
});

test('concurrent tokens share one fetch, even forged ones', async () => {
  const cache = keySetCache();
  const kids = ['first', 'x', 'first', 'y'];
  const found = await Promise.allSettled(kids.map((id) => cache.getJwk(URI, tokenOf(id))));
  expect(found.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  ]);
  expect(fetches).toBe(1);
});

describe('a key set that was fetched early', () => {
  const unlimited = () => new AbortController().signal;

  test('is the one of the first token, and of those after it', async () => {
    const cache = keySetCache();
    await cache.fetchEarly(URI, unlimited());
    setTime(2999);
    await cache.getJwk(URI, tokenOf('first'));
    setTime(60 * 60 * 1000);
    expect((await cache.getJwk(URI, tokenOf('first'))).kid).toBe('first');
    expect(fetches).toBe(1);
  });

  test('is fetched again if the first token comes three seconds later: a withdrawn key is refused', async () => {
    const cache = keySetCache();
    await cache.fetchEarly(URI, unlimited());
    kid = 'second';
    setTime(3000);
    await expect(cache.getJwk(URI, tokenOf('first'))).rejects.toThrow(KidNotFoundInJwksError);
    expect((await cache.getJwk(URI, tokenOf('second'))).kid).toBe('second');
    expect(fetches).toBe(2);
  });

  test('is as old as its fetch, however long that took', async () => {
    const cache = keySetCache();
    server.prependOnceListener('request', () => setTime(1000));
    await cache.fetchEarly(URI, unlimited());
    setTime(3000);
    await cache.getJwk(URI, tokenOf('first'));
    expect(fetches).toBe(2);
  });

  test('is fetched again if it lacks the key of the first token', async () => {
    const cache = keySetCache();
    await cache.fetchEarly(URI, unlimited());
    kid = 'second';
    expect((await cache.getJwk(URI, tokenOf('second'))).kid).toBe('second');
    await expect(cache.getJwk(URI, tokenOf('first'))).rejects.toThrow(KidNotFoundInJwksError);
  });

  test('is not that of the other issuer', async () => {
    const cache = keySetCache();
    await cache.fetchEarly(URI, unlimited());
    await cache.getJwk(OTHER_URI, tokenOf('first'));
    expect(fetches).toBe(2);
    await cache.getJwk(URI, tokenOf('first'));
    expect(fetches).toBe(2);
  });

  test.each(['http://127.0.0.1:9', 'https://127.0.0.1:9'])(
    'and cannot be, from %s, is an error of that fetch',
    async (endpoint) => {
      vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', endpoint);
      const fetched = keySetCache().fetchEarly(URI, unlimited());
      await expect(fetched).rejects.toThrow('ECONNREFUSED');
    },
  );

  test('and failed, is fetched at once for the first token', async () => {
    fault = (response) => response.destroy();
    const cache = keySetCache();
    await expect(cache.fetchEarly(URI, unlimited())).rejects.toThrow('socket hang up');
    expect(fetches).toBe(1);
    fault = undefined;
    expect((await cache.getJwk(URI, tokenOf('first'))).kid).toBe('first');
  });

  test('and is not a key set, is an error of that fetch', async () => {
    fault = (response) => response.end('{"keys":[{}]}');
    const cache = keySetCache();
    await expect(cache.fetchEarly(URI, unlimited())).rejects.toThrow(JwkValidationError);
  });

  test('is not waited for beyond its signal', async () => {
    const controller = new AbortController();
    fault = () => controller.abort();
    await expect(keySetCache().fetchEarly(URI, controller.signal)).rejects.toThrow('aborted');
  });

  test('is not waited for beyond its signal from an endpoint with TLS either', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', 'https://127.0.0.1:9');
    const fetched = keySetCache().fetchEarly(URI, AbortSignal.abort());
    await expect(fetched).rejects.toThrow('aborted');
  });
});

const FAULTS: readonly [string, typeof fault, new (...args: never[]) => Error][] = [
  ['cannot be reached', (response) => response.destroy(), FetchError],
  ['is answered with an error', (response) => response.writeHead(500).end(), FetchError],
  ['is not a key set', (response) => response.end('<html>'), JwksValidationError],
  ['has an invalid key', (response) => response.end('{"keys":[{}]}'), JwkValidationError],
];

test('an error of the endpoint is named with its status', async () => {
  fault = (response) => response.writeHead(503).end();
  await expect(keySetCache().getJwk(URI, tokenOf('first'))).rejects.toThrow('status 503');
});

test('after a fetch that failed slowly, the key set is not fetched at once either', async () => {
  fault = (response) => {
    setTime(5000);
    response.destroy();
  };
  const cache = keySetCache();
  const fetched = () => expect(cache.getJwk(URI, tokenOf('first'))).rejects.toThrow(FetchError);
  await fetched();
  const before = fetches;
  await fetched();
  expect(fetches).toBe(before);
});

describe.each(FAULTS)('a key set that %s', (_, whileDown, ErrorClass) => {
  /** The number of fetches that a flood of tokens causes, including retries. */
  async function fetchesOfAFlood(cache: ReturnType<typeof keySetCache>, uri = URI) {
    const before = fetches;
    for (let token = 0; token < 20; token++) {
      const found = cache.getJwk(uri, tokenOf(token % 2 ? 'first' : `forged-${token}`));
      await expect(found).rejects.toThrow(ErrorClass);
    }
    return fetches - before;
  }

  test('is fetched once a second, and is unavailable in between', async () => {
    fault = whileDown;
    const cache = keySetCache();
    const once = await fetchesOfAFlood(cache);
    // The fetcher retries once, immediately.
    expect(once).toBeLessThanOrEqual(2);
    setTime(999);
    expect(await fetchesOfAFlood(cache)).toBe(0);
    setTime(1000);
    expect(await fetchesOfAFlood(cache)).toBe(once);
    setTime(1999);
    expect(await fetchesOfAFlood(cache)).toBe(0);
  });

  test('is fetched again a second later', async () => {
    fault = whileDown;
    const cache = keySetCache();
    await fetchesOfAFlood(cache);
    fault = undefined;
    setTime(1000);
    expect((await cache.getJwk(URI, tokenOf('first'))).kid).toBe('first');
    // A past outage delays nothing.
    kid = 'second';
    expect((await cache.getJwk(URI, tokenOf('second'))).kid).toBe('second');
  });

  test('does not discard the keys that were fetched before', async () => {
    const cache = keySetCache();
    await cache.getJwk(URI, tokenOf('first'));
    fault = whileDown;
    await expect(cache.getJwk(URI, tokenOf('rotated or forged'))).rejects.toThrow(ErrorClass);
    expect((await cache.getJwk(URI, tokenOf('first'))).kid).toBe('first');
  });

  test.each(URIS)('of %s does not delay the other one', async (_, uri, other) => {
    fault = whileDown;
    const cache = keySetCache();
    await fetchesOfAFlood(cache, uri);
    fault = undefined;
    expect((await cache.getJwk(other, tokenOf('first'))).kid).toBe('first');
    await expect(cache.getJwk(uri, tokenOf('first'))).rejects.toThrow(ErrorClass);
  });

  test('does not count as a key set without the key, once it can be fetched', async () => {
    fault = whileDown;
    const cache = keySetCache();
    await expect(cache.getJwk(URI, tokenOf('forged'))).rejects.toThrow(ErrorClass);
    fault = undefined;
    setTime(1000);
    await expect(cache.getJwk(URI, tokenOf('forged'))).rejects.toThrow(KidNotFoundInJwksError);
  });
});
