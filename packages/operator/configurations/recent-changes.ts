import { briefEffects, caseSwitch, configurationEffects } from 'customer-data-api/effects';
import {
  listVersions,
  readVersion,
  type StoredContent,
  type Version,
  type VersionsTable,
  writtenConfiguration,
} from 'customer-data-api/history';
import { ConfigurationConflict, NoSuchVersion, type RecentChanges } from '../errors.ts';
import { liveVersion, waitForContent } from './history.ts';
import type { ClientConfiguration } from './stored-configuration.ts';

/** Time to wait for the version of the last change, only to name it. In milliseconds. */
const WAIT_MS = 3000;
/** The number of versions whose changes are described. */
const DESCRIBED_VERSIONS = 5;

/**
 * Reads the changes of a configuration since it had the digest `base`: authors, times and effects.
 *
 * @throws ConfigurationConflict if no recorded version has this digest.
 */
export async function changesSince(
  table: VersionsTable,
  base: string,
  { clientId, content, digest }: ClientConfiguration,
): Promise<RecentChanges> {
  // An earlier version may have the same content, but is not the latest change.
  const live = await waitForContent(table, clientId, digest, WAIT_MS);
  const versions: Version[] = [];
  for await (const version of listVersions(table, clientId)) {
    if (version.digest !== base) {
      versions.push(version);
      continue;
    }
    const isRecorded = live || versions.some((change) => change.digest === digest);
    const described = await describe(table, version, versions, isRecorded ? undefined : content);
    return { base: version, versions, described };
  }
  const made = live && (await liveVersion(table, { clientId, digest }));
  throw new ConfigurationConflict(clientId, { kind: 'unknownBase', live: made });
}

/**
 * Describes each change since `base`. `versions` are the newest first; `unrecorded` is the stored
 * content if its change is not in the history yet.
 */
async function describe(
  table: VersionsTable,
  base: Version,
  versions: readonly Version[],
  unrecorded: StoredContent | undefined,
): Promise<RecentChanges['described']> {
  const steps: { version: Version | undefined; content: StoredContent | undefined }[] =
    await Promise.all(
      [...versions, base]
        .slice(0, DESCRIBED_VERSIONS + 1)
        .map(async (version) => ({ version, content: await contentOf(table, version) })),
    );
  if (unrecorded) steps.unshift({ version: undefined, content: unrecorded });
  return steps.slice(0, -1).map(({ version, content }, index) => ({
    version,
    sentences: changesBetween(steps[index + 1]?.content, content),
  }));
}

/** Describes the change between two versions; undefined if their contents are not recorded. */
export async function effectsBetween(
  table: VersionsTable,
  before: Version,
  after: Version,
): Promise<string[] | undefined> {
  return changesBetween(await contentOf(table, before), await contentOf(table, after));
}

/**
 * The changes by a version, or why they are unknown: a content that is too large is not recorded.
 */
export type VersionEffects = (
  | { readonly sentences: readonly string[] }
  | { readonly unknown: 'oldest' | 'tooLarge' | 'tooLargeBefore' }
) & {
  /** The changes by the candidate of its rollout. */
  readonly candidate?: readonly string[];
};

/** Describes what a version changed, and its candidate. Throws NoSuchVersion. */
export async function effectsOfVersion(
  table: VersionsTable,
  clientId: string,
  number: number,
): Promise<VersionEffects> {
  const version = await readVersion(table, clientId, number);
  if (!version) throw new NoSuchVersion(clientId, number);
  if (version.isTooLarge) return { unknown: 'tooLarge' };
  const { content, candidate } = version;
  const rolledOut = candidate && { candidate: effectsOf(content, candidate) };
  const before = await readVersion(table, clientId, number - 1);
  if (!before) return { unknown: 'oldest', ...rolledOut };
  if (before.isTooLarge) return { unknown: 'tooLargeBefore', ...rolledOut };
  const switched = caseSwitch(before, version).map((sentence) => `${sentence}.`);
  return { sentences: [...switched, ...effectsOf(before.content, content)], ...rolledOut };
}

/** Reads the content of a version; undefined if it is not recorded. */
async function contentOf(
  table: VersionsTable,
  { clientId, version }: Pick<Version, 'clientId' | 'version'>,
): Promise<StoredContent | undefined> {
  const { content, isTooLarge } = (await readVersion(table, clientId, version)) ?? {};
  return isTooLarge ? undefined : content;
}

function changesBetween(
  before: StoredContent | undefined,
  after: StoredContent | undefined,
): string[] | undefined {
  return before && after && effectsOf(before, after);
}

function effectsOf(before: StoredContent, after: StoredContent): string[] {
  return briefEffects(
    configurationEffects({ ...writtenConfiguration(before) }, { ...writtenConfiguration(after) }),
  );
}
