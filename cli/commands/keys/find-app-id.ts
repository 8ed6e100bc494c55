import { createHash } from 'node:crypto';
import { fingerprintOf } from '../../../core/clients/app-id-fingerprint.ts';
import { UserError } from '../../../core/user-error.ts';

/** Fewer digits could name an App-Id by accident. */
const DIGEST = /^[0-9a-f]{8,64}$/;

/**
 * Finds an App-Id of a client by itself, or by the first digits of its digest.
 *
 * @throws UserError if it names none of them, or several. The message has no App-Id.
 */
export function findAppId(appIds: readonly string[], text: string, clientId: string): string {
  if (appIds.includes(text)) return text;
  const found = DIGEST.test(text)
    ? appIds.filter((appId) => createHash('sha256').update(appId).digest('hex').startsWith(text))
    : [];
  const [appId, another] = found;
  if (appId !== undefined && another === undefined) return appId;
  const others = appIds.length === 0 ? 'none' : `only ${listed(appIds)}`;
  throw new UserError(
    another === undefined
      ? `Client ${clientId} has no such App-Id; it has ${others}.`
      : `Several App-Ids of client ${clientId} begin with ${text}. Add more digits.`,
    'noSuchKey',
  );
}

/** Names App-Ids: `App-Ids 0a1b2c3d, 4e5f6071`. */
export function listed(appIds: readonly string[]): string {
  return `App-Id${appIds.length === 1 ? '' : 's'} ${appIds.map(fingerprintOf).toSorted().join(', ')}`;
}
