import {
  attributeOf,
  idOf,
  isEqual,
  isMap,
  languageTag,
  type StoredMap,
  withoutDerived,
} from 'customer-data-api/configuration';
import {
  type Ambiguity,
  type AttributeConflict,
  type ConflictReason,
  configurationConflict,
  type MergeConflict,
  OperatorError,
} from '../errors.ts';

/** The key of the conflict about the order. */
const ORDER_KEY = 'order';

/** The merged fields, or the conflicts that prevent a merge. */
export type Merged =
  | { readonly fields: readonly unknown[]; readonly conflicts?: never }
  | { readonly fields?: never; readonly conflicts: readonly MergeConflict[] };

/** Decides what both sides changed; undefined leaves it a conflict. */
export type Decide = (key: string, attribute: string) => 'mine' | 'theirs' | undefined;

/** The fields of one side by key, in order. */
type FieldsByKey = ReadonlyMap<string, unknown>;

/**
 * Merges two changes of the fields in `base`. Fields are matched by id. A field of `mine` without
 * an id is new, unless `theirs` added one with the same content or the same name: the response of a
 * publication was lost, or two people had the same idea. What the service derives does not count.
 * No side is ambiguous.
 *
 * @param decide decides conflicts. With it, two changes of different attributes of a field are
 *   merged; without it, they are a conflict.
 */
export function mergeFields(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  decide?: Decide,
): Merged {
  const [before, other] = [fieldsByKey(base), fieldsByKey(theirs)];
  const own = fieldsByKey(matchedToTheirs(mine, [...base, ...mine], theirs));
  const conflicts: MergeConflict[] = [];
  const merged = new Map<string, unknown>();
  for (const key of new Set([...other.keys(), ...own.keys()])) {
    const sides = [before, own, other].map((side) => side.get(key));
    // What the service derives is no change.
    const [was, one, another] = sides.map(withoutDerived);
    const decideIn = (path: string) => decide?.(key, path);
    const { value, clashes } = mergedValue(was, one, another, '', decideIn);
    const isDecided = clashes.every(({ attribute }) => decideIn(attribute));
    if (isEqual(one, was) || isEqual(one, another)) merged.set(key, sides[2]);
    else if (isEqual(another, was)) merged.set(key, sides[1]);
    else if (decide && isDecided) merged.set(key, value);
    else conflicts.push({ key, fieldName: fieldName(was ?? another), attributes: clashes });
  }
  const order = mergeOrder(before, own, other, decide?.(ORDER_KEY, ''));
  if (!order) conflicts.push({ key: ORDER_KEY, attributes: [{ attribute: '' }] });
  if (conflicts.length > 0 || !order) return { conflicts };
  return { fields: order.map((key) => merged.get(key)).filter((field) => field !== undefined) };
}

/** The content that is merged. */
export interface MergedContent {
  readonly fields: readonly unknown[];
  /** The language of the fields' own texts; undefined without one. */
  readonly language?: unknown;
}

/** Merges two changes of the content in `base`, as `mergeFields` merges fields. */
export function mergeContents(
  base: MergedContent,
  mine: MergedContent,
  theirs: MergedContent,
  decide?: Decide,
): {
  readonly merged?: MergedContent;
  readonly conflicts: readonly MergeConflict[];
  readonly ambiguity?: Ambiguity;
} {
  const ambiguity = findAmbiguity({ base, mine, theirs });
  if (ambiguity) return { conflicts: [], ambiguity };
  const { fields, conflicts = [] } = mergeFields(base.fields, mine.fields, theirs.fields, decide);
  const sides = [base.language, mine.language, theirs.language] as const;
  const { language, conflict } = mergeLanguage(...sides, decide);
  if (!fields || conflict) return { conflicts: [...conflicts, ...(conflict ? [conflict] : [])] };
  return { merged: { fields, language }, conflicts };
}

/**
 * Merges two contents. Different attributes of a field are merged. The same attribute is for a
 * person to decide.
 *
 * @param sides the base, mine and theirs.
 * @param why makes the reason of a conflict about what is left, or about unknown decisions.
 */
export function mergeDecided(
  clientId: string,
  sides: readonly [MergedContent, MergedContent, MergedContent],
  decisions: Decisions,
  why: (conflicts: readonly MergeConflict[], unknown?: readonly string[]) => ConflictReason,
): MergedContent {
  const merge = (decide: Decide) => mergeContents(...sides, decide);
  const { conflicts, ambiguity } = merge(() => undefined);
  if (ambiguity) throw new OperatorError('invalidConfiguration', { clientId, ambiguity });
  const unknown = unknownDecisions(decisions, conflicts);
  if (unknown.length > 0) throw configurationConflict(clientId, why(conflicts, unknown));
  const decide = decideBy(decisions);
  const { merged } = merge(decide);
  if (!merged) throw configurationConflict(clientId, why(undecided(conflicts, decide)));
  return merged;
}

