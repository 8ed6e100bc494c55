import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { type Issuer, issuerOf, type SigningKey } from './issuer.ts';

/** Differences from the default token. */
export interface TokenOptions {
  readonly user?: string;
  /** Lifetime from now. A negative number makes an expired token. */
  readonly expiresInSeconds?: number;
  /** Claims to replace; null removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
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
  const kept = Object.entries(payload).filter(([, claim]) => claim !== null);
  return signToken({ kid: issuer.signingKey.kid }, Object.fromEntries(kept), issuer.signingKey);
}

/** Signs a token, with the algorithm of Cognito unless the header says otherwise. */
export function signToken(
  header: object,
  claims: Readonly<Record<string, unknown>>,
  key: SigningKey | Uint8Array,
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(key);
}
