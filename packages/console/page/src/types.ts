import type { LastChange } from 'customer-data-api/clients';
import type { Finding } from 'customer-data-api/configuration';
import type { Version } from 'customer-data-api/history';
import type { ListedVersion as Listed, NamedResult } from 'customer-data-api-operator';

/* The bodies of the console's API. Times are ISO 8601 in UTC. */

/** Has the command that does the same, ready to be pasted. */
interface WithCommand {
  readonly command: string;
}

export interface Deployment {
  /** Names the deployment, for drafts. */
  readonly id: string;
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
  readonly isProduction: boolean;
  readonly isLocal: boolean;
  /** The app clients of the deployment. */
  readonly appClients: readonly string[];
  readonly author: string;
}

export interface ListedClient {
  readonly clientId: string;
  readonly appIdCount: number;
  readonly isLockedOut: boolean;
  /** By a command or by the console. */
  readonly lastChange?: LastChange;
}

/** All clients, in the order of their ids. */
export interface Clients extends WithCommand {
  readonly clients: readonly ListedClient[];
  /** The command that creates one. */
  readonly create: string;
}

/** What the list of clients lacks. */
export interface ClientFindings {
  readonly clients: readonly {
    readonly clientId: string;
    readonly fields: number;
    readonly isLockedOut: boolean;
    readonly errors: number;
    readonly warnings: number;
  }[];
}

/** The fields, as in a configuration file. After a manual edit, they can have any type. */
export interface Content {
  readonly fields?: unknown;
  /** The language of the fields' own texts. */
  readonly language?: unknown;
}

/** A configuration that is live, with the digest of its content. */
export interface Live extends Content {
  readonly base: string;
}

export interface Client extends Live {
  readonly clientId: string;
  /** Identifies what is live and rolled out. */
  readonly state: string;
  /** New fields get ids above it. */
  readonly highestId: number;
  /** The attributes that the service does not know. */
  readonly unknown: readonly string[];
  readonly isLockedOut: boolean;
  /** The live version; missing until the last change is recorded. */
  readonly live?: ListedVersion;
  /** Why this operator cannot publish, in a sentence. */
  readonly refusal?: string;
  readonly rollout?: Rollout;
  readonly damagedRollout?: DamagedRollout | undefined;
  readonly commands: Readonly<Record<'show' | 'publish' | 'texts', string>>;
}

/** A configuration that goes to a part of the devices, beside what is live. */
export interface Rollout {
  readonly id: string;
  /** The share of the devices that get the candidate. */
  readonly percent: number;
  /** Devices that get it whatever the share is. */
  readonly devices: readonly string[];
  /** The alarm that stops it. */
  readonly alarm?: string;
  /** True if what is live was changed since it started. */
  readonly isEdited: boolean;
  /** The `Config-Version` of the candidate. */
  readonly digest: string;
  readonly candidate: Content;
  /** What the candidate changes for customers, in sentences. */
  readonly changes: readonly string[];
  readonly commands: Readonly<Record<'widen' | 'stop', string>>;
}

/** A rollout that the service does not read. It can only be stopped. */
interface DamagedRollout {
  readonly id: string;
  /** The attribute, and what would be right. */
  readonly damage: string;
  readonly commands: Pick<Rollout['commands'], 'stop'>;
}

/** The responses to the groups of all rollouts of the deployment, or why they are unknown. */
export type RolloutCounts =
  | Readonly<Record<'hour' | 'day', Readonly<Record<'candidate' | 'control', number>>>>
  | { readonly unknown: string };

/** A version without its access lists and its place in the stream. */
export type ShownVersion = Omit<
  Version,
  'changeId' | 'highestId' | 'access' | 'eventId' | 'position'
>;

/** A version in the list of them, with what its neighbours tell. */
export type ListedVersion = ShownVersion &
  Omit<Listed, keyof Version | 'older'> & {
    /** The earlier version that has the same fields; only the list of all versions tells. */
    readonly sameAs?: number | undefined;
  };

/** The versions of a client, newest first. */
export interface Versions extends WithCommand {
  readonly versions: readonly ListedVersion[];
  /** The one whose restoration undoes the last change, if that was no restoration itself. */
  readonly previous?: number;
}

/** The candidate of a version as a draft. */
export type CandidateDraft = NonNullable<OpenedFile['draft']>;

/** A draft as a configuration file. */
export interface DraftFile {
  readonly text: string;
}

/** A file that was opened as a draft. */
export interface OpenedFile extends WithCommand {
  /** What is wrong with it, in lines. */
  readonly findings: readonly string[];
  /** Missing if the file is no configuration. */
  readonly draft?: Content & {
    readonly base: string;
    readonly fields: readonly unknown[];
    /** What the draft changes. */
    readonly original: readonly unknown[];
    readonly originalLanguage?: unknown;
  };
}

