import type { Finding } from '../../core/finding.ts';

/* What the console's API answers: cli/console/README.md. */

export interface Deployment {
  /** Names the deployment, for drafts. */
  readonly id: string;
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
  readonly isProduction: boolean;
  readonly isLocal: boolean;
  readonly author: string;
  readonly command: string;
}

export interface LastChange {
  readonly at: string;
  readonly by: string;
  readonly message: string;
}

export interface ListedClient {
  readonly clientId: string;
  readonly appIdCount: number;
  readonly isLockedOut: boolean;
  readonly lastChange?: LastChange;
}

/** What of a configuration a draft can change. After a manual edit, both can have any type. */
export interface Content {
  readonly fields?: unknown;
  readonly lastFieldId?: unknown;
}

export interface Client extends Content {
  readonly clientId: string;
  readonly base: string;
  readonly highestId: number;
  readonly unknown: readonly string[];
  readonly findings: readonly Finding[];
  readonly isLockedOut: boolean;
  readonly live?: Version;
  readonly lastChange?: LastChange;
  readonly command: string;
  readonly commands: Readonly<Record<'publish' | 'history' | 'codes', string>>;
}

export interface Version {
  readonly clientId: string;
  readonly version: number;
  readonly digest: string;
  readonly at: string;
  readonly source: 'published' | 'outside';
  readonly by?: string;
  readonly message?: string;
  readonly restores?: number;
  readonly problems: number;
  readonly isDeleted?: boolean;
  readonly isTooLarge?: boolean;
}

export interface Review {
  readonly before: Content;
  readonly after: Content;
  readonly hasEffect: boolean;
  /** The effects on customers, in sentences. */
  readonly changes: readonly string[];
  readonly lines: readonly string[];
  readonly findings: readonly Finding[];
  readonly refusal?: string;
  readonly dangers: readonly string[];
  readonly command: string;
}

export interface Outcome {
  readonly hasEffect: boolean;
  readonly version?: Version;
  /** The time by which all apps have the change. */
  readonly liveAt?: string;
}

export interface AttributeConflict {
  readonly attribute: string;
  readonly mine?: unknown;
  readonly theirs?: unknown;
}

export interface FieldConflict {
  readonly key?: string;
  readonly name: string;
  readonly attributes: readonly AttributeConflict[];
}

export interface Conflict {
  readonly kind: 'changed' | 'sameFields' | 'unknownBase' | 'baseNotRecorded';
  readonly since: readonly { readonly version?: Version; readonly sentences?: readonly string[] }[];
  readonly theirs: Content & { readonly base: string };
  readonly merged?: Review;
  readonly conflicts?: readonly FieldConflict[];
}

/** The digest of the live configuration to merge with, and conflicts in which the draft wins. */
export interface Merge {
  readonly with: string;
  readonly keep: readonly string[];
}

export interface PromoEvent {
  readonly receivedAt?: string;
  readonly kind?: 'applied' | 'repeated';
  readonly promoCode?: string;
  readonly userId?: string;
  readonly source?: string;
  readonly requestDate?: string;
}

export interface Codes {
  readonly events: readonly PromoEvent[];
  readonly isComplete: boolean;
  /** Codes of the user in other spellings, if there are no events. */
  readonly similar: readonly PromoEvent[];
  /** The number of the user's other codes, if there are no events. */
  readonly others: number;
  readonly waiting: number;
  readonly deadLetters: number;
  readonly command: string;
}

export interface AppId {
  readonly key: string;
  readonly label?: string;
  readonly at?: string;
  readonly by?: string;
  /** In the last 24 hours. */
  readonly uses?: number;
}

export interface Diagnosis {
  readonly check: string;
  readonly status: 'ok' | 'note' | 'problem' | 'unchecked';
  readonly message: string;
  readonly clientId?: string;
}
