import type { StoredClient } from 'customer-data-api/clients';
import {
  assignIds,
  highestId,
  highestIdIn,
  type Identified,
  idOf,
  isMap,
  isPreview,
  listOf,
  MOST_REMOVED_FIELDS,
  mapOf,
  plausibleLastFieldId,
  readLastFieldId,
  type StoredMap,
} from 'customer-data-api/configuration';
import {
  listVersions,
  newestVersion,
  readVersion,
  type Version,
  type VersionsTable,
  type WrittenConfiguration,
  writtenConfiguration,
  writtenFields,
} from 'customer-data-api/history';
import { OperatorError, type UsedId } from '../errors.ts';
import { waitForContent } from './history.ts';

/** Time to wait for the version of what is live. In milliseconds. */
const HISTORY_WAIT_MS = 10_000;

/**
 * The live configuration of a client. With its digest, a new field waits until the history has it.
 */
interface LiveFields {
  readonly clientId: string;
  readonly written: WrittenConfiguration;
  readonly digest?: string;
}

/** Returns the live configuration of a client. */
export function liveOf({ clientId, live }: StoredClient): LiveFields {
  return { clientId, written: writtenConfiguration(live.content), digest: live.digest };
}

/** A field of a copy that has another id in the target. */
export interface ChangedId extends Pick<UsedId, 'fieldName' | 'had'> {
  readonly from: string;
  readonly to: string;
}

/** The content that is to be published. */
interface Drafted {
  readonly fields: readonly unknown[];
  /** The fields that the draft changes. They may be live no more. */
  readonly base: readonly unknown[];
  readonly lastFieldId?: number | undefined;
  /** True if it is a copy of another deployment, whose ids may be those of other questions here. */
  readonly copies?: boolean | undefined;
  /** The fields of the preview that runs. */
  readonly previewed?: readonly unknown[];
}

/**
 * Gives each new field of a draft the next id of the client. What was given before is what is live
 * and the history have; an implausible `lastFieldId` is forgotten. In a copy, a field is also new
 * if its id was given to another question, and a new field that is live has its id there.
 *
 * @throws OperatorError usedIds if the draft has an id for a new field that was given before;
 *   historyBehind.
 */
export async function giveNewIds(
  table: VersionsTable,
  live: LiveFields,
  { fields, base, lastFieldId = 0, copies = false, previewed = [] }: Drafted,
): Promise<Identified & { readonly changedIds: readonly ChangedId[] }> {
  const { clientId, digest, written } = live;
  const own = listOf(written.fields);
  let newest = await newestVersion(table, clientId);
  // A client can be older than its history, which begins with its next change.
  if (newest && digest !== undefined && newest.digest !== digest) {
    const known = new Set(own.map(idOf));
    if (copies || fields.some((field) => idOf(field) === undefined || !known.has(idOf(field)))) {
      newest = await waitForContent(table, clientId, digest, HISTORY_WAIT_MS);
      if (!newest) throw new OperatorError('historyBehind', { clientId });
    }
  }
  const highestEver = highestIdIn({ fields: own }, newest?.highestId);
  const kept = keptLastFieldId(written, fields);
  const isFirst = own.length === 0 && (newest?.version ?? 1) === 1;
  const known = [...own, ...base];
  const knownById = Map.groupBy(known, idOf);
  const isKnown = (field: unknown) =>
    !!knownById.get(idOf(field))?.some((one) => !copies || questionOf(one) === questionOf(field));
  const highest = Math.max(highestEver, kept);
  const used = isFirst
    ? []
    : await findUsedIds(table, clientId, { fields, known, isKnown, highest, previewed });
  const refused = copies ? used.filter(({ reason }) => reason === 'tooHigh') : used;
  if (refused.length > 0) {
    throw new OperatorError('usedIds', { clientId, ids: refused, highestId: highest });
  }
  const given = copies ? withIdsOf(own, fields, used) : fields;
  const identified = assignIds(given, Math.max(lastFieldId, kept), newest?.highestId);
  const changedIds = used.map(({ id, fieldName, had }): ChangedId => {
    const at = fields.findIndex((field) => idOf(field) === id);
    const to = idOf(identified.fields[at]) ?? '';
    return { fieldName, from: id, to, ...(had && { had }) };
  });
  return { ...identified, changedIds };
}

/**
 * Takes from the fields of a copy the ids of other questions. A question without an id that the
 * target asks under an id of its own gets that: the copy can be repeated.
 */
function withIdsOf(
  live: readonly unknown[],
  fields: readonly unknown[],
  used: readonly UsedId[],
): readonly unknown[] {
  const lost = new Set(used.map(({ id }) => id));
  const isNew = (field: unknown) =>
    isMap(field) && (field.id === undefined || lost.has(idOf(field) ?? ''));
  const taken = new Set(fields.filter((field) => !isNew(field)).map(idOf));
  const asked = Map.groupBy(live, questionOf);
  return fields.map((field) => {
    if (!isMap(field) || !isNew(field)) return field;
    const { id: _, ...question } = field;
    const id = asked
      .get(questionOf(field))
      ?.map(idOf)
      .find((one) => one !== undefined && !taken.has(one));
    if (id === undefined) return question;
    taken.add(id);
    return { id, ...question };
  });
}