/** Two configurations, and what another one in place of the first means. */
export interface Comparison extends WithCommand {
  readonly before: Content;
  readonly after: Content;
  /** The effects on customers, in sentences. */
  readonly changes: readonly string[];
  /** The lines of a `diff -u` of the YAML. */
  readonly lines: readonly string[];
}

/** What an operator reads before a change. */
export interface Review extends Comparison {
  readonly hasEffect: boolean;
  /** What is wrong with the configuration after the change. */
  readonly findings: readonly Finding[];
  /** Why the change would be refused. */
  readonly refusal?: string;
  /** If there are any, the operator has to type the client's id, which is sent as `confirm`. */
  readonly harm: readonly string[];
  /** How to start a rollout of a draft: the alarms that could stop it, and the command. */
  readonly start?: WithCommand & { readonly alarms: readonly string[] };
}

/** What became of a change. */
export interface Outcome {
  /** False if this was live already. */
  readonly hasEffect: boolean;
  /** Missing if it was not recorded within 30 seconds. The change is live all the same. */
  readonly version?: ShownVersion;
  /** The time by which all apps have the change. */
  readonly liveAt?: string;
}

/** What others have published since the operator read the configuration. */
export interface Conflict {
  readonly theirs: Live;
  /** Newest first, as far as it is recorded; sentences are the effects on customers. */
  readonly since: readonly {
    readonly version?: ShownVersion;
    readonly sentences?: readonly string[];
  }[];
}

/** The body of a response to a request that failed. */
export interface FailureBody {
  readonly code: string;
  /** With the remedy. */
  readonly message: string;
  /** What became of a change. */
  readonly outcome?: 'nothing' | 'unknown' | 'published';
  readonly conflict?: Conflict;
}

/** An entry of the table; after a manual edit, attributes can be missing. */
export type PromoEvent = Partial<
  Readonly<Record<'receivedAt' | 'kind' | 'promoCode' | 'userId' | 'source', string>>
>;

/** What a search of promo codes found in what it read. */
export interface Codes extends WithCommand {
  /** The newest, at most 1,000, newest first. */
  readonly events: readonly PromoEvent[];
  readonly found: number;
  /** The number of those found, by the beginning of an hour of the operator's clock. */
  readonly hours: Readonly<Record<string, number>>;
  /** The number of entries that were read, in the order of their users. */
  readonly read: number;
  /** Where to go on, and the last user that was read; missing if everything was read. */
  readonly rest?: { readonly after: string; readonly user: string | undefined };
  /**
   * If nothing was found: how many requests of any client were refused in the last hour, by the
   * code of the response; or why that is unknown.
   */
  readonly refusals?: Readonly<Record<string, number>> | string;
  /** If there are none: codes whose user or code is only similar. */
  readonly similar: readonly PromoEvent[];
  /** If there are none: the number of the user's other codes. */
  readonly others: number;
  /** Messages of any user that are not stored yet. */
  readonly waiting: number;
  readonly deadLetters: number;
}

/** Who may call on behalf of a client. */
export interface Access extends WithCommand {
  readonly appIds: readonly {
    /** Only the response to a new App-Id has the App-Id itself. */
    readonly fingerprint: string;
    readonly label?: string | undefined;
    readonly at?: string | undefined;
    readonly by?: string | undefined;
    /** The command that revokes it. */
    readonly revoke: string;
  }[];
  /** The app clients of the deployment. */
  readonly known: readonly string[];
  /** Those whose tokens the client accepts; missing if it accepts the tokens of all. */
  readonly appClients?: readonly string[];
  readonly isLockedOut: boolean;
  /** The misspelled attributes that are removed when the app clients are set. */
  readonly misspelledAppClients: readonly string[];
  /** The App-Ids that are refused because of a typing mistake, and the attributes with them. */
  readonly refused?: { readonly what: string; readonly from: string };
  /** Why such App-Ids cannot be taken over. */
  readonly unreadable?: string;
  readonly commands: Readonly<Record<'add' | 'appClients' | 'remove' | 'takeOver', string>>;
}

/** The uses of App-Ids by fingerprint in the last 24 hours, or why they are unknown. */
export type AppIdUses =
  | { readonly uses: Readonly<Record<string, number>> }
  | { readonly unknown: string };

/** A change of who may call. */
export interface Changed {
  /** The time by which all functions know it. */
  readonly liveAt: string;
}

/** An App-Id that was just made. It is shown once. */
export interface NewAppId extends Changed {
  readonly clientId: string;
  readonly appId: string;
  readonly fingerprint: string;
}

/** What the checks of `doctor` have found. */
export interface Problems extends WithCommand {
  readonly results: readonly NamedResult[];
}
