import { reachesDevices } from '../clients/rollout-devices.ts';
import type { RolloutShare } from '../configuration/rollout.ts';
import { whyNotShown } from '../configuration/shown-fields.ts';
import { isMap, listOf, type StoredMap } from '../configuration/stored-map.ts';
import { type Effect, effect } from './effect.ts';
import { fieldFact, fieldFacts } from './facts.ts';
import type { Level } from './words.ts';

/*
 * What customers lose by a change. During a rollout, some have the live configuration and others
 * the candidate, and each is compared with what it replaces. If one of them becomes what the other
 * one was, nothing is lost that was not lost before: the loss in a candidate counts when it first
 * reaches a device, and not again when the rollout is widened, finished or stopped.
 */

/** The fields of a configuration by id. */
type Fields = ReadonlyMap<string, StoredField>;

interface StoredField {
  readonly stored: StoredMap;
  /** The first error for which apps do not get it. */
  readonly error: string | undefined;
}

/** The configurations that the devices of a client get. */
interface Served {
  readonly live: Fields;
  /** Undefined while it reaches no device. */
  readonly candidate?: Fields | undefined;
}

/** The losses of customers who get a configuration. */
export interface LostFields {
  /** Set if apps get fewer than half of the fields that they got. */
  readonly most?: {
    readonly left: number;
    readonly served: number;
    /** The fields that are not stored any more. */
    readonly removed: readonly StoredMap[];
  };
  /** The fields that an error hides, as they were, and the error. */
  readonly hidden: readonly { readonly field: StoredMap; readonly error: string }[];
}

export const NOTHING_LOST: LostFields = { hidden: [] };

/** Lists what the devices of a client get: its fields, or those of the rollout that runs. */
export function servedFields(
  fields: unknown,
  rollout?: Omit<RolloutShare, 'id'> & { readonly fields: unknown },
): Served {
  return {
    live: fieldsIn(fields),
    candidate: rollout && reachesDevices(rollout) ? fieldsIn(rollout.fields) : undefined,
  };
}

/** Apps get the first field without an error of those with one id, and none without an id. */
function fieldsIn(fields: unknown): Fields {
  const found = new Map<string, StoredField>();
  for (const stored of listOf(fields)) {
    if (!isMap(stored) || typeof stored.id !== 'string') continue;
    const earlier = found.get(stored.id);
    if (earlier && earlier.error === undefined) continue;
    const error = whyNotShown(stored);
    if (!earlier || error === undefined) found.set(stored.id, { stored, error });
  }
  return found;
}

/** Finds what customers lose in the live configuration, and in the candidate. */
export function lostFields(
  before: Served,
  after: Served,
): { live: LostFields; candidate: LostFields } {
  const { live, candidate } = before;
  return {
    live: lostIn(after.live, live, candidate),
    candidate: after.candidate
      ? lostIn(after.candidate, candidate ?? live, candidate && live)
      : NOTHING_LOST,
  };
}

/** @param before what the configuration replaces, and `other` what other customers had. */
function lostIn(after: Fields, before: Fields, other: Fields | undefined): LostFields {
  const all = [before, ...(other ? [other] : [])];
  const hidden = [...after].flatMap(([id, { error }]) => {
    if (error === undefined) return [];
    const had = all.flatMap((fields) => fields.get(id) ?? []);
    const served = had.find((field) => field.error === undefined);
    const isKnown = had.some((field) => field.error !== undefined);
    return served && !isKnown ? [{ field: served.stored, error }] : [];
  });
  const served = servedIn(before);
  const left = served.filter(([id]) => isServed(after.get(id))).length;
  const isKnown = other !== undefined && isEqualInIds(servedIn(after), servedIn(other));
  if (isKnown || left >= served.length / 2) return { hidden };
  const removed = served.filter(([id]) => !after.has(id)).map(([, { stored }]) => stored);
  return { hidden, most: { served: served.length, left, removed } };
}

/** Lists the fields that apps get. */
function servedIn(fields: Fields): (readonly [id: string, StoredField])[] {
  return [...fields].filter(([, field]) => isServed(field));
}

function isServed(field: StoredField | undefined): boolean {
  return field !== undefined && field.error === undefined;
}

function isEqualInIds(...all: readonly (readonly (readonly [string, StoredField])[])[]): boolean {
  const [ids, others] = all.map((fields) => new Set(fields.map(([id]) => id)));
  return ids?.symmetricDifference(others ?? new Set()).size === 0;
}

/** Lists what customers lose, as harm. */
export function lossEffects({ most, hidden }: LostFields): Effect[] {
  return [
    ...(most ? [effect('fieldsLost', { ...most, removed: fieldFacts(most.removed) })] : []),
    ...hidden.map(({ field, error }) => hiddenField(field, error)),
  ];
}

/** Says that an error hides a field. */
export function hiddenField(field: StoredMap, error: string, level?: Level): Effect {
  return effect('fieldHidden', { field: fieldFact(field), error }, level);
}
