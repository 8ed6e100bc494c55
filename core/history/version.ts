import type { ChangeSource } from '../clients/last-change.ts';
import type { PromoCodeCase } from '../clients/promo-code-case.ts';
import { accessIdentity, type RecordedAccess } from '../clients/recorded-access.ts';
import type { RecordedRollout } from '../configuration/rollout.ts';
import type { StoredContent } from '../configuration/stored-content.ts';

/**
 * A version of a client's configuration: the content of its item after a change. Written by the
 * function `record-configuration-versions` and never changed afterwards.
 */
export interface VersionWithContent extends Version {
  /** The attributes in DynamoDB's JSON: numbers keep all their digits. */
  readonly content: StoredContent;
  /** The content of the rollout's candidate. */
  readonly candidate?: StoredContent | undefined;
}

/** A version without its content. */
export interface Version extends PromoCodeCase {
  readonly clientId: string;
  /** 1, 2, 3 and so on. */
  readonly version: number;
  /** `contentDigest` of the content. */
  readonly digest: string;
  /** Time when DynamoDB accepted the change: ISO 8601, UTC, to the second. */
  readonly at: string;
  readonly source: ChangeSource;
  /** The author, if published. */
  readonly by?: string | undefined;
  readonly message?: string | undefined;
  /** The version that it restores. */
  readonly restores?: number | undefined;
  /** The id in the item's `lastChange`. A manual edit leaves that of the last publication. */
  readonly changeId?: string | undefined;
  /**
   * The highest id that a field or a plausible `lastFieldId` ever had. Each version inherits it, so
   * it survives a manual edit that lowers `lastFieldId`, and the deletion of old versions.
   */
  readonly highestId: number;
  /** The number of findings in the item, errors and warnings. */
  readonly findings: number;
  /** The number of errors among them. */
  readonly errors: number;
  /** True if the item was deleted; there is no content. */
  readonly isDeleted?: boolean | undefined;
  /** True if the content is not recorded, because DynamoDB refuses an item of that size. */
  readonly isTooLarge?: boolean | undefined;
  /** The rollout that ran, if there was one. */
  readonly rollout?: RecordedRollout | undefined;
  /**
   * The rules as a tool last set them, if manual edits have made others of them. Each version
   * inherits them, so that the newest one tells what a person has to decide.
   */
  readonly rulesBeforeManualEdits?: ClientRules | undefined;
  /** Shows who could call, without the App-Ids themselves. */
  readonly access: RecordedAccess;
  /** The id of the change's record, with `RECORDED_BY_NEXT` if the next change recorded it. */
  readonly eventId: string;
  readonly position: StreamPosition;
}

/** The rules of a client that a manual edit switches unseen: a person has to decide about it. */
export type ClientRules = PromoCodeCase & Pick<RecordedAccess, 'userPoolClientIds'>;

/** Returns the rules of a client as a tool last set them, or else as they were first recorded. */
export function decidedRules({
  rulesBeforeManualEdits,
  promoCodesIgnoreCase,
  access: { userPoolClientIds },
}: Pick<Version, 'rulesBeforeManualEdits' | 'promoCodesIgnoreCase' | 'access'>): ClientRules {
  return rulesBeforeManualEdits ?? { promoCodesIgnoreCase, userPoolClientIds };
}

/** Ends the `eventId` of a version whose own record never arrived. */
export const RECORDED_BY_NEXT = ' before';

/** The position of a record in a table's stream. */
export interface StreamPosition {
  /** The ARN of the stream. A restored table has another one. */
  readonly stream: string;
  /** Increases with each record of an item. */
  readonly sequenceNumber: string;
}

/** True if `one` equals `other` or comes after it. Sequence numbers exceed JavaScript's numbers. */
export function isAtOrAfter(one: StreamPosition, other: StreamPosition): boolean {
  return one.stream === other.stream && BigInt(one.sequenceNumber) >= BigInt(other.sequenceNumber);
}

/**
 * Returns the identity of the fields that a version made live; undefined for a removal. A change of
 * App-Ids leaves them as they are, and so does the start of a rollout.
 */
export function fieldsIdentity({
  digest,
  isDeleted,
}: Pick<Version, 'digest' | 'isDeleted'>): string | undefined {
  return isDeleted ? undefined : digest;
}

/** Returns the identity of a client at a version: all but findings and what a digest leaves out. */
export function versionIdentity({
  highestId,
  rollout,
  promoCodesIgnoreCase,
  access,
  ...fields
}: Pick<
  Version,
  'digest' | 'isDeleted' | 'highestId' | 'rollout' | 'promoCodesIgnoreCase' | 'access'
>): string {
  const { id, percent, devices, digest } = rollout ?? {};
  const identities = [fieldsIdentity(fields), accessIdentity(access), id, percent, devices, digest];
  return JSON.stringify([...identities, highestId, promoCodesIgnoreCase]);
}
