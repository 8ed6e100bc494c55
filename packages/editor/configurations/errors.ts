import type { Rollout } from 'customer-data-api/configuration';
import type { Effect } from 'customer-data-api/effects';
import type { Version } from 'customer-data-api/history';
import { ClientError, OperatorError } from '../clients/errors.ts';
import type { UndoObstacle } from '../words.ts';
import type { Ambiguity, MergeConflict } from './merge-fields.ts';

/** The client has no version with this number. */
export class NoSuchVersion extends ClientError {
  readonly code = 'noSuchVersion';
  readonly version: number;

  constructor(clientId: string, version: number) {
    super(clientId);
    this.version = version;
  }
}

/** No version of the client has a digest that begins so. */
export class NoSuchDigest extends ClientError {
  readonly code = 'noSuchVersion';
  readonly start: string;

  constructor(clientId: string, start: string) {
    super(clientId);
    this.start = start;
  }
}

/** The version has no list of fields, or its content was too large to be recorded. */
export class VersionWithoutFields extends ClientError {
  readonly code = 'versionWithoutFields';
  readonly version: number;
  readonly isTooLarge: boolean;

  constructor(clientId: string, version: number, isTooLarge: boolean) {
    super(clientId);
    this.version = version;
    this.isTooLarge = isTooLarge;
  }
}

/** The version cannot be undone without those after it. */
export class NotUndoable extends ClientError {
  readonly code = 'notUndoable';
  readonly version: number;
  readonly obstacle: UndoObstacle;

  constructor(clientId: string, version: number, obstacle: UndoObstacle) {
    super(clientId);
    this.version = version;
    this.obstacle = obstacle;
  }
}

/** An id that a new field cannot have. */
export interface UsedId {
  readonly id: string;
  /** The caption of the new field. */
  readonly fieldName: string;
  /** `used`: another field has or had it. `tooHigh`: it would use up the ids below it. */
  readonly reason: 'used' | 'tooHigh';
  /** The newest version with that field, and its caption; undefined if none is kept. */
  readonly had?: { readonly version: number; readonly fieldName: string };
}

/** New fields have ids that were given before, or that no client needs. */
export class UsedIds extends ClientError {
  readonly code = 'usedIds';
  readonly ids: readonly UsedId[];
  /** The highest id of the client, now or in its history. */
  readonly highestId: number;

  constructor(clientId: string, ids: readonly UsedId[], highestId: number) {
    super(clientId);
    this.ids = ids;
    this.highestId = highestId;
  }
}

/** Fields that are to be merged have no ids of their own. */
export class AmbiguousFields extends ClientError {
  readonly code = 'invalidConfiguration';
  readonly ambiguity: Ambiguity;

  constructor(clientId: string, ambiguity: Ambiguity) {
    super(clientId);
    this.ambiguity = ambiguity;
  }
}

/** The last change is not in the history yet, so that ids in it are unknown. */
export class HistoryBehind extends ClientError {
  readonly code = 'historyBehind';
}

/** A rollout of the client runs, which the change does not end. */
export class RolloutRunning extends ClientError {
  readonly code = 'rolloutRunning';
  readonly percent: number;

  constructor(clientId: string, { percent }: Pick<Rollout, 'percent'>) {
    super(clientId);
    this.percent = percent;
  }
}

/** The client has a rollout that the service does not read. */
export class DamagedRollout extends ClientError {
  readonly code = 'damagedRollout';
  /** The attribute, and what would be right. */
  readonly damage: string;

  constructor(clientId: string, damage: string) {
    super(clientId);
    this.damage = damage;
  }
}

/** No rollout of the client runs, or not the same one any more. */
export class NoRollout extends ClientError {
  readonly code = 'noRollout';
}

/** The reason for which a review refuses a change: an effect, or how large or wrong it is. */
export type Refusal =
  | { readonly code: 'moreErrors' | 'inputsExchanged'; readonly effect: Effect }
  /** `tooLarge` is the message of the finding. */
  | { readonly code: 'moreErrors'; readonly tooLarge: string; readonly isBesideRollout: boolean }
  | { readonly code: 'moreErrors'; readonly errorsInDraft: number };

/** The review of a change refuses it. */
export class RefusedChange extends ClientError {
  readonly code: Refusal['code'];
  readonly refusal: Refusal;

  constructor(clientId: string, refusal: Refusal) {
    super(clientId);
    this.code = refusal.code;
    this.refusal = refusal;
  }
}

/** DynamoDB cannot store a value, such as infinity, or a string with half of a character. */
export class UnstorableValue extends OperatorError {
  readonly code = 'unstorableValue';
  readonly value: unknown;
  /** The reason, as the AWS SDK words it; undefined for a string. */
  readonly reason: string | undefined;

  constructor(value: unknown, reason?: string) {
    super();
    this.value = value;
    this.reason = reason;
  }
}

/** The changes made since the base of a draft. */
export interface RecentChanges {
  /** The version that the draft is based on. */
  readonly base: Version;
  /** The versions after it, newest first. Empty if none is recorded yet. */
  readonly versions: readonly Version[];
  /** The newest changes with their effects. Empty if the content is the same again. */
  readonly described: readonly {
    /** Undefined until the change is in the history. */
    readonly version: Version | undefined;
    /** Undefined if its content was too large to be recorded. */
    readonly effects: readonly Effect[] | undefined;
  }[];
}

/** The reason why a draft cannot be published. */
export type ConflictReason =
  /** The draft has no base, but the client has fields. */
  | { readonly kind: 'noBase' }
  /** A file names another client than the one it is opened for. */
  | { readonly kind: 'otherClient'; readonly named: unknown }
  /** The base is not a recorded version. `live` is the live version, if known. */
  | { readonly kind: 'unknownBase'; readonly live: Version | undefined }
  /** `merge` tells if a merge would succeed, and if it would leave anything to publish. */
  | {
      readonly kind: 'changed';
      readonly since: RecentChanges;
      readonly merge?: 'possible' | 'needless';
    }
  /** The draft is an earlier version since its base. `live` is the live version, if known. */
  | {
      readonly kind: 'wasLive';
      readonly version: Version;
      readonly live: Version | undefined;
      readonly isRolledOut: boolean;
    }
  /** A merge needs the content of the base, which was not recorded. */
  | { readonly kind: 'baseNotRecorded'; readonly since: RecentChanges }
  /** A merge is impossible: both sides changed the same attributes of these fields. */
  | {
      readonly kind: 'sameFields';
      readonly since: RecentChanges;
      /** Those that are not decided. */
      readonly conflicts: readonly MergeConflict[];
    }
  /** A version cannot be undone alone: later ones changed the same, or decisions are `unknown`. */
  | {
      readonly kind: 'changedLater';
      readonly undoes: number;
      readonly conflicts: readonly MergeConflict[];
      readonly unknown: readonly string[];
    }
  /** Decisions were given for conflicts that there are not. */
  | {
      readonly kind: 'noConflict';
      readonly unknown: readonly string[];
      readonly conflicts: readonly MergeConflict[];
    };

/** The configuration has changed since the draft or the plan was made. Nothing was written. */
export class ConfigurationConflict extends ClientError {
  readonly code = 'configurationConflict';
  readonly reason: ConflictReason;
  /** True if what conflicts is the candidate of a rollout. */
  isOfCandidate?: true;

  constructor(clientId: string, reason: ConflictReason) {
    super(clientId);
    this.reason = reason;
  }
}
