import type { VersionSummary } from '../core/history/version.ts';
import type { ErrorCode } from '../core/user-error.ts';
import type { MergeConflict } from './configuration/merge-fields.ts';

/** An error that an operator can fix. It has no message: each interface words it for its users. */
export abstract class AdminError extends Error {
  abstract readonly code: ErrorCode;
}

/** There is no client with this id. */
export class NoSuchClient extends AdminError {
  readonly code = 'noSuchClient';
  readonly clientId: string;

  constructor(clientId: string) {
    super();
    this.clientId = clientId;
  }
}

/**
 * The client of the version was removed: it has to be created before a version can be rolled back.
 */
export class RemovedClient extends NoSuchClient {}

/** There is a client with this id already. */
export class ClientExists extends AdminError {
  readonly code = 'clientExists';
  readonly clientId: string;

  constructor(clientId: string) {
    super();
    this.clientId = clientId;
  }
}

/** Somebody else changed a part of the client at the same time. Nothing was written. */
export class ClientConflict extends AdminError {
  readonly code = 'conflict';
  readonly clientId: string;
  readonly part: 'item' | 'App-Ids' | 'app clients';

  constructor(clientId: string, part: ClientConflict['part']) {
    super();
    this.clientId = clientId;
    this.part = part;
  }
}

/** The client has no version with this number. */
export class NoSuchVersion extends AdminError {
  readonly code = 'noSuchVersion';
  readonly clientId: string;
  readonly version: number;

  constructor(clientId: string, version: number) {
    super();
    this.clientId = clientId;
    this.version = version;
  }
}

/** The version has no content, because that was too large to be recorded, or no list of fields. */
export class VersionWithoutFields extends AdminError {
  readonly code = 'versionWithoutFields';
  readonly clientId: string;
  readonly version: number;
  readonly isTooLarge: boolean;

  constructor(clientId: string, version: number, isTooLarge: boolean) {
    super();
    this.clientId = clientId;
    this.version = version;
    this.isTooLarge = isTooLarge;
  }
}

/** DynamoDB cannot store a value, such as infinity. */
export class UnstorableValue extends AdminError {
  readonly code = 'unstorableValue';
  /** The reason in the words of the AWS SDK. */
  readonly reason: string;

  constructor(reason: string) {
    super();
    this.reason = reason;
  }
}

/** A change that was made since a draft was pulled. */
export interface RecentChange {
  /** Undefined for a change that is not in the history yet. */
  readonly version: VersionSummary | undefined;
  /** What it changed, in sentences; undefined if its content was too large to be recorded. */
  readonly sentences: readonly string[] | undefined;
}

/** The changes that were made since a draft was pulled. */
export interface RecentChanges {
  /** The version that the draft is based on. */
  readonly base: VersionSummary;
  /** The versions after it, the newest first. Empty if none is recorded yet. */
  readonly versions: readonly VersionSummary[];
  /** The newest of them with what they changed. Empty if the content is the same again. */
  readonly described: readonly RecentChange[];
}

/** The reason why a draft cannot be published. */
export type ConflictReason =
  /** It has no base, and the client has fields. */
  | { readonly kind: 'noBase' }
  /** Its base is no recorded version. `live` is the version that is live, if it is known. */
  | { readonly kind: 'unknownBase'; readonly live: VersionSummary | undefined }
  | { readonly kind: 'changed'; readonly since: RecentChanges }
  /** A merge was asked for, but the content of the base was not recorded. */
  | { readonly kind: 'baseNotRecorded'; readonly since: RecentChanges }
  /** A merge was asked for, but both sides changed these fields. */
  | {
      readonly kind: 'sameFields';
      readonly since: RecentChanges;
      readonly conflicts: readonly MergeConflict[];
    };

/**
 * The configuration is not what the draft or the planned change was made for. Nothing was written.
 */
export class ConfigurationConflict extends AdminError {
  readonly code = 'configurationConflict';
  readonly clientId: string;
  readonly reason: ConflictReason;

  constructor(clientId: string, reason: ConflictReason) {
    super();
    this.clientId = clientId;
    this.reason = reason;
  }
}
