import { createPublicKey } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signIdToken } from '../../../local/id-token.ts';
import {
  generateSigningKey,
  type Issuer,
  issuerOf,
  type SigningKey,
} from '../../../local/issuer.ts';
import { expectDescribed } from '../../support/expect-described.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
let otherKey: SigningKey;
beforeAll(async () => {
  // Without a cache, each read of a client is a DynamoDB call.
  service = await startService({ CONFIG_CACHE_SECONDS: '0' });
  await service.warmUp();
  otherKey = await generateSigningKey();
});
afterAll(() => service.stop());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
const now = () => Math.floor(Date.now() / 1000);

/** A valid token in its three parts. */
async function parts(
  issuer: Issuer,
): Promise<[header: string, payload: string, signature: string]> {
  const [header = '', payload = '', signature = ''] = (await signIdToken(issuer)).split('.');
  return [header, payload, signature];
}

async function withHeader(issuer: Issuer, header: object, key: SigningKey | Uint8Array) {
  const [, payload] = await parts(issuer);
  return new SignJWT(decode(payload)).setProtectedHeader(header as JWTHeaderParameters).sign(key);
}

const withClaims = (claims: Record<string, unknown>) => (issuer: Issuer) =>
  signIdToken(issuer, { claims });

const publicOf = ({ kty, n, e }: SigningKey) => ({ kty, n, e });
const spkiOf = (key: SigningKey) =>
  createPublicKey({ key: publicOf(key) as never, format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  });

type Attack = (issuer: Issuer) => string | string[] | Promise<string | string[]>;

/** An attack returns the values of Authorization, or of the token alone. */
const bearer = (token: (issuer: Issuer) => string | Promise<string>) => async (issuer: Issuer) =>
  `Bearer ${await token(issuer)}`;

