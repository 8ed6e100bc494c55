import { contentDigest, type RawContent } from '../../core/history/content-digest.ts';
import type { VersionSummary } from '../../core/history/version.ts';
import {
  listVersions,
  readVersion,
  type VersionsTable,
} from '../../core/history/versions-table.ts';
import { counted, printable, shortened } from '../../core/text.ts';
import { ConflictError } from '../command-error.ts';
import { describeChanges } from './describe-changes.ts';
import type { StoredConfiguration } from './stored-configuration.ts';
import { waitForContent } from './wait-for-version.ts';
import { writtenConfiguration } from './written-configuration.ts';

/** How long to wait for the version of somebody else's change, only to name it in the message. In milliseconds. */
const WAIT_MS = 3000;
/** How many versions the message names, how many sentences say what they changed, and how long each line is. */
const NAMED_VERSIONS = 5;
const SENTENCES = 10;
const LINE_CHARACTERS = 300;

/** What is known about changes that somebody else made. */
export interface ChangesSince {
  /** The version that the draft is based on. Undefined if it is based on no recorded one. */
  readonly base?: VersionSummary | undefined;
  /** The versions after it, the newest first. Empty without a base, and if none is recorded yet. */
  readonly changes: readonly VersionSummary[];
}

/** Somebody has changed the configuration, so nothing was written. */
export class ConfigurationConflict extends ConflictError {
  readonly base: VersionSummary | undefined;
  readonly changes: readonly VersionSummary[];
  /** Whether it is worth trying to merge. */
  readonly isMergeable: boolean;

  constructor(
    message: string,
    { base, changes }: ChangesSince = { changes: [] },
    isMergeable = false,
  ) {
    super(message, 'configurationConflict');
    this.base = base;
    this.changes = changes;
    this.isMergeable = isMergeable;
  }
}

/** The error that says who changed what of a configuration since it had the digest `base`, and when. */
export async function conflictSince(
  table: VersionsTable,
  base: string,
  { clientId, content }: StoredConfiguration,
): Promise<ConfigurationConflict> {
  const digest = contentDigest(content);
  // An earlier version may have the same content, but is not the change that has just been made.
  const live = await waitForContent(table, clientId, digest, WAIT_MS);
  const changes: VersionSummary[] = [];
  for await (const version of listVersions(table, clientId)) {
    if (version.digest !== base) {
      changes.push(version);
      continue;
    }
    const isRecorded = live || changes.some((change) => change.digest === digest);
    const lines = await linesOf(table, version, changes, isRecorded ? undefined : content);
    return new ConfigurationConflict(
      lines.length > 0
        ? `${clientId} has changed meanwhile, so nothing was published:\n${lines.join('\n')}`
        : // It was changed, and changed back.
          `The item of ${clientId} has changed meanwhile, so nothing was published.`,
      { base: version, changes },
      // Its content is needed to tell which side changed what.
      !version.isTooLarge,
    );
  }
  return new ConfigurationConflict(
    [
      `The draft is based on no recorded version of ${clientId}, so nothing was published.`,
      'It was pulled from another client or deployment, or it is older than the history.',
      ...(live ? [`What apps get is ${describeVersion(live)}`] : []),
    ].join('\n'),
  );
}

/**
 * Names each change since the version `base`, and says below it what it changed.
 *
 * @param changes the newest first.
 * @param unrecorded what is stored, if a change is not in the history yet.
 */
async function linesOf(
  table: VersionsTable,
  base: VersionSummary,
  changes: readonly VersionSummary[],
  unrecorded: RawContent | undefined,
): Promise<string[]> {
  const named = [...changes, base].slice(0, NAMED_VERSIONS + 1);
  const steps = await Promise.all(
    named.map(async (version) => ({
      name: describeVersion(version),
      content: await contentOf(table, version),
    })),
  );
  if (unrecorded) {
    steps.unshift({ name: 'a change that is not in the history yet', content: unrecorded });
  }
  let left = SENTENCES;
  const lines = steps.slice(0, -1).flatMap(({ name, content }, index) => {
    const sentences = changesBetween(steps[index + 1]?.content, content);
    const shown = sentences.slice(0, left);
    left -= shown.length;
    const omitted = sentences.length - shown.length;
    return [
      `  ${name}`,
      ...shown.map((sentence) => `    ${sentence}`),
      ...(omitted > 0 ? [`    ${counted(omitted, 'more change')}`] : []),
    ];
  });
  const others = changes.length - NAMED_VERSIONS;
  return [
    ...lines.map((line) => shortened(line, LINE_CHARACTERS)),
    ...(others > 0 ? [`  and ${counted(others, 'earlier change')}`] : []),
  ];
}

/** The content of a version; undefined if it is not recorded. */
async function contentOf(
  table: VersionsTable,
  { clientId, version, isTooLarge }: VersionSummary,
): Promise<RawContent | undefined> {
  return isTooLarge ? undefined : (await readVersion(table, clientId, version))?.content;
}

function changesBetween(before: RawContent | undefined, after: RawContent | undefined): string[] {
  if (!before || !after) return ['What it changed was too large to be recorded.'];
  const [old, fresh] = [before, after].map((content) => ({ ...writtenConfiguration(content) }));
  return describeChanges(old ?? {}, fresh ?? {}).map(printable);
}

/** A version in a line, such as `pizza@3 at 2026-11-21T23:50:00Z, published by jane: Add Funghi`. */
export function describeVersion(summary: VersionSummary): string {
  const { clientId, version, at, source, by, message, isDeleted } = summary;
  const change = isDeleted ? 'removed' : 'edited';
  const how =
    source === 'outside' ? `${change} outside the tools` : `published by ${by}: ${message}`;
  const second = at.replace(/\.\d+/, '');
  return printable(`${clientId}@${version} at ${second}, ${how}`);
}
