import { readLastFieldId } from 'customer-data-api/configuration';
import type { VersionSummary } from 'customer-data-api/history';
import { readVersion, type VersionsTable } from 'customer-data-api/history';
import {
  ConfigurationConflict,
  RemovedClient,
  RolloutRunning,
  VersionWithoutFields,
} from '../errors.ts';
import { shownDigest } from './history-entries.ts';
import { isEqual } from './is-equal.ts';
import { mergeFields, mergeLanguage } from './merge-fields.ts';
import { identify, keptLastFieldId } from './new-ids.ts';
import { changesSince } from './recent-changes.ts';
import { type NewRollout, type RunningRollout, rolloutIn, runningRollout } from './rollouts.ts';
import {
  type ConfigurationTables,
  findStored,
  type PublishedContent,
  readExistingVersion,
  readStored,
  type StoredConfiguration,
  storedConfiguration,
  withFields,
} from './stored-configuration.ts';

/** A configuration that an operator wants to publish. */
export interface Draft {
  readonly clientId: string;
  /** The digest of the content that the draft changes; undefined for a client without fields. */
  readonly base?: string | undefined;
  /** A field without an id gets the next one. */
  readonly fields: readonly unknown[];
  /** Can only raise the client's, unless that is implausible. */
  readonly lastFieldId?: number | undefined;
  /** The language of the fields' own texts; undefined for a client without one. */
  readonly language?: unknown;
  /** Whether to keep the changes of others since the base. */
  readonly merges?: boolean | undefined;
  /** The rollout to start, instead of making the draft live. */
  readonly starts?: NewRollout;
  /** Discards the candidate of the rollout that runs. */
  readonly ends?: 'stop' | undefined;
}

/** A version that an operator wants to be live again. */
export interface Restoration {
  readonly clientId: string;
  readonly restores: number;
  /** The digest of the content that the operator has seen; without it, any is replaced. */
  readonly base?: string;
  readonly ends?: 'stop' | undefined;
}

/** The candidate of the rollout that runs, which an operator wants to be live. */
export interface Finish {
  readonly clientId: string;
  readonly ends: 'finish';
  readonly merges?: boolean;
}

/** What an operator wants to publish. */
export type Publication = Draft | Restoration | Finish;

/** A change of a configuration that waits for its confirmation. */
export interface Plan {
  readonly before: StoredConfiguration;
  readonly after: StoredConfiguration<PublishedContent>;
  /** Versions made since the draft's base, with changes that the draft lacks. */
  readonly mergedWith?: readonly VersionSummary[];
  /** The version to restore. */
  readonly restores?: number | undefined;
  readonly starts?: NewRollout | undefined;
  /** How it ends the rollout that runs: it discards the candidate, or makes it live. */
  readonly ends?: 'stop' | 'finish' | undefined;
  /** The `lastFieldId` of the draft or the version, if it is lower than the one that stays. */
  readonly lowerId?: number;
}

/**
 * Plans a change.
 *
 * @throws ConfigurationConflict if the base is outdated and there is no merge, or the merge fails;
 *   RolloutRunning, UsedIds, HistoryBehind, NoSuchClient, NoSuchVersion or VersionWithoutFields.
 */
export function planChange(tables: ConfigurationTables, change: Publication): Promise<Plan> {
  return 'restores' in change ? planRestoration(tables, change) : planDraft(tables, change);
}

async function planDraft(tables: ConfigurationTables, change: Draft | Finish): Promise<Plan> {
  const { clientId, ends, merges } = change;
  const before = await readStored(tables, clientId);
  expectNoRollout(before, ends);
  if ('starts' in change && before.rollout) throw new RolloutRunning(clientId);
  const running = 'fields' in change ? undefined : runningRollout(before);
  const draft = running ? { ...candidateDraft(running), merges } : (change as Draft);
  const { mergedWith, language, ...drafted } = await currentContent(tables, before, draft);
  const asked = draft.lastFieldId;
  const { fields, lastFieldId } = await identify(tables, before, {
    ...drafted,
    // The ids of a candidate were given when its rollout started.
    ...(ends === 'finish' && { base: [...drafted.base, ...drafted.fields] }),
    lastFieldId: asked,
  });
  return {
    before,
    starts: draft.starts,
    ends,
    after: withFields(before, fields, lastFieldId, language, running?.candidate),
    ...(mergedWith && { mergedWith }),
    ...(asked !== undefined && asked < lastFieldId && { lowerId: asked }),
  };
}

