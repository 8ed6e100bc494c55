import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { readTextFileIfAny } from '../program/file-error.ts';
import { UserError } from '../program/user-error.ts';
import { type LocalOutputs, runningOutputs } from './outputs-file.ts';

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

/** Reads the running server's issuer. Throws UserError if no server runs or its key is gone. */
export async function runningIssuer(folder: string): Promise<Issuer> {
  const outputs = await runningOutputs(folder);
  const signingKey = await readSigningKey(folder);
  if (!signingKey) throw new UserError(`${folder} has no key. Restart the local server.`);
  return issuerFrom(outputs, signingKey);
}

/** The issuer of a server with these outputs, which signs with a key. */
export function issuerFrom(
  { UserPoolId, UserPoolClientId }: Pick<LocalOutputs, 'UserPoolId' | 'UserPoolClientId'>,
  signingKey: SigningKey,
): Issuer {
  return {
    userPoolId: UserPoolId,
    userPoolClientId: UserPoolClientId.split(',')[0] ?? '',
    signingKey,
  };
}

const FILE = 'signing-key.json';

/**
 * Reads the key that signs local tokens, or creates it. Stored, it keeps tokens valid across
 * restarts. Throws UserError if the file is not JSON.
 */
export async function readOrCreateSigningKey(folder: string): Promise<SigningKey> {
  return (
    (await readSigningKey(folder)) ?? (await storeSigningKey(folder, await generateSigningKey()))
  );
}

/**
 * Stores the key that signs local tokens, unless there is one: of two servers that start at once,
 * both use the key stored first. Returns the stored key.
 */
export async function storeSigningKey(folder: string, key: SigningKey): Promise<SigningKey> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, FILE);
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, JSON.stringify(key), { mode: 0o600 });
  try {
    // Fails if the file exists. No one ever reads an incomplete file.
    await link(temporary, file);
    return key;
  } catch {
    const stored = await readSigningKey(folder);
    // A killed server may have left an empty file.
    if (!stored) await copyFile(temporary, file);
    return stored ?? key;
  } finally {
    await rm(temporary);
  }
}

/** Reads the signing key; undefined if there is none. Throws UserError if it is unreadable. */
export async function readSigningKey(folder: string): Promise<SigningKey | undefined> {
  const file = join(folder, FILE);
  const content = await readTextFileIfAny('The signing key', file);
  if (!content) return undefined;
  try {
    return JSON.parse(content);
  } catch {
    throw new UserError(`${file} does not contain a key. Delete it to get a new one.`);
  }
}