/**
 * Returns the `lastFieldId` that apps get, which a change must not lower; 0 if it is implausible.
 * Ids beyond it are in the history.
 *
 * @param fields the fields after the change.
 */
export function keptLastFieldId(written: WrittenConfiguration, fields: readonly unknown[]): number {
  const highest = Math.max(highestId(listOf(written.fields)), highestId(fields));
  return plausibleLastFieldId(readLastFieldId(written), highest);
}

/** The fields of a draft, and what they may have of the client. */
interface Candidates {
  readonly fields: readonly unknown[];
  readonly known: readonly unknown[];
  /** True for a field that has its id already. */
  readonly isKnown: (field: unknown) => boolean;
  /** The highest id ever. */
  readonly highest: number;
  /** The fields of the preview that runs. */
  readonly previewed: readonly unknown[];
}

/**
 * Finds new fields with the id of another one: customers' answers to the other question are stored
 * under it. A field that was removed may come back, and one that only previews had may be reworded:
 * no customer has answered it.
 */
async function findUsedIds(
  table: VersionsTable,
  clientId: string,
  { fields, known, isKnown, highest, previewed }: Candidates,
): Promise<readonly UsedId[]> {
  const ids = new Set(known.map(idOf));
  const suspects = fields.flatMap((field): Suspect[] => {
    const id = idOf(field);
    if (!isMap(field) || id === undefined || isKnown(field)) return [];
    const number = idNumber(id) ?? 0;
    const isUsed = ids.has(id) || (number > 0 && number <= highest);
    if (!isUsed && number <= highest + MOST_REMOVED_FIELDS) return [];
    return [{ id, field, reason: isUsed ? 'used' : 'tooHigh' }];
  });
  if (suspects.length === 0) return [];
  const looked = new Set(previewed.map(idOf));
  const earlier = await findFields(
    table,
    clientId,
    suspects.map(({ id }) => id),
    looked,
  );
  return suspects.flatMap(({ id, field, reason }): UsedId[] => {
    const had = earlier.get(id);
    if (had ? questionOf(had.field) === questionOf(field) : looked.has(id)) return [];
    return [{ id, reason, fieldName: captionOf(field), ...(had && hadBy(had)) }];
  });
}

interface Suspect {
  readonly id: string;
  readonly field: StoredMap;
  readonly reason: UsedId['reason'];
}

/** A field with the version that has it. */
interface Found {
  readonly field: StoredMap;
  readonly version: Version;
}

/**
 * Finds the newest recorded fields with some ids, but for those of previews. It reads the history
 * from its newest version.
 *
 * @param looked gets the ids that previews had.
 */
async function findFields(
  table: VersionsTable,
  clientId: string,
  ids: readonly string[],
  looked: Set<string | undefined>,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  const read = new Set<string>();
  for await (const version of listVersions(table, clientId)) {
    // Before the first preview that had it, an id was not given.
    const isDone = (id: string) =>
      found.has(id) || (looked.has(id) && Number(id) > version.highestId);
    if (ids.every(isDone)) break;
    const isLook = version.rollout !== undefined && isPreview(version.rollout);
    const digests = `${version.digest} ${version.rollout?.digest} ${isLook}`;
    if (read.has(digests) || version.isDeleted || version.isTooLarge) continue;
    read.add(digests);
    const { content = {}, candidate = {} } =
      (await readVersion(table, clientId, version.version)) ?? {};
    if (isLook) for (const field of writtenFields(candidate)) looked.add(idOf(field));
    for (const field of [isLook ? {} : candidate, content].flatMap(writtenFields)) {
      const id = idOf(field);
      if (!isMap(field) || id === undefined || !ids.includes(id) || found.has(id)) continue;
      found.set(id, { field, version });
    }
  }
  return found;
}

function hadBy({ field, version }: Found): Pick<UsedId, 'had'> {
  return { had: { version: version.version, fieldName: captionOf(field) } };
}

/**
 * Identifies a question by its caption and kind: a field that was removed and comes back has the
 * same, whatever became of its other attributes.
 */
function questionOf(stored: unknown): string {
  const field = mapOf(stored);
  const { fieldType, subFieldA, subFieldB } = field;
  const kind = [fieldType, mapOf(subFieldA).subType, mapOf(subFieldB).subType];
  return JSON.stringify([...kind, captionOf(field)]);
}

function captionOf({ fieldName }: StoredMap): string {
  return typeof fieldName === 'string' ? fieldName : '';
}

/** Returns the number that an id is; undefined for another text. */
function idNumber(id: string): number | undefined {
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
