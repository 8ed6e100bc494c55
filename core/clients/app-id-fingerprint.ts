import { createHash } from 'node:crypto';

/**
 * How many hexadecimal digits of its digest name an App-Id: enough to tell the keys of a client
 * apart.
 */
const LENGTH = 8;

/** Names an App-Id without revealing it: the first digits of its SHA-256 digest. */
export function fingerprintOf(appId: string): string {
  return createHash('sha256').update(appId).digest('hex').slice(0, LENGTH);
}