const ATTACKS: readonly [name: string, attack: Attack, status?: number, code?: string][] = [
  [
    'alg none without a signature',
    bearer(async (issuer) => `${encode({ alg: 'none' })}.${(await parts(issuer))[1]}.`),
  ],
  [
    'alg none with the right kid and a signature',
    bearer(async (issuer) => {
      const [, payload, signature] = await parts(issuer);
      return `${encode({ alg: 'none', kid: issuer.signingKey.kid })}.${payload}.${signature}`;
    }),
  ],
  [
    'alg NONE',
    bearer(async (issuer) => {
      const [, payload, signature] = await parts(issuer);
      return `${encode({ alg: 'NONE', kid: issuer.signingKey.kid })}.${payload}.${signature}`;
    }),
  ],
  [
    'HS256 signed with the public key as PEM',
    bearer((issuer) =>
      withHeader(
        issuer,
        { alg: 'HS256', kid: issuer.signingKey.kid },
        Buffer.from(spkiOf(issuer.signingKey)),
      ),
    ),
  ],
  [
    'HS256 signed with the modulus',
    bearer((issuer) =>
      withHeader(
        issuer,
        { alg: 'HS256', kid: issuer.signingKey.kid },
        Buffer.from(issuer.signingKey.n ?? '', 'base64url'),
      ),
    ),
  ],
  [
    'RS512 in place of RS256',
    bearer((issuer) =>
      withHeader(
        issuer,
        { alg: 'RS512', kid: issuer.signingKey.kid },
        { ...issuer.signingKey, alg: 'RS512' },
      ),
    ),
  ],
  [
    'another key with the right kid',
    bearer((issuer) =>
      signIdToken({ ...issuer, signingKey: { ...otherKey, kid: issuer.signingKey.kid } }),
    ),
  ],
  ['an unknown kid', bearer((issuer) => signIdToken({ ...issuer, signingKey: otherKey }))],
  ['no kid', bearer((issuer) => withHeader(issuer, { alg: 'RS256' }, issuer.signingKey))],
  [
    'a kid that is a path',
    bearer((issuer) => withHeader(issuer, { alg: 'RS256', kid: '../../dev/null' }, otherKey)),
  ],
  [
    'a jku of the attacker',
    bearer((issuer) =>
      withHeader(
        issuer,
        { alg: 'RS256', kid: otherKey.kid, jku: 'http://127.0.0.1:1/jwks.json' },
        otherKey,
      ),
    ),
  ],
  [
    'a jwk of the attacker',
    bearer((issuer) =>
      withHeader(issuer, { alg: 'RS256', kid: otherKey.kid, jwk: publicOf(otherKey) }, otherKey),
    ),
  ],
  [
    'a jwk of the attacker under the right kid',
    bearer((issuer) =>
      withHeader(
        issuer,
        {
          alg: 'RS256',
          kid: issuer.signingKey.kid,
          jwk: { ...publicOf(otherKey), kid: issuer.signingKey.kid },
        },
        otherKey,
      ),
    ),
  ],
  [
    'an x5c of the attacker',
    bearer((issuer) =>
      withHeader(issuer, { alg: 'RS256', kid: issuer.signingKey.kid, x5c: ['MIIB'] }, otherKey),
    ),
  ],
  [
    'an altered payload',
    bearer(async (issuer) => {
      const [header, payload, signature] = await parts(issuer);
      return `${header}.${encode({ ...decode(payload), sub: 'somebody-else' })}.${signature}`;
    }),
  ],
  [
    'an altered header',
    bearer(async (issuer) => {
      const [header, payload, signature] = await parts(issuer);
      return `${encode({ ...decode(header), typ: 'JWT' })}.${payload}.${signature}`;
    }),
  ],
  ['a truncated signature', bearer(async (issuer) => (await signIdToken(issuer)).slice(0, -8))],
  ['no signature', bearer(async (issuer) => (await parts(issuer)).slice(0, 2).join('.'))],
  [
    'an empty signature',
    bearer(async (issuer) => `${(await parts(issuer)).slice(0, 2).join('.')}.`),
  ],
  ['a fourth part', bearer(async (issuer) => `${await signIdToken(issuer)}.x`)],
  ['parts that are not JSON', bearer(() => 'eA.eA.eA')],
  [
    'a payload that is a list',
    bearer(
      async (issuer) => `${(await parts(issuer))[0]}.${encode([])}.${(await parts(issuer))[2]}`,
    ),
  ],
  ['a token of 8 KB', bearer(withClaims({ filler: 'x'.repeat(5000), aud: 'other' }))],
  [
    'a token that exceeds the header limit of the gateway',
    bearer(withClaims({ filler: 'x'.repeat(12_000) })),
    400,
    'ValidationException',
  ],
  [
    'an access token',
    bearer(withClaims({ token_use: 'access', client_id: 'usersuserpoolappddbe3d50', aud: null })),
  ],
  ['an access token with an audience', bearer(withClaims({ token_use: 'access' }))],
  ['no token_use', bearer(withClaims({ token_use: null }))],
  ['another audience', bearer(withClaims({ aud: 'another-app-client' }))],
  [
    'a list of audiences with the correct one',
    bearer((issuer) => withClaims({ aud: ['x', issuer.userPoolClientId] })(issuer)),
  ],
  ['no audience', bearer(withClaims({ aud: null }))],
  ['another issuer', bearer(withClaims({ iss: 'https://attacker.example' }))],
  [
    'an issuer with a trailing slash',
    bearer((issuer) => withClaims({ iss: `${issuerOf(issuer.userPoolId)}/` })(issuer)),
  ],
  [
    'another user pool of the same region',
    bearer((issuer) => signIdToken({ ...issuer, userPoolId: 'us-east-1_Another' })),
  ],
  [
    'another user pool, signed with its own key',
    bearer((issuer) =>
      signIdToken({ ...issuer, userPoolId: 'us-east-1_Another', signingKey: otherKey }),
    ),
  ],
  ['not valid yet', bearer((issuer) => withClaims({ nbf: now() + 60 })(issuer))],
  ['no expiry', bearer(withClaims({ exp: null }))],
  ['an expiry that is a string', bearer(withClaims({ exp: '9999999999' }))],
  ['expired by a second', bearer((issuer) => signIdToken(issuer, { expiresInSeconds: -1 })), 400],
  [
    'expired, and for another audience',
    bearer((issuer) => signIdToken(issuer, { expiresInSeconds: -1, claims: { aud: 'x' } })),
  ],
  [
    'expired, and forged',
    bearer((issuer) =>
      signIdToken(
        { ...issuer, signingKey: { ...otherKey, kid: issuer.signingKey.kid } },
        { expiresInSeconds: -1 },
      ),
    ),
  ],
  [
    'two Authorization headers, both valid',
    async (issuer) => [
      `Bearer ${await signIdToken(issuer)}`,
      `Bearer ${await signIdToken(issuer)}`,
    ],
  ],
  [
    'two Authorization headers, the second valid',
    async (issuer) => ['Bearer x.y.z', `Bearer ${await signIdToken(issuer)}`],
  ],
  [
    'two tokens in one header',
    async (issuer) => `Bearer ${await signIdToken(issuer)}, Bearer ${await signIdToken(issuer)}`,
  ],
  ['the scheme Basic', async (issuer) => `Basic ${await signIdToken(issuer)}`],
  ['no scheme', (issuer) => signIdToken(issuer)],
  ['the scheme twice', async (issuer) => `Bearer Bearer ${await signIdToken(issuer)}`],
  ['the scheme without a space', async (issuer) => `Bearer${await signIdToken(issuer)}`],
  ['a tab after the scheme', async (issuer) => `Bearer\t${await signIdToken(issuer)}`],
  [
    'a space within the token',
    async (issuer) => `Bearer ${(await signIdToken(issuer)).replace('.', ' .')}`,
  ],
  ['a token in quotes', async (issuer) => `Bearer "${await signIdToken(issuer)}"`],
  [
    'a no-break space after the scheme',
    async (issuer) => `Bearer\u00a0${await signIdToken(issuer)}`,
  ],
  ['an empty token', () => 'Bearer '],
];

