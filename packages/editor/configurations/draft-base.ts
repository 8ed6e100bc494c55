import { type StoredClient, StoredConfiguration } from 'customer-data-api/clients';
import { idOf, isEqual, isMap, isPreview, withoutDerived } from 'customer-data-api/configuration';
import {
  readVersion,
  type Version,
  type VersionsTable,
  writtenConfiguration,
  writtenFields,
} from 'customer-data-api/history';
import { configurationConflict, type OperatorError, type RecentChanges } from '../errors.ts';
import { liveVersion } from './history.ts';
import type { MergedContent } from './merge-fields.ts';
import { changesSince } from './recent-changes.ts';
import { withFields } from './stored-configuration.ts';

/** A draft, and the digest of the content that it changes. */
interface BasedDraft extends MergedContent {
  readonly base?: string | undefined;
}

/** The base of a draft. */
export type DraftBase =
  /**
   * The live configuration. `isSame` is true if the draft has another base, and changes nothing.
   */
  | { readonly original: StoredConfiguration; readonly isSame: boolean; readonly since?: never }
  /** An earlier configuration, with the changes since. */
  | {
      readonly original: StoredConfiguration;
      readonly isSame?: never;
      readonly since: RecentChanges;
    };

/**
 * Finds what a draft changes. A draft that is not based on what is live may have the content of a
 * version since its base. If that is live, nothing is left to publish: a pipeline runs again. An
 * earlier one is refused: a merge would take the draft for changes that are live, and keep the
 * change that somebody wants to undo.
 *
 * @throws OperatorError configurationConflict
 */
export async function findBase(
  table: VersionsTable,
  client: StoredClient,
  draft: BasedDraft,
): Promise<DraftBase> {
  const { clientId, live } = client;
  if (draft.base === live.digest) return { original: live, isSame: false };
  const lean = { ...draft, fields: draft.fields.map(withoutDerived) };
  if (hasBecome(lean, live)) return { original: live, isSame: true };
  const base = expectBase(client, draft.base);
  if (base === undefined) return { original: live, isSame: false };
  const since = await changesSince(table, base, client);
  let original: StoredConfiguration | undefined;
  const read = new Set<string>();
  for (const version of [...since.versions, since.base]) {
    const { digest, isTooLarge } = version;
    if (read.has(digest)) continue;
    read.add(digest);
    original = isTooLarge ? undefined : await baseContent(table, version);
    const isDraft = original
      ? hasBecome(lean, original)
      : withFields(live, draft.fields, 0, draft.language).digest === digest;
    if (isDraft) throw await earlierVersion(table, client, version);
  }
  if (original) return { original, since };
  throw configurationConflict(clientId, { kind: 'baseNotRecorded', since });
}

async function earlierVersion(
  table: VersionsTable,
  { clientId, live: { digest }, rollout }: StoredClient,
  version: Version,
): Promise<OperatorError> {
  const live = await liveVersion(table, { clientId, digest });
  const isRolledOut = rollout !== undefined && !isPreview(rollout);
  return configurationConflict(clientId, { kind: 'wasLive', version, live, isRolledOut });
}

/**
 * Returns the base of a draft; undefined for one without a base, of a client without fields.
 *
 * @throws OperatorError configurationConflict for one without a base, of a client with fields.
 */
export function expectBase(
  { clientId, live }: StoredClient,
  base: string | undefined,
): string | undefined {
  if (base !== undefined || writtenFields(live.content).length === 0) return base;
  throw configurationConflict(clientId, { kind: 'noBase' });
}

/** Reads the content of a version; undefined if the history has it no more, or it has no fields. */
async function baseContent(
  table: VersionsTable,
  { clientId, version }: Version,
): Promise<StoredConfiguration | undefined> {
  const { content } = (await readVersion(table, clientId, version)) ?? {};
  return content && new StoredConfiguration(content);
}

/**
 * True if a draft became a configuration when it was published: a field without an id got one.
 *
 * @param draft without what the service derives.
 */
function hasBecome({ fields, language }: MergedContent, { content }: StoredConfiguration): boolean {
  const published = writtenConfiguration(content);
  const ids = writtenFields(content).map(idOf);
  const named = fields.map((field, at) =>
    isMap(field) && field.id === undefined ? { ...field, id: ids[at] } : field,
  );
  return isEqual(named, published.fields) && isEqual(language, published.language);
}
