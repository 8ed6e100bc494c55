import type { VersionSummary } from 'customer-data-api/history';
import { readVersion, type VersionsTable } from 'customer-data-api/history';
import { ConfigurationConflict, RemovedClient, VersionWithoutFields } from '../errors.ts';
import { isEqual } from './is-equal.ts';
import { mergeFields, mergeLanguage } from './merge-fields.ts';
import { identify, keptLastFieldId } from './new-ids.ts';
import { changesSince } from './recent-changes.ts';
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
  readonly merges?: boolean;
}

/** A version that an operator wants to be live again. */
export interface Restoration {
  readonly clientId: string;
  readonly restores: number;
  /** The digest of the content that the operator has seen; without it, any is replaced. */
  readonly base?: string;
}

/** A change of a configuration that waits for its confirmation. */
export interface Plan {
  readonly before: StoredConfiguration;
  readonly after: StoredConfiguration<PublishedContent>;
  /** Versions made since the draft's base, with changes that the draft lacks. */
  readonly mergedWith?: readonly VersionSummary[];
  /** The version to restore. */
  readonly restores?: number | undefined;
  /** The `lastFieldId` of the draft or the version, if it is lower than the one that stays. */
  readonly lowerId?: number;
}

/**
 * Plans a change.
 *
 * @throws ConfigurationConflict if the base is outdated and there is no merge, or the merge fails;
 *   UsedIds, HistoryBehind, NoSuchClient, NoSuchVersion or VersionWithoutFields.
 */
export function planChange(
  tables: ConfigurationTables,
  change: Draft | Restoration,
): Promise<Plan> {
  return 'restores' in change ? planRestoration(tables, change) : planDraft(tables, change);
}

async function planDraft(tables: ConfigurationTables, draft: Draft): Promise<Plan> {
  const before = await readStored(tables, draft.clientId);
  const { mergedWith, language, ...drafted } = await currentContent(tables, before, draft);
  const asked = draft.lastFieldId;
  const { fields, lastFieldId } = await identify(tables, before, {
    ...drafted,
    lastFieldId: asked,
  });
  return {
    before,
    after: withFields(before, fields, lastFieldId, language),
    ...(mergedWith && { mergedWith }),
    ...(asked !== undefined && asked < lastFieldId && { lowerId: asked }),
  };
}

/** Restores a version. The highest id ever assigned does not decrease, if it is plausible. */
async function planRestoration(
  tables: ConfigurationTables,
  { clientId, restores, base }: Restoration,
): Promise<Plan> {
  const version = await readExistingVersion(tables, clientId, restores);
  const before = await findStored(tables, clientId);
  if (!before) throw new RemovedClient(clientId);
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
  return { before, after, restores, ...(restored < lastFieldId && { lowerId: restored }) };
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
