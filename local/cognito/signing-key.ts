import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../core/user-error.ts';
import { generateSigningKey, type SigningKey } from './issuer.ts';

const FILE = 'signing-key.json';

/**
 * Reads the key that signs local tokens from a folder. The first call creates it. Because the key is stored, tokens stay
 * valid when the server restarts.
 *
 * @throws UserError when the file is not JSON.
 */
export async function readOrCreateSigningKey(folder: string): Promise<SigningKey> {
  const stored = await readSigningKey(folder);
  if (stored) return stored;
  const key = await generateSigningKey();
  await storeSigningKey(folder, key);
  return key;
}

/** Stores the key that signs local tokens in a folder. */
export async function storeSigningKey(folder: string, key: SigningKey): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, FILE), JSON.stringify(key), { mode: 0o600 });
}

/**
 * Reads the key that signs local tokens; undefined if the folder has none.
 *
 * @throws UserError when the file is not JSON.
 */
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
