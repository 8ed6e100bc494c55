import type { VersionWithContent } from '../../core/history/version.ts';
import {
  listVersions,
  readVersion,
  type VersionsTable,
} from '../../core/history/versions-table.ts';

/** The versions of a client's configuration with their contents, the oldest first. */
export async function historyOf(
  table: VersionsTable,
  clientId: string,
): Promise<VersionWithContent[]> {
  const versions: VersionWithContent[] = [];
  for await (const { version } of listVersions(table, clientId)) {
    const read = await readVersion(table, clientId, version);
    if (read) versions.unshift(read);
  }
  return versions;
}