test.each(ATTACKS)('%s', async (_, attack, status = 401, code = 'NotAuthorizedException') => {
  const callsBefore = service.databaseCalls.length;
  const Authorization = await attack(service.issuer);
  for (const operation of [service.getConfig, service.applyPromoCode]) {
    const answer = await operation({ headers: { Authorization } });
    expect(answer.status).toBe(status);
    expect(answer.body.data.code).toBe(status === 401 ? 'Unauthorized' : code);
  }
  expect(service.databaseCalls.length).toBe(callsBefore);
});

/** The status line of the response to a request that is valid except for the format of its Authorization header. */
async function statusOnTheWire(authorization: (token: string) => string): Promise<string> {
  const socket = connect(Number(new URL(service.outputs.ApiUrl).port), '127.0.0.1');
  const body = '{"clientId":"demo"}';
  socket.write(
    [
      'POST /customerData/getConfig HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      authorization(await signIdToken(service.issuer)),
      'Content-Type: application/json',
      'App-Id: demo-app-key',
      'Device-Id: 0',
      `Request-Date: ${new Date().toISOString()}`,
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  const answer = await text(socket);
  const [statusLine = ''] = answer.split('\r\n');
  const json = answer.split('\r\n').find((line) => line.startsWith('{"errors"')) ?? '';
  expectDescribed('/customerData/getConfig', Number(statusLine.split(' ')[1]), JSON.parse(json));
  return statusLine;
}

test('on the wire: a valid request succeeds', async () => {
  expect(await statusOnTheWire((token) => `Authorization: Bearer ${token}`)).toContain(' 200 ');
});

test.each([
  ['a folded header', (token: string) => `Authorization: Bearer\r\n ${token}`],
  ['a header after a bare line feed', (token: string) => `X: y\nAuthorization: Bearer ${token}`],
  ['a space before the colon', (token: string) => `Authorization : Bearer ${token}`],
  ['a NUL in the header', (token: string) => `Authorization: Bearer \0${token}`],
])('on the wire: %s', async (_, authorization) => {
  const callsBefore = service.databaseCalls.length;
  expect(await statusOnTheWire(authorization)).toContain(' 400 ');
  expect(service.databaseCalls.length).toBe(callsBefore);
});

test('a valid token is still accepted afterwards', async () => {
  expect((await service.getConfig()).status).toBe(200);
});

/* A pool has two issuers, each with its own key set. */
const otherIssuerOf = (pool: string) =>
  issuerOf(pool).replace('//cognito-idp', '//issuer-cognito-idp');

describe.each([
  ['the first issuer', issuerOf],
  ['the second issuer', otherIssuerOf],
])('a forged token of %s, on a cold function', (_, forgedIssuer) => {
  const forged = async (issuer: Issuer) => ({
    Authorization: `Bearer ${await signIdToken(
      { ...issuer, signingKey: otherKey },
      { claims: { iss: forgedIssuer(issuer.userPoolId) } },
    )}`,
  });

  test.each([
    ['the first issuer', issuerOf],
    ['the second issuer', otherIssuerOf],
  ])('does not lock out users with tokens of %s', async (__, validIssuer) => {
    for (const [name, operation] of [
      ['GetConfig', service.getConfig],
      ['ApplyPromoCode', service.applyPromoCode],
    ] as const) {
      await service.kill(name);
      expect((await operation({ headers: await forged(service.issuer) })).status).toBe(401);
      const token = { claims: { iss: validIssuer(service.issuer.userPoolId) } };
      expect((await operation({ token })).status).toBe(200);
    }
  });
});

test('a flood of forged tokens gets quick 503 responses while the key set cannot be reached', async () => {
  const { jwks } = service.servers;
  const [publish] = jwks.listeners('request') as RequestListener[];
  let fetches = 0;
  jwks.removeAllListeners('request').on('request', (_, response) => {
    fetches++;
    response.destroy();
  });
  await service.kill('GetConfig');
  const good = await signIdToken(service.issuer);
  const forged = await signIdToken({ ...service.issuer, signingKey: otherKey });
  const start = Date.now();
  for (let token = 0; token < 20; token++) {
    const headers = { Authorization: `Bearer ${token % 4 === 0 ? good : forged}` };
    expect((await service.getConfig({ headers })).status).toBe(503);
  }
  const seconds = Math.floor((Date.now() - start) / 1000);
  // One before the first call; then one a second, and one immediate retry of each.
  expect(fetches).toBeLessThanOrEqual(1 + 2 * (1 + seconds));

  jwks.removeAllListeners('request').on('request', publish as RequestListener);
  await vi.waitFor(async () => expect((await service.getConfig()).status).toBe(200), {
    timeout: 5000,
    interval: 100,
  });
});
