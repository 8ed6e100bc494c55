import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Request } from '@middy/core';
import {
  close,
  generateSigningKey,
  type Issuer,
  issuerOf,
  jwksPath,
  listen,
  signIdToken,
} from 'customer-data-api-deployment/local';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type KeySetCache, keySetCache } from '../../../../functions/http/jwks-cache.ts';
import type { WithRequestHeaders } from '../../../../functions/middlewares/check-headers.ts';
import {
  verifyIdToken,
  type WithClaims,
} from '../../../../functions/middlewares/verify-id-token.ts';

/*
 * Tokens and the key set over time, on a clock of our own. A pool has two issuers, each with its
 * own key set. The server of these tests serves both.
 */

const POOL = 'us-east-1_Pool';
const ISSUER = issuerOf(POOL);
/** The issuers of tokens: those of the pool, and a foreign one. */
const ISSUERS: Readonly<Record<string, string>> = {
  '': ISSUER,
  '@2': ISSUER.replace('//cognito', '//issuer-cognito'),
  '@x': `${ISSUER}x`,
};
const URI = `https://cognito-idp.us-east-1.amazonaws.com${jwksPath(POOL)}`;
const ENDPOINT = 'AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER';
const START = Date.parse('2026-11-20T09:30:00Z');

/** The fault of the server, which happens instead of publishing a key. */
const FAULTS: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  unreachable: (response) => response.destroy(),
  failing: (response) => response.writeHead(500).end(),
  'not-JSON': (response) => response.end('<html>'),
  empty: (response) => response.end('{"keys":[]}'),
};

let server: Server;
let issuer: Issuer;
let url: string;
let fetches: number;
/** The id of the published key, or a fault. */
let published: string;
let onFetch: (response: ServerResponse) => unknown;

