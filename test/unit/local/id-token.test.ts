import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { signIdToken, type TokenOptions } from '../../../local/id-token.ts';
import { generateSigningKey } from '../../../local/issuer.ts';

const ISSUER = {
  userPoolId: 'eu-west-1_Pool',
  userPoolClientId: 'app',
  signingKey: await generateSigningKey(),
};

/** The claims of a token, with its times in seconds from now. */
async function claims(options?: TokenOptions) {
  const now = Math.floor(Date.now() / 1000);
  const { exp = 0, iat = 0, auth_time, ...others } = decodeJwt(await signIdToken(ISSUER, options));
  expect(auth_time).toBe(iat);
  return { ...others, lifetime: exp - iat, expiresIn: Math.round((exp - now) / 10) * 10 };
}

test('a token has the claims of Cognito, and is valid for an hour', async () => {
  expect(await claims()).toEqual({
    sub: 'demo-user',
    'cognito:username': 'demo-user',
    aud: 'app',
    iss: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Pool',
    token_use: 'id',
    jti: expect.any(String),
    lifetime: 3600,
    expiresIn: 3600,
  });
  expect(await claims({ user: 'jane' })).toMatchObject({ sub: 'jane', 'cognito:username': 'jane' });
});

test('a token has the lifetime that was asked for; an expired one was valid for a second', async () => {
  expect(await claims({ expiresInSeconds: 60 })).toMatchObject({ lifetime: 60, expiresIn: 60 });
  expect(await claims({ expiresInSeconds: -60 })).toMatchObject({ lifetime: 1, expiresIn: -60 });
});

test('claims are replaced, and null removes one', async () => {
  const replaced = await claims({ user: 'jane', claims: { sub: 'joe', aud: null, own: [1] } });
  expect(replaced).toMatchObject({ sub: 'joe', 'cognito:username': 'jane', own: [1] });
  expect(replaced).not.toHaveProperty('aud');
});

test('a token names the key that signed it', async () => {
  const { alg, kid } = decodeProtectedHeader(await signIdToken(ISSUER));
  expect({ alg, kid }).toEqual({ alg: 'RS256', kid: ISSUER.signingKey.kid });
});
