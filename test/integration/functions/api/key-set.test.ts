import { createServer, type Server } from 'node:http';
import type { DecomposedJwt } from 'aws-jwt-verify/jwt';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keySetCache } from '../../../../functions/api/key-set.ts';
import { createJwksServer, generateSigningKey, jwksPath } from '../../../../local/issuer.ts';
import { close, listen } from '../../../../local/listen.ts';

const USER_POOL_ID = 'us-east-1_Pool';
const URI = `https://cognito-idp.us-east-1.amazonaws.com${jwksPath(USER_POOL_ID)}`;

let server: Server;
let kid: string;
let isDown: boolean;
let fetches: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  [kid, isDown, fetches] = ['first', false, 0];
  const key = await generateSigningKey();
  server = createServer((request, response) => {
    fetches++;
    if (isDown) return response.destroy();
    // The key that is published now.
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

test('the endpoint variable moves the host and leaves the path', async () => {
  const jwk = await keySetCache().getJwk(URI, tokenOf('first'));
  expect(jwk.kid).toBe('first');
});

test('the endpoint variable of all services is taken where the one of this service is not set', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL', process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER);
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', undefined);
  expect((await keySetCache().getJwk(URI, tokenOf('first'))).kid).toBe('first');
});

test('the key set is fetched once for all tokens of a key', async () => {
  const cache = keySetCache();
  for (let tokens = 0; tokens < 3; tokens++) await cache.getJwk(URI, tokenOf('first'));
  expect(fetches).toBe(1);
});

test('unknown keys fetch the key set once in ten seconds, and are unknown at once in between', async () => {
  const cache = keySetCache();
  for (const unknown of ['x', 'y', 'x']) {
    await expect(cache.getJwk(URI, tokenOf(unknown))).rejects.toThrow(unknown);
  }
  expect(fetches).toBe(1);
  vi.setSystemTime(10_000);
  await expect(cache.getJwk(URI, tokenOf('x'))).rejects.toThrow('x');
  expect(fetches).toBe(2);
});

test('a rotated key is found within ten seconds of a forged one', async () => {
  const cache = keySetCache();
  await cache.getJwk(URI, tokenOf('first'));
  await expect(cache.getJwk(URI, tokenOf('forged'))).rejects.toThrow('forged');
  kid = 'second';
  vi.setSystemTime(10_000);
  expect((await cache.getJwk(URI, tokenOf('second'))).kid).toBe('second');
});

test('a key set that cannot be fetched is fetched again by the next token', async () => {
  const cache = keySetCache();
  isDown = true;
  await expect(cache.getJwk(URI, tokenOf('first'))).rejects.toThrow('Failed to fetch');
  isDown = false;
  expect((await cache.getJwk(URI, tokenOf('first'))).kid).toBe('first');
});
