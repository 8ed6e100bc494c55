import { isDeepStrictEqual } from 'node:util';
import { characters, readConfiguration } from 'customer-data-api/configuration';
import type { Version } from 'customer-data-api/history';
import { listVersions } from 'customer-data-api/history';
import { appsHaveItBy } from 'customer-data-api-deployment/outputs';
import { suggested } from 'customer-data-api-deployment/program';
import {
  earlierVersions,
  effectsOfVersion,
  expectPast,
  type ListedVersion,
  readExistingClient,
  readExistingVersion,
  readRecorded,
  servedTo,
  withNeighbours,
} from 'customer-data-api-operator';
import * as v from 'valibot';
import { type Call, clientIdOf, readQuery } from './call.ts';
import { comparisonOf } from './review.ts';

/** Lists the versions of a client, newest first. */
export async function listedVersions(call: Call) {
  const { tables } = call.env;
  const clientId = clientIdOf(call);
  const listed = await Array.fromAsync(withNeighbours(listVersions(tables, clientId)));
  if (listed.length === 0) await readExistingClient(tables, clientId);
  const earlier = earlierVersions(listed);
  const versions = listed.map((one) => ({
    ...shownListed(one),
    sameAs: earlier.get(one.version),
  }));
  const commands = {
    list: suggested('config', 'history', clientId),
    restore: suggested('config', 'rollback', `${clientId}@VERSION`, '-m', 'MESSAGE'),
    who: suggested('rollout', 'who', clientId, '--device', 'ID', '--at', 'TIME'),
  };
  return { versions, commands };
}

/** Tells what a version changed. */
export async function showVersion(call: Call) {
  const number = Number(call.req.param('version'));
  return effectsOfVersion(call.env.tables, clientIdOf(call), number);
}

const Device = v.object({
  device: v.pipe(v.string(), v.trim(), ...characters(1, 200)),
  at: v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.check((at) => !Number.isNaN(Date.parse(at)), 'must be a time'),
  ),
});

/** Computes what a device was given at a time, newest first. */
export async function servedDevice(call: Call) {
  const { tables, deployment } = call.env;
  const { device, at } = readQuery(call, Device);
  const clientId = clientIdOf(call);
  const time = new Date(at);
  expectPast(time.toISOString());
  const seconds = (appsHaveItBy(deployment.outputs, at).getTime() - time.getTime()) / 1000;
  const served = await servedTo(tables, clientId, { deviceId: device }, time, seconds);
  const command = suggested('rollout', 'who', clientId, '--device', device, '--at', at);
  const read = served.map(async ({ version, isCandidate, ...one }) => {
    const side = { isCandidate, version: shownVersion(version) };
    // The history has no fields of what is too large.
    const captions =
      one.isRefused || version.isTooLarge
        ? undefined
        : await captionsOf(call, version.version, isCandidate);
    return { ...one, ...side, captions };
  });
  return { served: await Promise.all(read), command };
}

/** The captions of the fields that apps get of a version, or of its candidate. */
async function captionsOf(call: Call, version: number, isCandidate: boolean) {
  const read = isCandidate ? readCandidate : readExistingVersion;
  const { fields } = await read(call.env.tables, clientIdOf(call), version);
  const { configuration } = readConfiguration({ fields });
  return configuration.fields.map(({ fieldName }) => fieldName);
}

/** Opens the candidate of a version as a draft of what was live beside it. */
export async function openCandidate(call: Call) {
  const number = Number(call.req.param('version'));
  const { live, candidate } = await readRecorded(call.env.tables, clientIdOf(call), number);
  const { fields, written } = candidate;
  return {
    from: { base: live.digest, fields: live.fields, language: live.written.language },
    fields,
    language: written.language,
  };
}

/** A version, or its candidate. */
const Side = v.pipe(v.string(), v.regex(/^[1-9]\d{0,9}(-candidate)?$/));
const Pair = v.object({ before: Side, after: Side });

/** Compares any two versions, or the candidates of their rollouts. */
export async function compareVersions(call: Call) {
  const { before, after } = readQuery(call, Pair);
  const clientId = clientIdOf(call);
  const sideOf = async (side: string) => {
    const number = Number.parseInt(side, 10);
    const read = side.endsWith('candidate') ? readCandidate : readExistingVersion;
    return [`${clientId}@${side}`, await read(call.env.tables, clientId, number)] as const;
  };
  const [one, other] = [await sideOf(before), await sideOf(after)];
  const rolledOut = [other[0], one[0]].find((name) => name.endsWith('-candidate'));
  const command =
    rolledOut === undefined
      ? suggested('config', 'diff', one[0], other[0])
      : suggested('rollout', 'show', rolledOut.replace(/-candidate$/, ''));
  return { ...comparisonOf(one, other), command };
}

async function readCandidate(...version: Parameters<typeof readRecorded>) {
  return (await readRecorded(...version)).candidate;
}

/** A version without what the page needs not, with what its neighbours tell. */
export function shownListed(version: ListedVersion) {
  const { state, liveFor, isStartUnknown, rolloutChange, rolloutEnd } = version;
  const shown = shownVersion(version);
  const access = accessChanges(version);
  return { ...shown, state, liveFor, isStartUnknown, rolloutChange, rolloutEnd, access };
}

/** What a version changed in who may call, in sentences. */
function accessChanges({ access, older }: ListedVersion): string[] {
  if (!older) return [];
  const { fingerprints, userPoolClientIds: appClients } = access;
  const [before, after] = [new Set(older.access.fingerprints), new Set(fingerprints)];
  const [gone, fresh] = [before.difference(after), after.difference(before)];
  const isSame = isDeepStrictEqual(appClients, older.access.userPoolClientIds);
  return [
    ...(gone.size > 0 ? [`No longer permitted: App-Id ${[...gone].join(', ')}.`] : []),
    ...(fresh.size > 0 ? [`Permitted: App-Id ${[...fresh].join(', ')}.`] : []),
    ...(isSame ? [] : [`App clients: ${appClients?.join(', ') ?? 'all are accepted'}.`]),
  ];
}

/** A version without its content and its place in the stream. */
export function shownVersion(found: Version) {
  const { clientId, version, digest, at, source, by, message, restores, findings, errors } = found;
  const { isDeleted, isTooLarge, rollout } = found;
  const optional = { by, message, restores, errors, isDeleted, isTooLarge, rollout };
  return { clientId, version, digest, at, source, findings, ...optional };
}