/** Returns the draft that makes a candidate live. Its base is that of the candidate. */
function candidateDraft({ rollout, live, candidate }: RunningRollout): Draft {
  const { clientId, fields, written } = candidate;
  const lastFieldId = readLastFieldId({ ...written });
  const { language } = written;
  return { clientId, base: rollout.base ?? live.digest, fields, lastFieldId, language };
}

/** Restores a version. The highest id ever assigned does not decrease, if it is plausible. */
async function planRestoration(
  tables: ConfigurationTables,
  { clientId, restores, base, ends }: Restoration,
): Promise<Plan> {
  const version = await readExistingVersion(tables, clientId, restores);
  const before = await findStored(tables, clientId);
  if (!before) throw new RemovedClient(clientId);
  expectNoRollout(before, ends);
  const { fields, language } = version.content;
  if (!fields?.L) throw new VersionWithoutFields(clientId, restores, false);
  if (base !== undefined && base !== before.digest) {
    const since = await changesSince(tables, base, before);
    throw new ConfigurationConflict(clientId, { kind: 'changed', since });
  }
  const restored = keptLastFieldId(version, version.fields);
  const lastFieldId = Math.max(restored, keptLastFieldId(before, version.fields));
  const after = storedConfiguration(clientId, {
    fields,
    lastFieldId: { N: String(lastFieldId) },
    ...(language && { language }),
  });
  return { before, after, restores, ends, ...(restored < lastFieldId && { lowerId: restored }) };
}

/** Fails if a rollout runs, whose candidate is based on what is live, unless the change ends it. */
function expectNoRollout({ clientId, rollout }: StoredConfiguration, ends?: Plan['ends']): void {
  const running = rolloutIn(rollout);
  if (running && !ends) throw new RolloutRunning(clientId, running);
}

/**
 * Returns the fields and the language of a draft, merged with the changes since its base, and the
 * fields of the base.
 */
async function currentContent(
  table: VersionsTable,
  before: StoredConfiguration,
  { base, fields, language, merges = false }: Draft,
): Promise<{
  readonly fields: readonly unknown[];
  readonly base: readonly unknown[];
  readonly language: unknown;
  readonly mergedWith?: readonly VersionSummary[];
}> {
  const { clientId, content, digest, fields: live } = before;
  if (base === undefined) {
    if (!content.fields?.L?.length) return { fields, base: live, language };
    throw new ConfigurationConflict(clientId, { kind: 'noBase' });
  }
  if (base === digest) return { fields, base: live, language };
  const since = await changesSince(table, base, before);
  const { version, isTooLarge } = since.base;
  const original = isTooLarge ? undefined : await readVersion(table, clientId, version);
  if (!original) throw new ConfigurationConflict(clientId, { kind: 'baseNotRecorded', since });
  // The start of a rollout raised lastFieldId.
  if (shownDigest(original.content) === shownDigest(content)) {
    return { fields, base: live, language };
  }
  const { fields: originalFields, written } = storedConfiguration(clientId, original.content);
  const { fields: merged, conflicts } = mergeFields(
    originalFields,
    fields,
    live,
    // Different attributes of a field are merged. The same attribute is for a person to decide.
    () => undefined,
  );
  const theirs = before.written.language;
  const languages = mergeLanguage(written.language, language, theirs);
  if (!merged || languages.conflict) {
    const all = [...(conflicts ?? []), ...(languages.conflict ? [languages.conflict] : [])];
    throw new ConfigurationConflict(clientId, { kind: 'sameFields', since, conflicts: all });
  }
  const result = { fields: merged, base: originalFields, language: languages.language };
  if (merges) return { ...result, mergedWith: since.versions };
  const isLive = isEqual(merged, live) && isEqual(languages.language, theirs);
  const merge = isLive ? 'needless' : 'possible';
  throw new ConfigurationConflict(clientId, { kind: 'changed', since, merge });
}
