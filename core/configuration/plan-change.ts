import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { CommandError } from '../platform/command-error.ts';
import { assignIds } from './assign-ids.ts';
import { ConfigurationConflict, conflictSince } from './conflict.ts';
import { contentDigest, type RawContent } from './content-digest.ts';
import { mergeFields } from './merge-fields.ts';
import { readConfiguration } from './read-configuration.ts';
import {
  type ConfigurationTables,
  readStored,
  type StoredConfiguration,
} from './stored-configuration.ts';
import type { ConfigVersion } from './version.ts';
import { listVersions, newestVersion, readVersion, type VersionsTable } from './versions-table.ts';
import { storedFields, writtenConfiguration } from './written-configuration.ts';

/** What an operator wants the apps of a client to get. */
export interface Draft {
  readonly clientId: string;
  /** The digest of the content that it changes. Without it, it is a draft for a client without fields. */
  readonly base?: string | undefined;
  /** A field without an id gets the next one. */
  readonly fields: readonly unknown[];
  /** Only raises that of the client. */
  readonly lastFieldId?: number | undefined;
}

/** A change of a configuration that waits for its confirmation. */
export interface PlannedChange {
  readonly before: StoredConfiguration;
  readonly after: Readonly<Record<'fields' | 'lastFieldId', AttributeValue>>;
  /** Whether it keeps what somebody else changed meanwhile, which the draft does not have. */
  readonly isMerged?: boolean;
  /** The version that it brings back. */
  readonly restores?: number;
}

/**
 * Plans to publish a draft.
 *
 * @param merges whether changes that somebody else made meanwhile are kept, if they are about other fields.
 * @throws ConfigurationConflict if the draft is based on other content, and is not to be merged or cannot be.
 */
export async function planPublication(
  tables: ConfigurationTables,
  draft: Draft,
  merges: boolean,
): Promise<PlannedChange> {
  const before = await readStored(tables, draft.clientId);
  const { content } = before;
  const newest = await newestVersion(tables, draft.clientId);
  const { fields, lastFieldId } = assignIds(
    await currentFields(tables, before, draft, merges),
    Math.max(draft.lastFieldId ?? 0, lastFieldIdOf(content)),
    newest?.highestId,
  );
  const after = {
    fields: storedFields(fields, content),
    lastFieldId: { N: String(lastFieldId) },
  };
  const isMerged = draft.base !== undefined && draft.base !== contentDigest(content);
  return { before, after, isMerged };
}

/**
 * Plans to bring back a version. The highest id that a field ever had is not lowered.
 *
 * @throws CommandError if the version does not exist or has no list of fields.
 */
export async function planRollback(
  tables: ConfigurationTables,
  clientId: string,
  restores: number,
): Promise<PlannedChange> {
  const { content } = await readExistingVersion(tables, clientId, restores);
  const before = await readStored(tables, clientId);
  const { fields } = content;
  if (!fields?.L) {
    throw new CommandError(`${clientId}@${restores} has no fields that could be brought back.`);
  }
  const lastFieldId = Math.max(lastFieldIdOf(content), lastFieldIdOf(before.content));
  return { before, after: { fields, lastFieldId: { N: String(lastFieldId) } }, restores };
}

/** @throws CommandError if the version does not exist, or has no content because that was too large. */
export async function readExistingVersion(
  table: VersionsTable,
  clientId: string,
  number: number,
): Promise<ConfigVersion> {
  const version = await readVersion(table, clientId, number);
  if (version?.isTooLarge) {
    throw new CommandError(`The content of ${clientId}@${number} was too large to be recorded.`);
  }
  if (version) return version;
  throw new CommandError(
    `There is no ${clientId}@${number}. customer-data config history ${clientId} lists the versions.`,
  );
}

/** The fields of a draft, merged with what was changed since its base. */
async function currentFields(
  table: VersionsTable,
  before: StoredConfiguration,
  { base, fields }: Draft,
  merges: boolean,
): Promise<readonly unknown[]> {
  const { clientId, content } = before;
  if (base === undefined) {
    if (!content.fields?.L?.length) return fields;
    throw new ConfigurationConflict(
      `${clientId} has fields already, and the draft has no base to tell whether it knows them. Pull the configuration, and change that.`,
    );
  }
  if (base === contentDigest(content)) return fields;
  const conflict = await conflictSince(table, base, before);
  if (!merges) throw conflict;
  const { changes } = conflict;
  const original = await findVersion(table, clientId, base);
  if (!original) {
    throw new ConfigurationConflict(
      `The content that the draft is based on is no version of ${clientId}, so nothing can be merged. Pull the configuration again.`,
      changes,
    );
  }
  const { fields: merged, conflicts } = mergeFields(
    listOf(original.content),
    fields,
    listOf(content),
  );
  if (merged) return merged;
  throw new ConfigurationConflict(
    `${conflict.message}\nIt cannot be merged: both sides changed ${conflicts.join(', ')}.`,
    changes,
  );
}

async function findVersion(table: VersionsTable, clientId: string, digest: string) {
  for await (const version of listVersions(table, clientId)) {
    if (version.digest === digest && !version.isDeleted && !version.isTooLarge) {
      return readVersion(table, clientId, version.version);
    }
  }
  return undefined;
}

function listOf(content: RawContent): readonly unknown[] {
  const { fields } = writtenConfiguration(content);
  return Array.isArray(fields) ? fields : [];
}

/** The `lastFieldId` that apps get. */
function lastFieldIdOf(content: RawContent): number {
  return readConfiguration({ ...writtenConfiguration(content) }).configuration.lastFieldId;
}
