import type { Effect } from 'customer-data-api/effects';
import type { Version } from 'customer-data-api/history';
import type { NamedAppId, UndoObstacle } from './words.ts';

/**
 * An error that an operator can fix: a code and its facts. It has no message: each interface
 * words it for its users.
 */
export class OperatorError<TCode extends keyof ErrorFacts = keyof ErrorFacts> extends Error {
  readonly code: TCode;
  readonly facts: ErrorFacts[TCode];

  constructor(code: TCode, facts: ErrorFacts[TCode]) {
    super();
    this.code = code;
    this.facts = facts;
  }
}

/** Returns the error of a change that does not fit to what is live. */
export function configurationConflict(
  clientId: string,
  reason: ConflictReason,
): OperatorError<'configurationConflict'> {
  return new OperatorError('configurationConflict', { clientId, reason });
}

/** True for an error with a code, whose facts are known then. */
export function isError<TCode extends keyof ErrorFacts>(
  error: unknown,
  code: TCode,
): error is OperatorError<TCode> {
  return error instanceof OperatorError && error.code === code;
}

type OfClient<TFacts = unknown> = Readonly<TFacts & { clientId: string }>;

/** The facts of each error, by its code. */
export interface ErrorFacts {
  /** There is no client with this id. One that was removed must come back before its versions. */
  readonly noSuchClient: OfClient<{ wasRemoved?: true }>;
  /** A client with this id exists. */
  readonly clientExists: OfClient;
  /** Someone else changed a part of the client at the same time. Nothing was written. */
  readonly conflict: OfClient<{ part: 'item' | 'content' | 'appClients' | 'rollout' }>;
  /** A text names none of the App-Ids of the client, or several: it is no App-Id then. */
  readonly noSuchAppId: OfClient<{
    known: readonly NamedAppId[];
    ambiguous?: { readonly text: string; readonly digits: readonly string[] } | undefined;
  }>;
  /** The App-Id is the only one of its client. Without it, every request is refused. */
  readonly lastAppId: OfClient;
  /** The client has no version with this number, or none whose digest begins so. */
  readonly noSuchVersion: OfClient<{ version: number } | { start: string }>;
  /** The version has no list of fields, or its content was too large to be recorded. */
  readonly versionWithoutFields: OfClient<{ version: number; isTooLarge: boolean }>;
  /** The version cannot be undone without those after it. */
  readonly notUndoable: OfClient<{ version: number; obstacle: UndoObstacle }>;
  /**
   * New fields have ids that were given before, or that no client needs. `highestId` is the highest
   * one of the client, now or in its history.
   */
  readonly usedIds: OfClient<{ ids: readonly UsedId[]; highestId: number }>;
  /** Fields that are to be merged have no ids of their own. */
  readonly invalidConfiguration: OfClient<{ ambiguity: Ambiguity }>;
  /** The last change is not in the history yet, so that ids in it are unknown. */
  readonly historyBehind: OfClient;
  /** A rollout of the client runs, which the change does not end. */
  readonly rolloutRunning: OfClient<{ percent: number }>;
  /** The client has a rollout that the service does not read: the attribute, and what is right. */
  readonly damagedRollout: OfClient<{ damage: string }>;
  /** No rollout of the client runs, or not the same one any more. */
  readonly noRollout: OfClient;
  /** The review of a change refuses it. */
  readonly moreErrors: OfClient<{ refusal: Refusal }>;
  readonly inputsExchanged: OfClient<{ refusal: Refusal }>;
  /**
   * DynamoDB cannot store a value: a string with half of a character, or another one, such as
   * infinity, for a reason in the words of the AWS SDK.
   */
  readonly unstorableValue: Readonly<{ value: unknown; reason?: string }>;
  /** The configuration has changed since the draft or the plan was made. Nothing was written. */
  readonly configurationConflict: OfClient<{
    reason: ConflictReason;
    /** True if what conflicts is the candidate of a rollout. */
    isOfCandidate?: true;
  }>;
  readonly usage: Mistake;
}

/** A mistake in what an operator asks for. */
export type Mistake =
  /** Apps send the App-Id itself. */
  | OfClient<{ mistake: 'appIdIsFingerprint'; fingerprint: string }>
  | OfClient<{ mistake: 'labelTaken'; fingerprint: string; label: string }>
  /** Other commands, or follow-on systems, would not recognize the id as that of a client. */
  | OfClient<{ mistake: 'invalidClientId' }>
  | OfClient<{ mistake: 'smokeClientId'; prefix: string }>
  /** The client had promo codes whose case did not count. */
  | OfClient<{ mistake: 'caseIgnoredBefore' }>
  /** The deployment does not have the app clients. */
  | Readonly<{ mistake: 'unknownAppClients'; ids: readonly string[]; known: readonly string[] }>
  /** The deployment has several to choose from. */
  | Readonly<{ mistake: 'noAppClientChosen'; known: readonly string[] }>
  | Readonly<{ mistake: 'invalidDevice'; device: string; problem: string }>
  /** Nobody would get the candidate of a rollout: it names no device, or has a damage. */
  | Readonly<{ mistake: 'uselessRollout'; damage: string | undefined }>
  /** A rollout runs at the percentage, and its new share is not larger. */
  | Readonly<{ mistake: 'shareNotLarger'; percent: number }>;

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

/** The reason for which a review refuses a change: an effect, or how large or wrong it is. */
export type Refusal =
  | { readonly code: 'moreErrors' | 'inputsExchanged'; readonly effect: Effect }
  /** `tooLarge` is the message of the finding. */
  | { readonly code: 'moreErrors'; readonly tooLarge: string; readonly isBesideRollout: boolean }
  | { readonly code: 'moreErrors'; readonly errorsInDraft: number };

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
      /** The conflicts that are not decided. */
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

/** A side of a merge with fields that nothing tells apart. */
export interface Ambiguity {
  readonly side: 'base' | 'mine' | 'theirs';
  /** The id that several fields have; undefined for a field without one. */
  readonly id: string | undefined;
}

/** A field that both sides changed, or their order. */
export interface MergeConflict {
  /** Identifies the conflict, to decide it: `id 1`, `order` or `language`. */
  readonly key: string;
  /** The caption of the field, if it has one. */
  readonly fieldName?: string | undefined;
  /** The attributes that both sides changed differently. Empty if they changed others. */
  readonly attributes: readonly AttributeConflict[];
}

/** A value on both sides; undefined if the side has none. */
export interface AttributeConflict {
  /** The path in the field, such as `subFieldA.maxChars`; `''` for the whole field or the order. */
  readonly attribute: string;
  readonly mine?: unknown;
  readonly theirs?: unknown;
}