beforeAll(async () => {
  const signingKey = await generateSigningKey();
  issuer = { userPoolId: POOL, userPoolClientId: 'client', signingKey };
  server = createServer((request, response) => {
    fetches++;
    if (onFetch(response) === 'handled') return;
    const fault = FAULTS[published];
    if (fault) fault(response);
    else response.writeHead(request.url === jwksPath(POOL) ? 200 : 404).end(keySetOf(published));
  });
  url = await listen(server);
});
afterAll(() => close(server));
beforeEach(() => {
  [fetches, published, onFetch] = [0, 'first', () => {}];
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  vi.stubEnv(ENDPOINT, url);
  vi.stubEnv('COUNT_BY_VERSION', 'false');
  vi.stubEnv('LOG_INTERVAL_SECONDS', '0');
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'SILENT');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** The response with a key of another issuer, and those keys. */
function keySetOf(...kids: readonly string[]): string {
  const { kty, n, e, alg, use } = issuer.signingKey;
  const keys = kids.map((kid) => ({ kty, n, e, alg, use, kid }));
  return JSON.stringify({ keys: [{ kty, n: 'AQAB', e, alg, use, kid: 'other' }, ...keys] });
}

const tokenOf = (kid: string) => ({ header: { kid, alg: 'RS256' }, payload: {} }) as never;

const unlimited = () => new AbortController().signal;

/**
 * A cold function: returns the status with which it answers a token, such as `first`, `first@2` of
 * the other issuer, `first@x` of a foreign one, or `first-10m`.
 */
function verifier(keySets: KeySetCache = keySetCache()) {
  const { before } = verifyIdToken(POOL, ['client'], keySets);
  return async (token: string): Promise<number> => {
    const [, kid = '', of = '', minutes = 600] = /^([a-z]+)(@.)?(?:-(\d+)m)?$/.exec(token) ?? [];
    const now = Date.now();
    vi.setSystemTime(START);
    const idToken = await signIdToken(
      { ...issuer, signingKey: { ...issuer.signingKey, kid } },
      { expiresInSeconds: 60 * Number(minutes), claims: { iss: ISSUERS[of] } },
    );
    vi.setSystemTime(now);
    const event = { requestHeaders: { authorization: idToken } } as WithRequestHeaders & WithClaims;
    try {
      await before?.({ event } as Request<typeof event>);
    } catch (error) {
      return (error as { statusCode: number }).statusCode;
    }
    return event.claims.sub === 'demo-user' ? 200 : 0;
  };
}

/**
 * Each line of the steps: the time in milliseconds, what is published from then on, the token that
 * arrives, its status, and how often a key set has been fetched until then.
 */
async function play(steps: string, verify = verifier()): Promise<void> {
  for (const line of steps.trim().split('\n')) {
    const [ms, key = '', token = '', status, fetched] = line.trim().split(/ +/);
    vi.setSystemTime(START + Number(ms));
    published = key;
    const after = `${line.trim()}: ${await verify(token)} ${fetches}`;
    expect(after).toBe(`${line.trim()}: ${status} ${fetched}`);
  }
}

test.each(
  Object.entries({
    'an accepted token is refused once it has expired': `
    0       first  first-4m  200 1
    239999  first  first-4m  200 1
    240001  first  first-4m  400 1`,
    'the key set is fetched once for all tokens of a key': `
    0       first   first  200 1
    0       first   first  200 1
    299999  second  first  200 1`,
    'unknown keys cause one fetch in ten seconds, and are refused at once in between': `
    0      first  x  401 1
    0      first  y  401 1
    9999   first  x  401 1
    10000  first  x  401 2`,
    'a token of a foreign issuer is refused without a fetch': `
    0      first  first@x  401 0
    0      first  first    200 1
    0      first  first@x  401 1`,
    'a rotated key is accepted within ten seconds of a forged token': `
    0      first   first   200 1
    0      first   forged  401 2
    9999   second  second  401 2
    10000  second  second  200 3`,
  }),
)('%s', (_, steps) => play(steps));

/** Plays steps, and then the same ones with each issuer in the place of the other. */
async function playBothWays(steps: string): Promise<void> {
  await play(steps);
  fetches = 0;
  await play(
    steps.replace(
      /(first|second|forged|x)(@2)?( +\d{3} )/g,
      (_, token, two, status) => `${token}${two ? '' : '@2'}${status}`,
    ),
  );
}

test.each(
  Object.entries({
    'lock out tokens of the other': `
    0  first   forged    401 1
    0  first   first@2   200 2
    0  second  forged    401 2
    0  second  second@2  200 3`,
    'shorten the wait of the other': `
    0      first  x@2     401 1
    5000   first  forged  401 2
    9999   first  x@2     401 2
    10000  first  x@2     401 3`,
  }),
)('a forged token of one issuer does not %s', (_, steps) => playBothWays(steps));

// The fetcher retries once, immediately, what is not an answer.
describe.each(Object.keys(FAULTS).map((name, index) => [name, index < 2 ? 2 : 1] as const))(
  'a key set that is %s',
  (fault, once) => {
    test('is fetched once a second, and logs nobody out', () =>
      play(`0      ${fault}  first   503 ${once}
            0      ${fault}  forged  503 ${once}
            999    ${fault}  first   503 ${once}
            1000   ${fault}  forged  503 ${2 * once}
            1999   first     first   503 ${2 * once}
            2000   first     forged  401 ${2 * once + 1}
            2000   first     first   200 ${2 * once + 1}
            12000  second    second  200 ${2 * once + 2}`));

    test('does not discard the keys from before', () =>
      play(`0  first     first   200 1
            0  ${fault}  forged  503 ${1 + once}
            0  ${fault}  first   200 ${1 + once}`));

    test('does not delay that of the other issuer', () =>
      playBothWays(`0  ${fault}  first    503 ${once}
                    0  first     first@2  200 ${once + 1}
                    0  first     first    503 ${once + 1}`));
  },
);

describe('a key set that was fetched early', () => {
  test.each(
    Object.entries({
      'is the one of the first token, and of those after it': `
      0       first   first  200 1
      299999  second  first  200 1`,
      'is fetched again if it lacks the key of the first token': `
      0  second  second  200 2
      0  second  first   401 3`,
      'is not that of the other issuer': `
      0  first  first@2  200 2
      0  first  first    200 2`,
    }),
  )('%s', async (_, steps) => {
    const keySets = keySetCache();
    await keySets.fetchEarly(URI, unlimited());
    await play(steps, verifier(keySets));
  });
});

describe('a key set that is five minutes old', () => {
  const OLD_MS = 5 * 60_000;
  const ATTEMPT_MS = 10_000;
  let held: ServerResponse[];
  const hold = () => {
    onFetch = (response) => {
      held.push(response);
      return 'handled';
    };
  };
  const respond = (number: number, kid: string) => held[number]?.end(keySetOf(kid));
  const becomes = (verify: ReturnType<typeof verifier>, token: string, status: number) =>
    vi.waitFor(async () => expect(await verify(token)).toBe(status));
  const fetchesAre = (count: number) => vi.waitFor(() => expect(fetches).toBe(count));

  beforeEach(() => {
    held = [];
  });

  test.each(['', '@2'])(
    'of the issuer "%s" is fetched again beside a call, which does not wait, and a withdrawn key is dropped',
    async (of) => {
      const verify = verifier();
      await play(`0  first  first${of}  200 1`, verify);
      hold();
      vi.setSystemTime(START + OLD_MS);
      expect(await verify(`first${of}`)).toBe(200);
      await fetchesAre(2);
      // More calls before the response make no more fetches.
      expect(await verify(`first${of}`)).toBe(200);
      onFetch = () => {};
      published = 'second';
      respond(0, 'second');
      await becomes(verify, `first${of}`, 401);
      fetches = 0;
      await play(`${OLD_MS}  second  second${of}  200 0`, verify);
    },
  );

  test('has a key that was added since the last fetch, and the old one until it is withdrawn', async () => {
    const keySets = keySetCache();
    const verify = verifier(keySets);
    await play('0  first  first  200 1', verify);
    onFetch = (response) => {
      response.end(keySetOf('second', 'first'));
      return 'handled';
    };
    vi.setSystemTime(START + OLD_MS);
    expect(await verify('first')).toBe(200);
    await vi.waitFor(() => keySets.getCachedJwk(URI, tokenOf('second')));
    expect([await verify('second'), await verify('first'), fetches]).toEqual([200, 200, 2]);
  });

  test.each(Object.keys(FAULTS))(
    'keeps its keys if it is %s, delays no new key, and is fetched again ten seconds later',
    async (fault) => {
      const verify = verifier();
      await play('0  first  first  200 1', verify);
      vi.setSystemTime(START + OLD_MS);
      const closed = new Promise((resolve) => {
        onFetch = (response) => response.on('close', resolve);
      });
      published = fault;
      expect(await verify('first')).toBe(200);
      await closed;
      expect(await verify('first')).toBe(200);
      vi.setSystemTime(START + OLD_MS + ATTEMPT_MS - 1);
      expect([await verify('first'), fetches]).toEqual([200, 2]);
      vi.setSystemTime(START + OLD_MS + ATTEMPT_MS);
      expect(await verify('first')).toBe(200);
      await fetchesAre(3);
      await play(`${OLD_MS + ATTEMPT_MS}  second  second  200 4`, verify);
    },
  );

  test('keeps its keys in a flood of forged tokens, which cause no refresh', async () => {
    const verify = verifier();
    await play(
      `
      0          first  first    200 1
      ${OLD_MS}  first  forged   401 2
      ${OLD_MS}  first  another  401 2
      ${OLD_MS}  first  first    200 2`,
      verify,
    );
  });

  test('waits for no fetch that a freeze has interrupted: a later call replaces it, and its late keys count for nothing', async () => {
    const verify = verifier();
    await play('0  first  first  200 1', verify);
    hold();
    // Frozen while it connects, and while the response arrives.
    for (const attempt of [0, 1, 2]) {
      vi.setSystemTime(START + OLD_MS + attempt * ATTEMPT_MS);
      expect(await verify('first')).toBe(200);
      await fetchesAre(2 + attempt);
      if (attempt === 1) held[1]?.write(keySetOf('first').slice(0, 50));
    }
    respond(2, 'second');
    onFetch = () => {};
    published = 'second';
    await becomes(verify, 'second', 200);
    respond(0, 'first');
    held[1]?.end(keySetOf('first').slice(50));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await verify('first')).toBe(401);
  });
});

