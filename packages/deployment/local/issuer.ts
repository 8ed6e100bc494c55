import { createServer, type Server } from 'node:http';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/** A private key, with the `kid` of its public key in the key set. */
export type SigningKey = JWK & { readonly kid: string };

/** Stands in for the user pool of the stack, with the key that signs its tokens. */
export interface Issuer {
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly signingKey: SigningKey;
}

/** Generates a key that signs tokens with RS256, as Cognito does. */
export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(key) };
}

/** Returns the `iss` of the pool's tokens. */
export function issuerOf(userPoolId: string): string {
  return `https://cognito-idp.${userPoolId.split('_')[0]}.amazonaws.com/${userPoolId}`;
}

/** Returns the path of a pool's key set (JWKS). */
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
