import type { VersionSummary } from 'customer-data-api/history';
import { listVersions } from 'customer-data-api/history';
import { suggested } from 'customer-data-api-deployment/program';
import {
  effectsOfVersion,
  entriesOf,
  type HistoryEntry,
  previousVersion,
  readExistingClient,
  readExistingVersion,
} from 'customer-data-api-operator';
import * as v from 'valibot';
import type {
  Comparison,
  ListedVersion,
  Version,
  VersionChanges,
  Versions,
} from '../page/src/types.ts';
import { type Call, clientIdOf, readQuery } from './call.ts';
import { comparisonOf } from './review.ts';

/** Lists the versions of a client, newest first. */
export async function listedVersions(call: Call): Promise<Response> {
  const { tables } = call.env;
  const clientId = clientIdOf(call);
  const entries = await Array.fromAsync(entriesOf(listVersions(tables, clientId)));
  if (entries.length === 0) await readExistingClient(tables, clientId);
  const versions = entries.map(shownEntry);
  const previous = (await previousVersion(tables, entries))?.version;
  const command = suggested('config', 'history', clientId);
  return Response.json({
    versions,
    command,
    ...(previous !== undefined && { previous }),
  } satisfies Versions);
}

/** Tells what a version changed. */
export async function showVersion(call: Call): Promise<Response> {
  const number = Number(call.req.param('version'));
  const effects = await effectsOfVersion(call.env.tables, clientIdOf(call), number);
  return Response.json(effects satisfies VersionChanges);
}

const VersionNumber = v.pipe(v.string(), v.regex(/^[1-9]\d{0,9}$/), v.transform(Number));
const Pair = v.object({ before: VersionNumber, after: VersionNumber });

/** Compares any two versions. */
export async function compareVersions(call: Call): Promise<Response> {
  const { before, after } = readQuery(call, Pair);
  const clientId = clientIdOf(call);
  const sideOf = async (number: number) =>
    [
      `${clientId}@${number}`,
      await readExistingVersion(call.env.tables, clientId, number),
    ] as const;
  const [one, other] = [await sideOf(before), await sideOf(after)];
  const command = suggested('config', 'diff', one[0], other[0]);
  return Response.json({ ...comparisonOf(one, other), command } satisfies Comparison);
}

/** A version with what its neighbours tell. */
export function shownEntry({ version, older: _, ...entry }: HistoryEntry): ListedVersion {
  return { ...shownVersion(version), ...entry };
}

/** A version without its content and its place in the stream. */
export function shownVersion(found: VersionSummary): Version {
  const { clientId, version, digest, at, source, by, message, restores, problems, errors } = found;
  const { isDeleted, isTooLarge } = found;
  const optional = { by, message, restores, errors, isDeleted, isTooLarge };
  return { clientId, version, digest, at, source, problems, ...optional };
}
