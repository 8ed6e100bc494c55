import { readExistingClient } from '../../admin/clients/configs-table.ts';
import { readExistingVersion } from '../../admin/configuration/plan-change.ts';
import { fileOf } from '../../admin/configuration/stored-configuration.ts';
import type { Content, Version, Versions } from '../../console/src/types.ts';
import type { VersionSummary } from '../../core/history/version.ts';
import { listVersions } from '../../core/history/versions-table.ts';
import { suggested } from '../suggestion.ts';
import type { Call } from './call.ts';
import { json } from './responses.ts';

/** Lists the versions of a client, newest first. */
export async function listedVersions({ caller, clientId }: Call): Promise<Response> {
  const versions: Version[] = [];
  for await (const version of listVersions(caller.tables, clientId)) {
    versions.push(shownVersion(version));
  }
  if (versions.length === 0) await readExistingClient(caller.configs, clientId);
  return json<Versions>({ versions, command: suggested('config', 'history', clientId) });
}

/** Shows a version with its configuration. */
export async function showVersion({ caller, clientId, version }: Call): Promise<Response> {
  const found = await readExistingVersion(caller.tables, clientId, version);
  const { fields, lastFieldId } = fileOf(found);
  return json<Content>({ fields, lastFieldId });
}

/** A version without its content and its place in the stream. */
export function shownVersion(found: VersionSummary): Version {
  const { clientId, version, digest, at, source, by, message, restores, problems } = found;
  const { isDeleted, isTooLarge } = found;
  const optional = { by, message, restores, isDeleted, isTooLarge };
  return { clientId, version, digest, at, source, problems, ...optional };
}
