import type * as access from '../../server/access.ts';
import type * as clients from '../../server/clients.ts';
import type * as codes from '../../server/codes.ts';
import type * as deployment from '../../server/deployment.ts';
import type * as drafts from '../../server/drafts.ts';
import type * as failures from '../../server/failures.ts';
import type * as files from '../../server/files.ts';
import type * as review from '../../server/review.ts';
import type * as versions from '../../server/versions.ts';

/* What the API answers: the types of its handlers. Nothing else of the server is imported. */

/** Returns a value as JSON reads it back. */
type Json<T> = unknown extends T
  ? T
  : T extends { toJSON(): infer TJson }
    ? TJson
    : T extends object
      ? { readonly [TKey in keyof T]: Json<T[TKey]> }
      : T;

/** The answer of a handler. */
type Answer<THandler extends (...call: never[]) => Promise<unknown>> = Json<
  Exclude<Awaited<ReturnType<THandler>>, Response>
>;

export type Access = Answer<typeof access.showAccess>;
export type AppIdUses = Answer<typeof access.showAppIdUses>;
/** A change of who may call. */
export type Changed = Answer<typeof access.setAccess>;
export type NewAppId = Answer<typeof access.addOneAppId>;
export type ReviewAnswer = Answer<typeof drafts.showReview>;
export type Outcome = Answer<typeof drafts.publishDraft>;
export type Client = Answer<typeof clients.showClient>;
export type ClientRollout = NonNullable<Client['rollout']>;
export type Clients = Answer<typeof clients.listedClients>;
export type ListedClient = Clients['clients'][number];
export type ClientFindings = Answer<typeof clients.listedFindings>;
export type FoundClient = ClientFindings['clients'][number];
export type Codes = Answer<typeof codes.codes>;
export type CodeRefusals = Answer<typeof codes.codeRefusals>;
export type PromoEvent = Codes['events'][number];
export type Deployment = Answer<typeof deployment.showDeployment>;
export type OnCallChecks = Answer<typeof deployment.onCallChecks>;
export type CheckResult = OnCallChecks['results'][number];
export type FailureBody = Json<failures.FailureBody>;
export type Conflict = NonNullable<FailureBody['conflict']>;
/** A configuration that is live, with the digest of its content. */
export type LiveConfiguration = Conflict['theirs'];
export type DraftFile = Answer<typeof files.writeFile>;
export type OpenedFile = Answer<typeof files.openFile>;
/** A field of a copy that has another id than in the file. */
export type ChangedId = NonNullable<OpenedFile['changedIds']>[number];
export type DraftContent = review.DraftContent;
export type Versions = Answer<typeof versions.listedVersions>;
/** A version with what its neighbours tell. Only the list of all tells which one has its fields. */
export type ListedVersion = Json<ReturnType<typeof versions.listedVersionAnswer>> &
  Partial<Pick<Versions['versions'][number], 'sameAs'>>;
export type Version = Json<ReturnType<typeof versions.versionAnswer>>;
export type VersionEffects = Answer<typeof versions.showVersion>;
export type EarlierOptions = Answer<typeof versions.showOptions>;
export type RecordedFields = Answer<typeof versions.showFields>;
export type UndoDraft = Answer<typeof versions.openUndo>;
export type CandidateDraft = Answer<typeof versions.openCandidate>;
export type Comparison = Answer<typeof versions.compareVersions>;