test('after a fetch that failed slowly, the key set is not fetched at once either', async () => {
  published = 'unreachable';
  onFetch = () => vi.setSystemTime(START + 5000);
  const verify = verifier();
  expect([await verify('first'), fetches]).toEqual([503, 2]);
  vi.setSystemTime(START + 5000);
  expect([await verify('first'), fetches]).toEqual([503, 2]);
});

test('concurrent tokens share one fetch, even forged ones', async () => {
  const keySets = keySetCache();
  const found = await Promise.allSettled(
    ['first', 'x', 'first', 'y'].map((kid) => keySets.getJwk(URI, tokenOf(kid))),
  );
  expect(found.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ]);
  expect(fetches).toBe(1);
});

test("only Cognito's endpoint variable moves the key set, and it may use TLS", async () => {
  // No resolver knows this name. A request for it would have gone to AWS.
  const uri = `https://cognito-idp.us-east-1.invalid${jwksPath(POOL)}`;
  const fetched = () => keySetCache().getJwks(uri);
  expect((await fetched()).keys).toHaveLength(2);
  vi.stubEnv(ENDPOINT, 'https://127.0.0.1:9');
  await expect(fetched()).rejects.toThrow('ECONNREFUSED');
  vi.stubEnv('AWS_ENDPOINT_URL', url);
  vi.stubEnv(ENDPOINT, undefined);
  await expect(fetched()).rejects.toThrow(uri);
  expect(fetches).toBe(1);
});

// The last one: its fetches may still arrive after it.
test('a fetch that is not answered ends after three seconds, as does its repetition', async () => {
  onFetch = () => 'handled';
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), milliseconds / 100);
    return controller.signal;
  });
  expect(await verifier()('first')).toBe(503);
  expect(timeout.mock.calls).toEqual([[3000], [3000]]);
  timeout.mockRestore();
});
