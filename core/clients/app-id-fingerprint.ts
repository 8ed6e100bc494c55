import { createHash } from 'node:crypto';

/** Hexadecimal digits of a fingerprint: enough to tell a client's App-Ids apart. */
const LENGTH = 8;

/** Names an App-Id without revealing it, by the first digits of its SHA-256 digest. */
export function fingerprintOf(appId: string): string {
  return createHash('sha256').update(appId).digest('hex').slice(0, LENGTH);
}
