import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** A private key, with the `kid` of its public key in the key set. */
export type SigningKey = JWK & { readonly kid: string };

/** Stands in for the Cognito user pool of the stack, and has the key that signs its tokens. */
export interface Issuer {
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly signingKey: SigningKey;
}

/** How a token differs from the default. */
export interface TokenOptions {
  readonly user?: string;
  /** Lifetime from now. A negative number makes an expired token. */
  readonly expiresInSeconds?: number;
  /** Claims to replace; null removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Generates a key that signs tokens with RS256, as Cognito does. */
export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(key) };
}

/** The `iss` of the pool's tokens. */
export function issuerOf(userPoolId: string): string {
  return `https://cognito-idp.${userPoolId.split('_')[0]}.amazonaws.com/${userPoolId}`;
}

/** The path of a pool's key set (JWKS). */
export function jwksPath(userPoolId: string): string {
  return `/${userPoolId}/.well-known/jwks.json`;
}

/** Creates a server of the issuer's key set. Other paths are 404. */
export function createJwksServer({ userPoolId, signingKey }: Issuer): Server {
  const { kty, n, e, alg, use, kid } = signingKey;
  const body = JSON.stringify({ keys: [{ kty, n, e, alg, use, kid }] });
  return createServer((request, response) => {
    const found = request.method === 'GET' && request.url === jwksPath(userPoolId);
    response
      .writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' })
      .end(found ? body : '{}');
  });
}

/**
 * Signs an ID token with the claims of Cognito's ID tokens.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
 */
export async function signIdToken(issuer: Issuer, options: TokenOptions = {}): Promise<string> {
  const { user = 'demo-user', expiresInSeconds = 3600, claims = {} } = options;
  const now = Math.floor(Date.now() / 1000);
  const expiry = now + expiresInSeconds;
  const issuedAt = Math.min(now, expiry - 1);
  const payload = {
    sub: user,
    'cognito:username': user,
    aud: issuer.userPoolClientId,
    iss: issuerOf(issuer.userPoolId),
    token_use: 'id',
    auth_time: issuedAt,
    iat: issuedAt,
    exp: expiry,
    jti: randomUUID(),
    ...claims,
  };
  return new SignJWT(
    Object.fromEntries(Object.entries(payload).filter(([, claim]) => claim !== null)),
  )
    .setProtectedHeader({ alg: 'RS256', kid: issuer.signingKey.kid })
    .sign(issuer.signingKey);
}
