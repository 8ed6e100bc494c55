import type { RequestListener, Server } from 'node:http';
import type { Request } from '@middy/core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { WithRequestHeaders } from '../../../../functions/api/check-headers.ts';
import {
  ServiceUnavailableError,
  TokenExpiredError,
  UnauthorizedError,
} from '../../../../functions/api/errors.ts';
import { verifyIdToken, type WithClaims } from '../../../../functions/api/verify-id-token.ts';
import { signIdToken } from '../../../../local/id-token.ts';
import { createJwksServer, generateSigningKey, type Issuer } from '../../../../local/issuer.ts';
import { close, listen } from '../../../../local/listen.ts';

type Event = WithRequestHeaders & WithClaims;

let issuer: Issuer;
let server: Server;

beforeAll(async () => {
  issuer = {
    userPoolId: 'us-east-1_Pool',
    userPoolClientId: 'client',
    signingKey: await generateSigningKey(),
  };
  server = createJwksServer(issuer);
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', await listen(server));
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await close(server);
});

/** The middleware of a cold function: verifies tokens and returns their claims. */
function verifier() {
  const { before } = verifyIdToken(issuer.userPoolId, [issuer.userPoolClientId]);
  return async (token: string) => {
    const event = { requestHeaders: { idToken: token } } as Event;
    await before?.({ event } as Request<Event>);
    return event.claims;
  };
}

test('an accepted token is refused once it has expired', async () => {
  const verify = verifier();
  const token = await signIdToken(issuer, { user: 'demo-user', expiresInSeconds: 60 });
  const { exp } = await verify(token);
  vi.useFakeTimers({ toFake: ['Date'], now: exp * 1000 - 1 });
  expect(await verify(token)).toMatchObject({ 'cognito:username': 'demo-user' });
  vi.setSystemTime(exp * 1000 + 1);
  const error = await verify(token).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(TokenExpiredError);
  expect(error.cause.message).toContain('Token expired');
});

test.each([null, 'never'])('a token that expires at %j is refused', async (exp) => {
  const token = await signIdToken(issuer, { claims: { exp } });
  await expect(verifier()(token)).rejects.toThrow(UnauthorizedError);
});

const OTHER_ISSUER = 'https://issuer-cognito-idp.us-east-1.amazonaws.com/us-east-1_Pool';

test('while the key set cannot be reached, no token is ever unauthorized', async () => {
  const published = server.listeners('request') as RequestListener[];
  let fetches = 0;
  server.removeAllListeners('request').on('request', (_, response) => {
    fetches++;
    response.destroy();
  });
  const verify = verifier();
  const other = { ...issuer, signingKey: await generateSigningKey() };
  const tokens = [
    await signIdToken(issuer),
    await signIdToken(issuer, { claims: { iss: OTHER_ISSUER } }),
    await signIdToken(other),
    await signIdToken(other, { claims: { iss: OTHER_ISSUER } }),
  ];
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  for (const [after, expected] of [
    [0, 4],
    [999, 4],
    [1000, 8],
    [1999, 8],
  ] as const) {
    vi.setSystemTime(now + after);
    for (const token of tokens) {
      await expect(verify(token)).rejects.toThrow(ServiceUnavailableError);
    }
    // A fetch and its retry for each of the two issuers.
    expect(fetches).toBe(expected);
  }

  server.removeAllListeners('request').on('request', published[0] as RequestListener);
  vi.setSystemTime(now + 2000);
  const [good = '', ofOtherIssuer = '', ...forged] = tokens;
  for (const token of forged) await expect(verify(token)).rejects.toThrow(UnauthorizedError);
  expect(await verify(good)).toMatchObject({ sub: 'demo-user' });
  expect(await verify(ofOtherIssuer)).toMatchObject({ iss: OTHER_ISSUER });
});

test('a token of a foreign issuer is refused without a fetch', async () => {
  let fetches = 0;
  server.prependListener('request', () => fetches++);
  const token = await signIdToken(issuer, { claims: { iss: `${OTHER_ISSUER}x` } });
  await expect(verifier()(token)).rejects.toThrow(UnauthorizedError);
  expect(fetches).toBe(0);
});

test.each([
  ['that is not JSON', '<html>'],
  ['without keys', '{}'],
  ['with an invalid key', '{"keys":[{}]}'],
])('a key set %s counts as unavailable, so that it does not log users out', async (_, body) => {
  const published = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (_request, response) => response.end(body));
  const verify = verifier();
  const error = await verify(await signIdToken(issuer)).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ServiceUnavailableError);
  expect(error.cause).toBeInstanceOf(Error);
  server.removeAllListeners('request');
  for (const listener of published) server.on('request', listener);
});

test.each([
  ['of another audience', { aud: 'another' }, 'not allowed: another'],
  [
    'of another issuer',
    { iss: OTHER_ISSUER.replace('Pool', 'Other') },
    'the issuer is not the user pool',
  ],
  ['that is not an ID token', { token_use: 'access' }, 'Token use not allowed'],
])('the reason why a token %s is refused is the cause of the error', async (_, claims, reason) => {
  const error = await verifier()(await signIdToken(issuer, { claims })).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UnauthorizedError);
  expect(error.cause.message).toContain(reason);
});

test('the reason for a token that the user pool did not sign quotes nothing of the token', async () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64url');
  const [header, payload, signature] = (await signIdToken(issuer)).split('.');
  const reasons = [];
  for (const token of [
    'no token',
    `${header}.${base64('{"user":jane}')}.${signature}`,
    `${header}.${base64('{"iss":"jane"}')}.${signature}`,
    `${base64('{"alg":"RS256","kid":"jane"}')}.${payload}.${signature}`,
    `${header}.${payload}.${base64('jane')}`,
  ]) {
    const error = await verifier()(token).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UnauthorizedError);
    reasons.push(error.cause.message);
  }
  expect(reasons).toEqual([
    'the token cannot be parsed',
    'the token cannot be parsed',
    'the issuer is not the user pool',
    'the token is not signed by the user pool',
    'the token is not signed by the user pool',
  ]);
});

test.each([0, 1, 2])(
  'each audience is accepted, at any position of the list: %i',
  async (index) => {
    const audiences = ['a', 'b'].toSpliced(index, 0, issuer.userPoolClientId);
    const { before } = verifyIdToken(issuer.userPoolId, audiences);
    const event = { requestHeaders: { idToken: await signIdToken(issuer) } } as Event;
    await before?.({ event } as Request<Event>);
    expect(event.claims.sub).toBe('demo-user');
  },
);
