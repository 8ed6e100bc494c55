import type { RawContent } from './content-digest.ts';

/**
 * A version of a client's configuration: what its item contained after a change. The function
 * `record-configuration-versions` writes it, and nobody changes it afterwards.
 */
export interface ConfigVersion extends VersionSummary {
  /** The attributes as they were stored, in DynamoDB's JSON: numbers keep all their digits. */
  readonly content: RawContent;
}

/** What the history says about a version, without its content. */
export interface VersionSummary {
  readonly clientId: string;
  /** 1, 2, 3 and so on. */
  readonly version: number;
  /** `contentDigest` of the content. */
  readonly digest: string;
  /** When DynamoDB accepted the change: ISO 8601, in UTC, to the second. */
  readonly at: string;
  /** `published` with a tool that wrote `lastChange`; `outside` by any other means. */
  readonly source: 'published' | 'outside';
  /** Who published it. */
  readonly by?: string | undefined;
  readonly message?: string | undefined;
  /** The version that it brings back. */
  readonly restores?: number | undefined;
  /**
   * The id of the item's `lastChange`. A version from outside has that of the last one that was
   * published.
   */
  readonly changeId?: string | undefined;
  /**
   * The highest id that a field or `lastFieldId` ever had, up to this version. Each version takes
   * it over from the one before, so it outlives a manual edit that lowers `lastFieldId`, and
   * versions that are no longer kept.
   */
  readonly highestId: number;
  /** The number of findings in the item, errors and warnings. */
  readonly problems: number;
  /** True if the item was deleted. The version then has no content. */
  readonly isDeleted?: boolean | undefined;
  /**
   * True if the content is not recorded: with it, the version would be larger than DynamoDB
   * accepts.
   */
  readonly isTooLarge?: boolean | undefined;
  /** Shows who could call, without the keys themselves. */
  readonly keys: AccessDigests;
  /** The id of the stream record. */
  readonly eventId: string;
  /** Where the record is in which stream. */
  readonly position: StreamPosition;
}

/** The keys of a client, so that a change of them can be seen. */
export interface AccessDigests {
  /** The first 8 hexadecimal digits of the SHA-256 digest of each App-Id, in order. */
  readonly appIds: readonly string[];
  /** In order; undefined if the client accepts the tokens of all app clients. */
  readonly userPoolClientIds?: readonly string[] | undefined;
}

/** The position of a record in the stream of a table. */
export interface StreamPosition {
  /** The ARN of the stream. A table that is restored has another one. */
  readonly stream: string;
  /** Grows with each record of an item. */
  readonly sequenceNumber: string;
}
