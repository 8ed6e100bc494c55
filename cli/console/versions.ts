import { readExistingClient } from '../../admin/clients/configs-table.ts';
import { readExistingVersion } from '../../admin/configuration/plan-change.ts';
import { fileOf } from '../../admin/configuration/stored-configuration.ts';
import type { VersionSummary } from '../../core/history/version.ts';
import { listVersions } from '../../core/history/versions-table.ts';
import { suggested } from '../suggestion.ts';
import type { Call } from './call.ts';
import { json } from './responses.ts';

/** Lists the versions of a client, newest first. */
export async function listedVersions({ caller, clientId }: Call): Promise<Response> {
  const versions: object[] = [];
  for await (const version of listVersions(caller.tables, clientId)) {
    versions.push(shownVersion(version));
  }
  if (versions.length === 0) await readExistingClient(caller.configs, clientId);
  return json({ versions, command: suggested('config', 'history', clientId) });
}

/** Shows a version with its configuration. */
export async function showVersion({ caller, clientId, version }: Call): Promise<Response> {
  const found = await readExistingVersion(caller.tables, clientId, version);
  const { clientId: _, ...file } = fileOf(found);
  const command = suggested('config', 'show', `${clientId}@${version}`);
  return json({ version: shownVersion(found), ...file, command });
}

/** A version without its content and its place in the stream. */
export function shownVersion(found: VersionSummary): object {
  const { clientId, version, digest, at, source, by, message, restores, problems, keys } = found;
  const { isDeleted, isTooLarge } = found;
  return {
    ...{ clientId, version, digest, at, source, by, message, restores, problems, keys },
    ...{ isDeleted, isTooLarge },
  };
}
