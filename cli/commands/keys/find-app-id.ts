import { createHash } from 'node:crypto';
import { fingerprintOf } from '../../../core/clients/app-id-fingerprint.ts';
import { UserError } from '../../../core/user-error.ts';

/** Fewer digits could name a key by accident. */
const DIGEST = /^[0-9a-f]{8,64}$/;

/**
 * Finds a key of a client: an App-Id, or the first digits of its digest.
 *
 * @throws UserError if it names none of the keys, or several. The message has no App-Id.
 */
export function findAppId(appIds: readonly string[], text: string, clientId: string): string {
  if (appIds.includes(text)) return text;
  const found = DIGEST.test(text)
    ? appIds.filter((appId) => createHash('sha256').update(appId).digest('hex').startsWith(text))
    : [];
  const [appId, another] = found;
  if (appId !== undefined && another === undefined) return appId;
  const keys = appIds.length === 0 ? 'no keys' : `only ${listed(appIds, 'the')}`;
  throw new UserError(
    another === undefined
      ? `Client ${clientId} has no such App-Id; it has ${keys}.`
      : `Several App-Ids of client ${clientId} begin with ${text}. Add more digits.`,
    'noSuchKey',
  );
}

/**
 * Names keys at the start of a sentence, or after another `article`: `The keys 0a1b2c3d, 4e5f6071`.
 */
export function listed(appIds: readonly string[], article = 'The'): string {
  const digests = appIds.map(fingerprintOf).toSorted();
  return `${article} ${digests.length === 1 ? 'key' : 'keys'} ${digests.join(', ')}`;
}
