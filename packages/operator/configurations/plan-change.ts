import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { readConfiguration } from 'customer-data-api/configuration';
import type { ConfigVersion, VersionSummary } from 'customer-data-api/history';
import {
  contentDigest,
  newestVersion,
  type RawContent,
  readVersion,
  type VersionsTable,
} from 'customer-data-api/history';
import {
  ConfigurationConflict,
  HistoryBehind,
  NoSuchVersion,
  RemovedClient,
  VersionWithoutFields,
} from '../errors.ts';
import { isEqual } from './is-equal.ts';
import { mergeFields } from './merge-fields.ts';
import { identify, keptLastFieldId, type LiveConfiguration } from './new-ids.ts';
import { changesSince } from './recent-changes.ts';
import {
  type ConfigurationTables,
  findStored,
  readStored,
  type StoredConfiguration,
} from './stored-configuration.ts';
import { waitForContent } from './wait-for-version.ts';
import { storedFields, writtenConfiguration } from './written-configuration.ts';

/** A configuration that an operator wants to publish. */
export interface Draft {
  readonly clientId: string;
  /** The digest of the content that the draft changes; undefined for a client without fields. */
  readonly base?: string | undefined;
  /** A field without an id gets the next one. */
  readonly fields: readonly unknown[];
  /** Can only raise the client's, unless that is implausible. */
  readonly lastFieldId?: number | undefined;
}

/** Time to wait for the version of what is live. In milliseconds. */
const HISTORY_WAIT_MS = 10_000;

/** A change of a configuration that waits for its confirmation. */
export interface PlannedChange {
  readonly before: StoredConfiguration;
  readonly after: Readonly<Record<'fields' | 'lastFieldId', AttributeValue>>;
  /** Versions made since the draft's base, with changes that the draft lacks. */
  readonly mergedWith?: readonly VersionSummary[];
  /** The version to restore. */
  readonly restores?: number;
  /** The `lastFieldId` of the draft or the version, if it is lower than the one that stays. */
  readonly lowerId?: number;
}

/**
 * Plans to publish a draft.
 *
 * @param merges whether to keep the changes of others since the draft's base.
 * @throws ConfigurationConflict if the base is outdated and there is no merge, or the merge fails;
 *   UsedIds or HistoryBehind.
 */
export async function planPublication(
  tables: ConfigurationTables,
  draft: Draft,
  merges = false,
): Promise<PlannedChange> {
  const before = await readStored(tables, draft.clientId);
  const { clientId, content } = before;
  const { fields: drafted, base, mergedWith } = await currentFields(tables, before, draft, merges);
  const live = listOf(content);
  const isNew = (field: unknown) => !live.some((one) => Object(one).id === Object(field).id);
  if (drafted.some(isNew)) await expectHistory(tables, before);
  const { fields, lastFieldId } = await identify(
    tables,
    { clientId, ...configurationOf(content) },
    { fields: drafted, base, lastFieldId: draft.lastFieldId },
  );
  const after = {
    fields: storedFields(fields, content),
    lastFieldId: { N: String(lastFieldId) },
  };
  return {
    before,
    after,
    ...(mergedWith && { mergedWith }),
    ...keptAbove(draft.lastFieldId, lastFieldId),
  };
}

/** A `lastFieldId` that a change asks for, and that is too low to be taken. */
function keptAbove(asked: number | undefined, taken: number): Pick<PlannedChange, 'lowerId'> {
  return asked !== undefined && asked < taken ? { lowerId: asked } : {};
}

/**
 * Waits until the history has what is live: the ids of new fields are chosen by it.
 *
 * @throws HistoryBehind.
 */
async function expectHistory(
  table: VersionsTable,
  { clientId, content }: StoredConfiguration,
): Promise<void> {
  const digest = contentDigest(content);
  const newest = await newestVersion(table, clientId);
  // A client can be older than its history, which begins with its next change.
  if (!newest || newest.digest === digest) return;
  if (!(await waitForContent(table, clientId, digest, HISTORY_WAIT_MS))) {
    throw new HistoryBehind(clientId);
  }
}

/**
 * Plans to restore a version. The highest id ever assigned does not decrease, if it is plausible.
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
  const restored = keptLastFieldId(configurationOf(content), listOf(content));
  const lastFieldId = Math.max(
    restored,
    keptLastFieldId(configurationOf(before.content), listOf(content)),
  );
  const after = { fields, lastFieldId: { N: String(lastFieldId) } };
  return { before, after, restores, ...keptAbove(restored, lastFieldId) };
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

/** Returns the fields of a draft, merged with the changes since its base, and those of the base. */
async function currentFields(
  table: VersionsTable,
  before: StoredConfiguration,
  { base, fields }: Draft,
  merges: boolean,
): Promise<{
  readonly fields: readonly unknown[];
  readonly base: readonly unknown[];
  readonly mergedWith?: readonly VersionSummary[];
}> {
  const { clientId, content } = before;
  const live = listOf(content);
  if (base === undefined) {
    if (!content.fields?.L?.length) return { fields, base: live };
    throw new ConfigurationConflict(clientId, { kind: 'noBase' });
  }
  if (base === contentDigest(content)) return { fields, base: live };
  const since = await changesSince(table, base, before);
  const { version, isTooLarge } = since.base;
  const original = isTooLarge ? undefined : await readVersion(table, clientId, version);
  if (!original) throw new ConfigurationConflict(clientId, { kind: 'baseNotRecorded', since });
  const originalFields = listOf(original.content);
  const { fields: merged, conflicts } = mergeFields(
    originalFields,
    fields,
    live,
    // Different attributes of a field are merged. The same attribute is for a person to decide.
    () => undefined,
  );
  if (!merged) throw new ConfigurationConflict(clientId, { kind: 'sameFields', since, conflicts });
  if (merges) return { fields: merged, base: originalFields, mergedWith: since.versions };
  const merge = isEqual(merged, live) ? 'needless' : 'possible';
  throw new ConfigurationConflict(clientId, { kind: 'changed', since, merge });
}

function listOf(content: RawContent): readonly unknown[] {
  const { fields } = writtenConfiguration(content);
  return Array.isArray(fields) ? fields : [];
}

/** Returns the fields, and the `lastFieldId` that apps get. */
function configurationOf(content: RawContent): LiveConfiguration {
  const { configuration } = readConfiguration({ ...writtenConfiguration(content) });
  return { fields: listOf(content), lastFieldId: configuration.lastFieldId };
}