/** Finds a side whose fields cannot be matched. Only `mine` may have fields without an id. */
export function findAmbiguity(
  sides: Readonly<Partial<Record<Ambiguity['side'], MergedContent>>>,
): Ambiguity | undefined {
  for (const [side, { fields }] of Object.entries(sides)) {
    const seen = new Set<string>();
    for (const field of fields) {
      const id = idOf(field);
      const isNew = side === 'mine' && isMap(field) && field.id === undefined;
      if (isNew || (id !== undefined && seen.size < seen.add(id).size)) continue;
      return { side: side as Ambiguity['side'], id };
    }
  }
  return undefined;
}

/** The decisions of an operator: the conflicts in which one side counts. */
export interface Decisions {
  readonly mine?: readonly string[];
  readonly theirs?: readonly string[];
}

/**
 * Names a conflict as an operator does: by the id of a field and an attribute, such as
 * `1.subFieldA.maxChars`, by the id alone, or as `order` or `language`.
 */
export function conflictId(key: string, attribute: string): string {
  const name = idInKey(key);
  return attribute === '' || attribute === key ? name : `${name}.${attribute}`;
}

function idInKey(key: string): string {
  return key.replace(/^id /, '');
}

/** Decides as an operator did: by attribute, and of the others, by field. */
export function decideBy({ mine = [], theirs = [] }: Decisions): Decide {
  const sideOf = (id: string) =>
    mine.includes(id) ? 'mine' : theirs.includes(id) ? 'theirs' : undefined;
  return (key, attribute) => sideOf(conflictId(key, attribute)) ?? sideOf(idInKey(key));
}

/** Returns the decisions that name none of the conflicts. */
export function unknownDecisions(
  { mine = [], theirs = [] }: Decisions,
  conflicts: readonly MergeConflict[],
): readonly string[] {
  const known = conflicts.flatMap(({ key, attributes }) => [
    idInKey(key),
    ...attributes.map(({ attribute }) => conflictId(key, attribute)),
  ]);
  return [...mine, ...theirs].filter((id) => !known.includes(id));
}

/** Returns the conflicts that are not decided. */
function undecided(conflicts: readonly MergeConflict[], decide: Decide): readonly MergeConflict[] {
  return conflicts.flatMap((conflict) => {
    const { key, attributes } = conflict;
    const left = attributes.filter(({ attribute }) => !decide(key, attribute));
    return left.length > 0 ? { ...conflict, attributes: left } : [];
  });
}

/** Merges two changes of the language in `base`, whose tag can be written in several ways. */
function mergeLanguage(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  decide?: Decide,
): { readonly language: unknown; readonly conflict?: MergeConflict } {
  const key = 'language';
  const [was, own, other] = [base, mine, theirs].map((one) => languageTag(one) ?? one);
  const { clashes: attributes } = mergedValue(was, own, other, key, () => undefined);
  const decided = attributes.length > 0 ? decide?.(key, key) : undefined;
  const isKept = isEqual(own, was) || isEqual(own, other);
  const isTheirs = decided === 'theirs' || (isKept && !isEqual(theirs, base));
  const isClash = attributes.length > 0 && decided === undefined;
  return { language: isTheirs ? theirs : mine, ...(isClash && { conflict: { key, attributes } }) };
}

/** A value that was merged, and the attributes in it that both sides changed differently. */
interface MergedValue {
  readonly value: unknown;
  readonly clashes: readonly AttributeConflict[];
}

/** Takes each attribute from the side that changed it. If both did, the decision counts. */
function mergedValue(
  was: unknown,
  mine: unknown,
  theirs: unknown,
  path: string,
  decide: (path: string) => 'mine' | 'theirs' | undefined,
): MergedValue {
  // What both did alike is as it is live, in the order of its attributes.
  if (isEqual(mine, was) || isEqual(mine, theirs)) return { value: theirs, clashes: [] };
  if (isEqual(theirs, was)) return { value: mine, clashes: [] };
  const winner = decide(path) ?? 'mine';
  const clash = { attribute: path, mine, theirs };
  const lists = optionLists([was ?? [], mine, theirs]);
  const sides = lists ?? mapsOf(was, mine, theirs, path)?.map(entriesOf);
  if (!sides) return { value: winner === 'theirs' ? theirs : mine, clashes: [clash] };
  const names = lists ? (mergeOrder(...lists, winner) ?? []) : namesIn(...sides);
  const parts = names.map((name) => {
    const [old, one, another] = sides.map((side) => side.get(name));
    return { name, ...mergedValue(old, one, another, below(path, name), decide) };
  });
  const clashes = parts.flatMap((part) => part.clashes);
  const kept = parts.filter(({ value }) => value !== undefined);
  if (lists) {
    const isOrdered = mergeOrder(...lists, undefined) !== undefined;
    return {
      value: kept.map(({ value }) => value),
      clashes: isOrdered ? clashes : [...clashes, clash],
    };
  }
  const isGone = kept.length === 0 && !(mine && theirs);
  const map = Object.fromEntries(kept.map(({ name, value }) => [name, value]));
  return { value: isGone ? undefined : map, clashes };
}

