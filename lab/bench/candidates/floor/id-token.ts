import { createPublicKey, verify } from 'node:crypto';

const key = createPublicKey({ key: JSON.parse(process.env.BENCH_JWK ?? ''), format: 'jwk' });

/**
 * Verifies the signature and the expiry of the token in an `Authorization` header, with the one
 * known key.
 *
 * @returns the claims of the token.
 */
export function verifyIdToken(authorization = ''): Record<string, unknown> {
  const [header, payload, signature = ''] = authorization.replace('Bearer ', '').split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))) {
    throw new Error('The signature of the token is wrong.');
  }
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
  if (claims.exp < Date.now() / 1000) throw new Error('The token has expired.');
  return claims;
}
