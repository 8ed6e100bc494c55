import { readExistingClient } from '../../admin/clients/configs-table.ts';
import type { Version, Versions } from '../../console/src/types.ts';
import type { VersionSummary } from '../../core/history/version.ts';
import { listVersions } from '../../core/history/versions-table.ts';
import { suggested } from '../suggestion.ts';
import { type Call, clientIdOf } from './call.ts';

/** Lists the versions of a client, newest first. */
export async function listedVersions(call: Call): Promise<Response> {
  const { configs, tables } = call.env;
  const clientId = clientIdOf(call);
  const versions: Version[] = [];
  for await (const version of listVersions(tables, clientId)) versions.push(shownVersion(version));
  if (versions.length === 0) await readExistingClient(configs, clientId);
  const command = suggested('config', 'history', clientId);
  return Response.json({ versions, command } satisfies Versions);
}

/** A version without its content and its place in the stream. */
export function shownVersion(found: VersionSummary): Version {
  const { clientId, version, digest, at, source, by, message, restores, problems } = found;
  const { isDeleted, isTooLarge } = found;
  const optional = { by, message, restores, isDeleted, isTooLarge };
  return { clientId, version, digest, at, source, problems, ...optional };
}
