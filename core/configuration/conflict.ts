import { ConflictError } from '../platform/command-error.ts';
import { counted, printable } from '../text.ts';
import { contentDigest } from './content-digest.ts';
import type { StoredConfiguration } from './stored-configuration.ts';
import type { VersionSummary } from './version.ts';
import { listVersions, type VersionsTable } from './versions-table.ts';
import { waitForContent } from './wait-for-version.ts';

/** How long to wait for the version of somebody else's change, only to name it in the message. In milliseconds. */
const WAIT_MS = 3000;

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
    super(message);
    this.base = base;
    this.changes = changes;
    this.isMergeable = isMergeable;
  }
}

/** The error that says who changed a configuration since it had the digest `base`, and when. */
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
    const unrecorded = isRecorded ? [] : ['  a change that is not in the history yet'];
    const lines = [...unrecorded, ...linesOf(changes)];
    return new ConfigurationConflict(
      lines.length > 0
        ? `${clientId} has changed meanwhile, so nothing was published:\n${lines.join('\n')}`
        : // Only an attribute that looks misspelled, which is in no version.
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

function linesOf(changes: readonly VersionSummary[]): string[] {
  return [
    ...changes.slice(0, 5).map((version) => `  ${describeVersion(version)}`),
    ...(changes.length > 5 ? [`  and ${counted(changes.length - 5, 'earlier change')}`] : []),
  ];
}

/** A version in a line, such as `pizza@3 at 2026-11-21T23:50:00Z, published by jane: Add Funghi`. */
export function describeVersion(summary: VersionSummary): string {
  const { clientId, version, at, source, by, message } = summary;
  const how = source === 'outside' ? 'edited outside the tools' : `published by ${by}: ${message}`;
  const second = at.replace(/\.\d+/, '');
  return printable(`${clientId}@${version} at ${second}, ${how}`);
}
