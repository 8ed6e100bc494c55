import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { assignIds } from '../../core/configuration/assign-ids.ts';
import { readConfiguration } from '../../core/configuration/read-configuration.ts';
import { contentDigest, type RawContent } from '../../core/history/content-digest.ts';
import type { ConfigVersion, VersionSummary } from '../../core/history/version.ts';
import {
  newestVersion,
  readVersion,
  type VersionsTable,
} from '../../core/history/versions-table.ts';
import {
  ConfigurationConflict,
  NoSuchVersion,
  RemovedClient,
  VersionWithoutFields,
} from '../errors.ts';
import { isEqual } from './is-equal.ts';
import { mergeFields } from './merge-fields.ts';
import { changesSince } from './recent-changes.ts';
import {
  type ConfigurationTables,
  findStored,
  readStored,
  type StoredConfiguration,
} from './stored-configuration.ts';
import { storedFields, writtenConfiguration } from './written-configuration.ts';

/** A configuration that an operator wants to publish. */
export interface Draft {
  readonly clientId: string;
  /** The digest of the content that the draft changes; undefined for a client without fields. */
  readonly base?: string | undefined;
  /** A field without an id gets the next one. */
  readonly fields: readonly unknown[];
  /** Can only raise the client's. */
  readonly lastFieldId?: number | undefined;
}

/** A change of a configuration that waits for its confirmation. */
export interface PlannedChange {
  readonly before: StoredConfiguration;
  readonly after: Readonly<Record<'fields' | 'lastFieldId', AttributeValue>>;
  /** Versions made since the draft's base, with changes that the draft lacks. */
  readonly mergedWith?: readonly VersionSummary[];
  /** The version to restore. */
  readonly restores?: number;
}

/**
 * Plans to publish a draft.
 *
 * @param merges whether to keep the changes of others since the draft's base.
 * @throws ConfigurationConflict if the base is outdated and there is no merge, or the merge fails.
 */
export async function planPublication(
  tables: ConfigurationTables,
  draft: Draft,
  merges = false,
): Promise<PlannedChange> {
  const before = await readStored(tables, draft.clientId);
  const { content } = before;
  const { fields: current, mergedWith } = await currentFields(tables, before, draft, merges);
  const newest = await newestVersion(tables, draft.clientId);
  const { fields, lastFieldId } = assignIds(
    current,
    Math.max(draft.lastFieldId ?? 0, lastFieldIdOf(content)),
    newest?.highestId,
  );
  const after = {
    fields: storedFields(fields, content),
    lastFieldId: { N: String(lastFieldId) },
  };
  return { before, after, ...(mergedWith && { mergedWith }) };
}

/**
 * Plans to restore a version. The highest id ever assigned does not decrease.
 *
 * @throws NoSuchVersion, RemovedClient or VersionWithoutFields.
 */
export async function planRollback(
  tables: ConfigurationTables,
  clientId: string,
  restores: number,
): Promise<PlannedChange> {
  const { content } = await readExistingVersion(tables, clientId, restores);
  const before = await findStored(tables, clientId);
  if (!before) throw new RemovedClient(clientId);
  const { fields } = content;
  if (!fields?.L) throw new VersionWithoutFields(clientId, restores, false);
  const lastFieldId = Math.max(lastFieldIdOf(content), lastFieldIdOf(before.content));
  const after = { fields, lastFieldId: { N: String(lastFieldId) } };
  return { before, after, restores };
}

/** @throws NoSuchVersion, or VersionWithoutFields if the content was too large to be recorded. */
export async function readExistingVersion(
  table: VersionsTable,
  clientId: string,
  number: number,
): Promise<ConfigVersion> {
  const version = await readVersion(table, clientId, number);
  if (!version) throw new NoSuchVersion(clientId, number);
  if (version.isTooLarge) throw new VersionWithoutFields(clientId, number, true);
  return version;
}

/** Returns the fields of a draft, merged with the changes since its base. */
async function currentFields(
  table: VersionsTable,
  before: StoredConfiguration,
  { base, fields }: Draft,
  merges: boolean,
): Promise<{
  readonly fields: readonly unknown[];
  readonly mergedWith?: readonly VersionSummary[];
}> {
  const { clientId, content } = before;
  if (base === undefined) {
    if (!content.fields?.L?.length) return { fields };
    throw new ConfigurationConflict(clientId, { kind: 'noBase' });
  }
  if (base === contentDigest(content)) return { fields };
  const since = await changesSince(table, base, before);
  const { version, isTooLarge } = since.base;
  const original = isTooLarge ? undefined : await readVersion(table, clientId, version);
  if (!original) throw new ConfigurationConflict(clientId, { kind: 'baseNotRecorded', since });
  const live = listOf(content);
  const { fields: merged, conflicts } = mergeFields(
    listOf(original.content),
    fields,
    live,
    // Different attributes of a field are merged. The same attribute is for a person to decide.
    () => undefined,
  );
  if (!merged) throw new ConfigurationConflict(clientId, { kind: 'sameFields', since, conflicts });
  if (merges) return { fields: merged, mergedWith: since.versions };
  const merge = isEqual(merged, live) ? 'needless' : 'possible';
  throw new ConfigurationConflict(clientId, { kind: 'changed', since, merge });
}

function listOf(content: RawContent): readonly unknown[] {
  const { fields } = writtenConfiguration(content);
  return Array.isArray(fields) ? fields : [];
}

/** Returns the `lastFieldId` that apps get. */
function lastFieldIdOf(content: RawContent): number {
  return readConfiguration({ ...writtenConfiguration(content) }).configuration.lastFieldId;
}
