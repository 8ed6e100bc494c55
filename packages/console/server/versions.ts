import type { StoredConfiguration } from 'customer-data-api/clients';
import { isEqual } from 'customer-data-api/configuration';
import { briefEffects, isOfAccess, isOfRollout } from 'customer-data-api/effects';
import {
  listVersions,
  type Version,
  writtenConfiguration,
  writtenFields,
} from 'customer-data-api/history';
import { findClient, readExistingClient } from 'customer-data-api-editor/clients';
import {
  earlierVersions,
  effectsOfVersion,
  firstWithRollout,
  type ListedVersion,
  readChange,
  readEarlierOptions,
  readExistingState,
  readFieldsOf,
  readRecorded,
  undoObstacle,
  withNeighbours,
} from 'customer-data-api-editor/configurations';
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
    ...listedVersionAnswer(one),
    sameAs: earlier.get(one.version),
  }));
  return { versions };
}

/** Tells what a version changed. */
export async function showVersion(call: Call) {
  const { tables } = call.env;
  const clientId = clientIdOf(call);
  const client = await findClient(tables, clientId);
  return effectsOfVersion(tables, clientId, Number(call.req.param('version')), client?.live);
}

/** Reads the fields with a digest that begins so, as a spreadsheet names it. */
export async function showFields(call: Call) {
  const { tables } = call.env;
  const client = await readExistingClient(tables, clientIdOf(call));
  return { fields: await readFieldsOf(tables, client, call.req.param('digest') ?? '') };
}

/** Lists the options that the inputs of a field had, the newest first. */
export async function showOptions(call: Call) {
  const ids = [call.req.param('field') ?? ''];
  const options = await readEarlierOptions(call.env.tables, clientIdOf(call), ids);
  return { options: options.map(({ id: _, ...option }) => option) };
}

/** Opens the candidate of a version as a draft of what it was made from. */
export async function openCandidate(call: Call) {
  const { tables } = call.env;
  const clientId = clientIdOf(call);
  const number = Number(call.req.param('version'));
  const { rollout: opened } = await readRecorded(tables, clientId, number);
  // What was published beside it later is no part of it, and the draft would take it back.
  const isIt = ({ version, rollout }: Version) =>
    version <= number &&
    isEqual([rollout?.id, rollout?.digest], [opened.id, opened.candidate.digest]);
  const made = (await firstWithRollout(tables, clientId, isIt))?.version ?? number;
  const { live, rollout } = await readRecorded(tables, clientId, made);
  return {
    from: { base: live.digest, ...contentIn(live) },
    ...contentIn(rollout.candidate),
  };
}

/** Opens a version as a draft of what was before it: merged into what is live, it undoes it. */
export async function openUndo(call: Call) {
  const undoes = Number(call.req.param('version'));
  const client = await readExistingClient(call.env.tables, clientIdOf(call));
  const { version, before } = await readChange(call.env.tables, client, undoes);
  return { from: { base: version.digest, ...contentIn(version) }, ...contentIn(before), undoes };
}

function contentIn({ content }: StoredConfiguration) {
  const { language } = writtenConfiguration(content);
  return { fields: writtenFields(content), language };
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
    const read = side.endsWith('candidate') ? readCandidate : readExistingState;
    return [`${clientId}@${side}`, await read(call.env.tables, clientId, number)] as const;
  };
  const [one, other] = [await sideOf(before), await sideOf(after)];
  return comparisonOf(clientId, one, other);
}

/** Returns the state of a client for devices with the candidate. */
async function readCandidate(...version: Parameters<typeof readRecorded>) {
  const { rollout, ...state } = await readRecorded(...version);
  return { ...state, live: rollout.candidate };
}

/** A version without what the page needs not, with what its neighbours tell. */
export function listedVersionAnswer(version: ListedVersion) {
  const { older, state, liveFor, isStartUnknown, effects, rolloutEnd } = version;
  const shown = versionAnswer(version);
  const access = briefEffects(effects.filter(isOfAccess));
  const rolloutEffect = effects.find(isOfRollout);
  const notUndone = undoObstacle(version, older);
  return { ...shown, state, liveFor, isStartUnknown, rolloutEffect, rolloutEnd, access, notUndone };
}

/** A version without its content and its place in the stream. */
export function versionAnswer(found: Version) {
  const { clientId, version, digest, at, source, by, message, restores, findings, errors } = found;
  const { isDeleted, isTooLarge, rollout, changeId } = found;
  const optional = { changeId, by, message, restores, errors, isDeleted, isTooLarge, rollout };
  return { clientId, version, digest, at, source, findings, ...optional };
}