/** Returns lists of options by value; undefined if a side has anything else or a value twice. */
function optionLists(
  sides: readonly unknown[],
): readonly [FieldsByKey, FieldsByKey, FieldsByKey] | undefined {
  const lists = sides.flatMap((side) => {
    if (!Array.isArray(side)) return [];
    const byValue = new Map(side.map((option) => [attributeOf(option, 'value'), option]));
    const isKeyed = [...byValue.keys()].every((value) => typeof value === 'string');
    return isKeyed && byValue.size === side.length ? [byValue as FieldsByKey] : [];
  });
  const [was, mine, theirs] = lists;
  return was && mine && theirs && [was, mine, theirs];
}

/**
 * Returns the maps of attributes of three sides, if both changed ones have one. A missing map of
 * translations is an empty one, and languages have the names that they have on the last side.
 */
function mapsOf(
  was: unknown,
  mine: unknown,
  theirs: unknown,
  path: string,
): readonly StoredMap[] | undefined {
  const empty = /^translations\b/.test(path) ? {} : undefined;
  const [own, other] = [mine ?? empty, theirs ?? empty];
  if (!isMap(own) || !isMap(other)) return undefined;
  const old = isMap(was) ? was : {};
  if (path !== 'translations') return [old, own, other];
  const renamed = namedAs(other, own);
  return [namedAs({ ...renamed, ...other }, old), renamed, other];
}

/** Names languages as another map does, if it has them under another form of their tag. */
function namedAs(other: StoredMap, map: StoredMap): StoredMap {
  const names = new Map(Object.keys(other).map((name) => [languageTag(name) ?? name, name]));
  const nameOf = (name: string) => {
    const known = names.get(languageTag(name) ?? name) ?? name;
    return Object.hasOwn(map, known) ? name : known;
  };
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [nameOf(name), value]));
}

function entriesOf(map: StoredMap): FieldsByKey {
  return new Map(Object.entries(map));
}

function namesIn(...sides: readonly FieldsByKey[]): string[] {
  return [...new Set(sides.flatMap((side) => [...side.keys()]))];
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Gives new fields the ids of those that the other side added, if they are probably the same. */
function matchedToTheirs(
  mine: readonly unknown[],
  old: readonly unknown[],
  theirs: readonly unknown[],
): readonly unknown[] {
  const oldIds = new Set(old.map(idOf));
  const added = Map.groupBy(
    theirs.filter((field) => !oldIds.has(idOf(field))),
    fieldName,
  );
  return mine.map((field) => {
    if (!isMap(field) || field.id !== undefined) return field;
    const name = fieldName(field);
    const candidates = added.get(name) ?? [];
    const lean = withoutDerived({ ...field, id: '' });
    const withId = (one: unknown) => ({ ...(lean as StoredMap), id: idOf(one) });
    const equal = candidates.findIndex((one) => isEqual(withId(one), one));
    const index = equal === -1 && name !== undefined ? 0 : equal;
    const [same] = index === -1 ? [] : candidates.splice(index, 1);
    return same === undefined ? field : withId(same);
  });
}

function fieldsByKey(fields: readonly unknown[]): FieldsByKey {
  return new Map(
    fields.map((field, index) => {
      const id = idOf(field);
      return [id === undefined ? `new ${index}` : `id ${id}`, field];
    }),
  );
}

/** Keeps the order of the side that changed it. Fields of the other side keep their predecessor. */
function mergeOrder(
  before: FieldsByKey,
  own: FieldsByKey,
  other: FieldsByKey,
  winner: 'mine' | 'theirs' | undefined,
): string[] | undefined {
  if (hasSameOrder(before, own) || hasSameOrder(own, other)) return inserted(other, own);
  if (hasSameOrder(before, other) || winner === 'mine') return inserted(own, other);
  return winner && inserted(other, own);
}

function hasSameOrder(one: FieldsByKey, other: FieldsByKey): boolean {
  return isEqual(
    [...one.keys()].filter((key) => other.has(key)),
    [...other.keys()].filter((key) => one.has(key)),
  );
}

function inserted(order: FieldsByKey, additions: FieldsByKey): string[] {
  const first: string[] = [];
  const after = new Map<string, string[]>();
  let previous = first;
  for (const key of additions.keys()) {
    if (!order.has(key)) {
      previous.push(key);
      continue;
    }
    previous = [];
    after.set(key, previous);
  }
  return [...first, ...[...order.keys()].flatMap((key) => [key, ...(after.get(key) ?? [])])];
}

function fieldName(field: unknown): string | undefined {
  const name = attributeOf(field, 'fieldName');
  return typeof name === 'string' ? name : undefined;
}
