import {
  assignIds,
  comparable,
  highestId,
  highestIdIn,
  type Identified,
  idOf,
  isMap,
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
} from 'customer-data-api/history';
import { HistoryBehind, type UsedId, UsedIds } from '../errors.ts';
import { waitForContent } from './history.ts';
import { type ClientConfiguration, storedConfiguration } from './stored-configuration.ts';

/** Time to wait for the version of what is live. In milliseconds. */
const HISTORY_WAIT_MS = 10_000;

/** What is live of a client. With its digest, a new field waits until the history has it. */
interface Live extends Pick<ClientConfiguration, 'clientId' | 'fields' | 'written'> {
  readonly digest?: string;
}

/** What is to be published. */
interface Drafted {
  readonly fields: readonly unknown[];
  /** The fields that the draft changes. They may be live no more. */
  readonly base: readonly unknown[];
  readonly lastFieldId?: number | undefined;
}

/**
 * Gives each new field of a draft the next id of the client. What was given before is what is live
 * and the history have; an implausible `lastFieldId` is forgotten.
 *
 * @throws UsedIds if the draft has an id for a new field that was given before; HistoryBehind.
 */
export async function giveNewIds(
  table: VersionsTable,
  live: Live,
  { fields, base, lastFieldId = 0 }: Drafted,
): Promise<Identified> {
  const { clientId, digest } = live;
  let newest = await newestVersion(table, clientId);
  // A client can be older than its history, which begins with its next change.
  if (newest && digest !== undefined && newest.digest !== digest) {
    const known = new Set(live.fields.map(idOf));
    if (fields.some((field) => idOf(field) === undefined || !known.has(idOf(field)))) {
      newest = await waitForContent(table, clientId, digest, HISTORY_WAIT_MS);
      if (!newest) throw new HistoryBehind(clientId);
    }
  }
  const highestEver = highestIdIn({ fields: live.fields }, newest?.highestId);
  const kept = keptLastFieldId(live, fields);
  const isFirst = live.fields.length === 0 && (newest?.version ?? 1) === 1;
  if (!isFirst) {
    const known = [...live.fields, ...base];
    await expectNewIds(table, clientId, fields, known, Math.max(highestEver, kept));
  }
  return assignIds(fields, Math.max(lastFieldId, kept), newest?.highestId);
}

/**
 * Returns the `lastFieldId` that apps get, which a change must not lower; 0 if it is implausible.
 * Ids beyond it are in the history.
 *
 * @param fields the fields after the change.
 */
export function keptLastFieldId(
  live: Pick<Live, 'fields' | 'written'>,
  fields: readonly unknown[],
): number {
  const highest = Math.max(highestId(live.fields), highestId(fields));
  return plausibleLastFieldId(readLastFieldId({ ...live.written }), highest);
}

/**
 * Refuses a new field with the id of another one: customers' answers to the other question are
 * stored under it. A field that was removed may come back.
 */
async function expectNewIds(
  table: VersionsTable,
  clientId: string,
  fields: readonly unknown[],
  known: readonly unknown[],
  highestEver: number,
): Promise<void> {
  const ids = new Set(known.map(idOf));
  const added = fields.filter((field) => idOf(field) !== undefined && !ids.has(idOf(field)));
  if (added.length === 0) return;
  const alike = new Set([...ids].map((id) => id && canonical(id)));
  const suspects = added.flatMap((field): Suspect[] => {
    const id = idOf(field);
    if (!isMap(field) || id === undefined) return [];
    const number = idNumber(id) ?? 0;
    const isUsed = alike.has(canonical(id)) || (number > 0 && number <= highestEver);
    if (!isUsed && number <= highestEver + MOST_REMOVED_FIELDS) return [];
    return [{ id, field, reason: isUsed ? 'used' : 'tooHigh' }];
  });
  if (suspects.length === 0) return;
  const earlier = await findFields(
    table,
    clientId,
    suspects.map(({ id }) => id),
  );
  const used = suspects.flatMap(({ id, field, reason }): UsedId[] => {
    const had = earlier.get(id);
    if (had && isSameQuestion(had.field, field)) return [];
    return [{ id, reason, fieldName: nameOf(field), ...(had && hadBy(had)) }];
  });
  if (used.length > 0) throw new UsedIds(clientId, used, highestEver);
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

/** Finds the newest recorded fields with some ids. It reads the history from its newest version. */
async function findFields(
  table: VersionsTable,
  clientId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Found>> {
  const wanted = new Set(ids);
  const found = new Map<string, Found>();
  const read = new Set<string>();
  for await (const version of listVersions(table, clientId)) {
    if (found.size === wanted.size) break;
    const digests = `${version.digest} ${version.rollout?.digest}`;
    if (read.has(digests) || version.isDeleted || version.isTooLarge) continue;
    read.add(digests);
    const { content = {}, candidate = {} } =
      (await readVersion(table, clientId, version.version)) ?? {};
    const contents = [candidate, content].map((one) => storedConfiguration(clientId, one));
    for (const field of contents.flatMap(({ fields }) => fields)) {
      const id = idOf(field);
      if (!isMap(field) || id === undefined || !wanted.has(id) || found.has(id)) continue;
      found.set(id, { field, version });
    }
  }
  return found;
}

function hadBy({ field, version }: Found): Pick<UsedId, 'had'> {
  return { had: { version: version.version, fieldName: nameOf(field) } };
}

/** True for a field that was removed and comes back. Its other attributes may have changed. */
function isSameQuestion(one: StoredMap, other: StoredMap): boolean {
  return (
    kindOfField(one) === kindOfField(other) && comparable(nameOf(one)) === comparable(nameOf(other))
  );
}

function kindOfField({ fieldType, subFieldA, subFieldB }: StoredMap): string {
  return JSON.stringify([fieldType, mapOf(subFieldA).subType, mapOf(subFieldB).subType]);
}

function nameOf({ fieldName }: StoredMap): string {
  return typeof fieldName === 'string' ? fieldName : '';
}

/** Returns the number that people read in an id; undefined for another text. */
function idNumber(id: unknown): number | undefined {
  const text = typeof id === 'string' ? canonical(id) : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Returns an id without zeros, spaces and widths, which people do not tell apart. */
function canonical(id: string): string {
  return comparable(id)
    .replaceAll(' ', '')
    .replace(/^0+(?=.)/, '');
}
