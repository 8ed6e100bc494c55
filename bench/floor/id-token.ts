import { createPublicKey, verify } from 'node:crypto';

const key = createPublicKey({ key: JSON.parse(process.env.BENCH_JWK ?? ''), format: 'jwk' });

/** Verifies the token of a request against the one known key. */
export function verified(authorization = ''): Record<string, unknown> {
  const [header, payload, signature = ''] = authorization.replace('Bearer ', '').split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))) {
    throw new Error('The token is not good.');
  }
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
  if (claims.exp < Date.now() / 1000) throw new Error('The token has expired.');
  return claims;
}
