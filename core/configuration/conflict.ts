import { ConflictError } from '../platform/command-error.ts';
import { printable } from '../text.ts';
import { contentDigest } from './content-digest.ts';
import type { StoredConfiguration } from './stored-configuration.ts';
import type { VersionSummary } from './version.ts';
import { listVersions, type VersionsTable } from './versions-table.ts';
import { waitFor } from './wait-for-version.ts';

/** How long the version of somebody else's change is waited for, which is only to be named. In milliseconds. */
const WAIT_MS = 3000;

/** Somebody has changed the configuration, so nothing was written. */
export class ConfigurationConflict extends ConflictError {
  /** What was changed meanwhile, the newest first. Empty if that is not known. */
  readonly changes: readonly VersionSummary[];

  constructor(message: string, changes: readonly VersionSummary[] = []) {
    super(message);
    this.changes = changes;
  }
}

/** The error that says who changed a configuration since it had the digest `base`, and when. */
export async function conflictSince(
  table: VersionsTable,
  base: string,
  { clientId, content }: StoredConfiguration,
): Promise<ConfigurationConflict> {
  const digest = contentDigest(content);
  await waitFor(table, clientId, (version) => version.digest === digest, WAIT_MS);
  const changes: VersionSummary[] = [];
  for await (const version of listVersions(table, clientId)) {
    if (version.digest === base) break;
    changes.push(version);
  }
  return new ConfigurationConflict(
    [
      `${clientId} has changed meanwhile, so nothing was published:`,
      ...changes.slice(0, 5).map((version) => `  ${describeVersion(version)}`),
      ...(changes.length > 5 ? [`  and ${changes.length - 5} earlier changes`] : []),
    ].join('\n'),
    changes,
  );
}

/** A version in a line, such as `pizza@3 at 2026-11-21T23:50:00Z, published by jane: Add Funghi`. */
export function describeVersion(summary: VersionSummary): string {
  const { clientId, version, at, source, by, message } = summary;
  const how = source === 'outside' ? 'edited outside the tools' : `published by ${by}: ${message}`;
  const second = at.replace(/\.\d+/, '');
  return printable(`${clientId}@${version} at ${second}, ${how}`);
}
