import type { VersionSummary } from '../../core/history/version.ts';
import { newestVersion, type VersionsTable } from '../../core/history/versions-table.ts';

/** Clients whose newest versions are read at the same time. */
const CONCURRENT_READS = 16;

/**
 * Finds the clients whose last change was a manual edit.
 *
 * @returns the newest version of each. The first version of a client is no edit.
 */
export async function findManualEdits(
  versions: VersionsTable,
  clientIds: readonly string[],
): Promise<VersionSummary[]> {
  const found: VersionSummary[] = [];
  for (let start = 0; start < clientIds.length; start += CONCURRENT_READS) {
    const batch = clientIds.slice(start, start + CONCURRENT_READS);
    const newest = await Promise.all(batch.map((clientId) => newestVersion(versions, clientId)));
    for (const one of newest) {
      if (one && isManualEdit(one)) found.push(one);
    }
  }
  return found;
}

/** True for a change that no command made. The first version of a client is no edit. */
export function isManualEdit({ version, source }: VersionSummary): boolean {
  return version > 1 && source === 'outside';
}
