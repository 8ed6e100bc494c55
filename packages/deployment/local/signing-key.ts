import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../program/user-error.ts';
import { generateSigningKey, type SigningKey } from './issuer.ts';

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

/** Reads the signing key; undefined if there is none. Throws UserError if the file is not JSON. */
export async function readSigningKey(folder: string): Promise<SigningKey | undefined> {
  const file = join(folder, FILE);
  const content = await readFile(file, 'utf8').catch(() => undefined);
  if (!content) return undefined;
  try {
    return JSON.parse(content);
  } catch {
    throw new UserError(`${file} does not contain a key. Delete it to get a new one.`);
  }
}
