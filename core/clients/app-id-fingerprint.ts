import { hash } from 'node:crypto';

/** Hexadecimal digits that are shown of a fingerprint: enough to tell a client's App-Ids apart. */
const LENGTH = 8;

/** Names an App-Id without revealing it, by the first digits of its fingerprint. */
export function fingerprintOf(appId: string): string {
  return fullFingerprint(appId).toString('hex').slice(0, LENGTH);
}

/** Returns the fingerprint of an App-Id: its SHA-256 digest. */
export function fullFingerprint(appId: string): Buffer {
  return hash('sha256', appId, 'buffer');
}
