import { APP_CLIENT_ID } from './app-client-id.ts';
import { fingerprintOf } from './app-id-fingerprint.ts';

/** The access lists of a client, in a form that shows changes. */
export interface RecordedAccess {
  /** The fingerprints of the App-Ids, sorted. */
  readonly fingerprints: readonly string[];
  /** Sorted; undefined if the client accepts the tokens of all app clients. */
  readonly userPoolClientIds?: readonly string[] | undefined;
}

/** A value of which only the first digits of its digest are shown. */
const DIGEST = /^digest [0-9a-f]{8}$/;

/**
 * Returns access lists as they may be stored and shown. A value among the app clients that may be
 * an App-Id, as after an edit that confused the lists, becomes its digest.
 *
 * @param others the access lists before and after, which know more App-Ids.
 */
export function redactedAccess(
  access: RecordedAccess,
  ...others: readonly (RecordedAccess | undefined)[]
): RecordedAccess {
  const known = [access, ...others];
  const hidden = new Set([
    ...known
      .flatMap((one) => one?.fingerprints ?? [])
      .map((fingerprint) => `digest ${fingerprint}`),
    ...known.flatMap((one) => one?.userPoolClientIds ?? []).filter((id) => DIGEST.test(id)),
  ]);
  const userPoolClientIds = access.userPoolClientIds?.map((id) => {
    const digest = digestOf(id);
    return APP_CLIENT_ID.test(id) && !hidden.has(digest) ? id : digest;
  });
  return { ...access, userPoolClientIds };
}

/** Returns the identity of access lists. A value and its digest have one. */
export function accessIdentity({ fingerprints, userPoolClientIds }: RecordedAccess): string {
  return JSON.stringify([fingerprints, userPoolClientIds?.map(digestOf).toSorted()]);
}

function digestOf(id: string): string {
  return DIGEST.test(id) ? id : `digest ${fingerprintOf(id)}`;
}
