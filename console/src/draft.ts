import { assignIds } from '../../core/configuration/assign-ids.ts';
import { checkConfiguration } from '../../core/configuration/check-configuration.ts';
import { isMap, type StoredMap } from '../../core/configuration/complete-field.ts';
import type { Finding } from '../../core/finding.ts';
import type { Client, Content, FieldConflict } from './types.ts';

/* A draft of a configuration, and everything that changes it. Pure functions. */

/** A draft: what an operator has made of the configuration with the digest `base`. */
export interface Draft {
  readonly base: string;
  readonly lastFieldId: number | undefined;
  /** The fields of the base. */
  readonly original: readonly unknown[];
  readonly fields: readonly unknown[];
}

/** Returns a draft without changes. */
export function draftOf({ base, fields, lastFieldId }: Content & { readonly base: string }): Draft {
  const original = listOf(fields);
  return {
    ...{ base, original, fields: original },
    lastFieldId: typeof lastFieldId === 'number' ? lastFieldId : undefined,
  };
}

export function isChanged({ original, fields }: Draft): boolean {
  return JSON.stringify(original) !== JSON.stringify(fields);
}

/** The draft as the API reads it. */
export function bodyOf({ fields, lastFieldId }: Draft): object {
  return { fields, ...(lastFieldId !== undefined && { lastFieldId }) };
}

/** Reads a stored draft; undefined if it is none. */
export function parseDraft(text: string | null): Draft | undefined {
  try {
    const draft = JSON.parse(text ?? 'null');
    const isDraft =
      typeof draft?.base === 'string' &&
      Array.isArray(draft.fields) &&
      Array.isArray(draft.original);
    return isDraft ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** A draft with its earlier and undone states. */
export interface Edits {
  readonly draft: Draft;
  readonly past: readonly Draft[];
  readonly future: readonly Draft[];
  /** The step of the last edit. */
  readonly step: string;
}

export function startEdits(draft: Draft): Edits {
  return { draft, past: [], future: [], step: '' };
}

/** Replaces the draft. Successive edits of one step, such as letters, are undone at once. */
export function edited({ draft, past, step }: Edits, next: Draft, nextStep: string): Edits {
  const continues = nextStep !== '' && nextStep === step && past.length > 0;
  return { draft: next, past: continues ? past : [...past, draft], future: [], step: nextStep };
}

export function undone({ draft, past, future }: Edits): Edits {
  const last = past.at(-1);
  if (!last) return { draft, past, future, step: '' };
  return { draft: last, past: past.slice(0, -1), future: [draft, ...future], step: '' };
}

export function redone({ draft, past, future }: Edits): Edits {
  const [next, ...rest] = future;
  if (!next) return { draft, past, future, step: '' };
  return { draft: next, past: [...past, draft], future: rest, step: '' };
}

/** Moves an element of a list by some places, as far as the list goes. */
export function moved<T>(list: readonly T[], index: number, by: number): T[] {
  const to = Math.min(Math.max(index + by, 0), list.length - 1);
  const others = list.toSpliced(index, 1);
  return others.toSpliced(to, 0, ...list.slice(index, index + 1));
}

/** Sets or, with undefined, removes an attribute at a path below a field. */
export function withAttribute(
  field: unknown,
  [name, ...rest]: readonly (string | number)[],
  value: unknown,
): unknown {
  if (name === undefined) return value;
  const container = isMap(field) || Array.isArray(field) ? field : {};
  const changed = withAttribute(Object(container)[name], rest, value);
  if (Array.isArray(container)) return container.with(Number(name), changed);
  const { [name]: _, ...others } = container as StoredMap;
  return changed === undefined ? others : { ...container, [name]: changed };
}

export const KINDS = ['text', 'drop', 'combo'] as const;
export type Kind = (typeof KINDS)[number];

const TEXT_INPUT = {
  ...{ subType: 'text', placeHolderText: '', allowCopies: true },
  ...{ alpha: true, numbers: true, symbols: true, maxChars: 50 },
};

/** Returns a new field. It gets an id when it is published. */
export function newField(kind: Kind): unknown {
  const field = { fieldName: '', mandatory: false, appUIs: ['register', 'profile'] };
  return withKind({ ...field, allowMultiple: false, subFieldA: TEXT_INPUT }, kind);
}

/** Changes the kind of a field, and keeps what both kinds have. */
export function withKind(field: StoredMap, kind: Kind): unknown {
  const { subFieldB, ...others } = field;
  const first = asMap(field.subFieldA);
  if (kind === 'combo') {
    const second = isMap(subFieldB) && subFieldB.subType !== undefined ? subFieldB : TEXT_INPUT;
    return { ...others, fieldType: kind, subFieldA: first, subFieldB: second };
  }
  return {
    ...{ allowMultiple: false, appUIs: ['register', 'profile'] },
    ...others,
    fieldType: kind,
    subFieldA: withSubType(first, kind),
  };
}

/** Changes the kind of an input, and keeps what both kinds have. */
export function withSubType(input: StoredMap, subType: 'text' | 'drop'): StoredMap {
  if (input.subType === subType) return input;
  const { placeHolderText = '', allowCopies = true } = input;
  return subType === 'text'
    ? { ...TEXT_INPUT, placeHolderText, allowCopies }
    : { subType, placeHolderText, allowCopies, optionsArray: [] };
}

export interface Option {
  readonly value: string;
  readonly display: string;
}

/** Returns the options of an input, as far as they are well-formed. */
export function optionsOf(input: unknown): Option[] {
  const { optionsArray } = asMap(input);
  if (!Array.isArray(optionsArray)) return [];
  return optionsArray.map((option) => {
    const { value, display } = asMap(option);
    return { value: String(value ?? ''), display: String(display ?? '') };
  });
}

/**
 * Makes options of lines with their texts. A text that was there keeps its value, wherever its line
 * moves. If as many lines are there as before, a published option whose text changed keeps its
 * value too: customers have chosen it. Other options get a value that is made of the text.
 */
export function optionsFromLines(
  lines: readonly string[],
  before: readonly Option[],
  published: ReadonlySet<string>,
): Option[] {
  const left = [...before];
  const known = lines.map((display) => {
    const at = left.findIndex((option) => option.display === display);
    return at === -1 ? undefined : left.splice(at, 1)[0];
  });
  if (lines.length === before.length) {
    for (const [index, option] of before.entries()) {
      if (!left.includes(option) || known[index] || !published.has(option.value)) continue;
      known[index] = { value: option.value, display: lines[index] ?? '' };
    }
  }
  const used = new Set([...published, ...known.flatMap((option) => option?.value ?? [])]);
  return lines.map(
    (display, index) => known[index] ?? { value: freshValue(display, used), display },
  );
}

/** Makes a value of a text, such as `blue_green` of "Blue & green", that is not used yet. */
function freshValue(display: string, used: Set<string>): string {
  const name =
    display
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_|_$/g, '') || 'option';
  let value = name;
  for (let number = 2; used.has(value); number++) value = `${name}_${number}`;
  used.add(value);
  return value;
}

/** A draft as it would be published, with ids, and its problems. */
export interface CheckedDraft {
  readonly fields: readonly unknown[];
  readonly lastFieldId: number;
  readonly findings: readonly Finding[];
}

/** Checks a draft by the rules of the service. */
export function checkDraft(
  { fields, lastFieldId }: Draft,
  { clientId, highestId }: Pick<Client, 'clientId' | 'highestId'>,
): CheckedDraft {
  const identified = assignIds(fields, lastFieldId ?? 0, highestId);
  return { ...identified, findings: checkConfiguration({ clientId, ...identified }) };
}

/** The side that wins a conflict, by the key of the conflict and the attribute. */
export type Choices = ReadonlyMap<string, 'mine' | 'theirs'>;

export function choiceKey({ key, name }: FieldConflict, attribute = ''): string {
  return `${key ?? name} ${attribute}`;
}

/**
 * Returns the attributes between which an operator chooses; '' for a whole field. None if both
 * sides have changed different attributes of a field: they fit together.
 */
export function choicesIn(
  { key, attributes }: FieldConflict,
  draft: Draft,
  theirs: Content,
): string[] {
  if (attributes.length > 0) return attributes.map(({ attribute }) => attribute);
  return [draft.fields, listOf(theirs.fields)].every((side) => fieldWith(side, key)) ? [] : [''];
}

/**
 * Applies the choices of an operator. A field that both sides have changed gets the changes of
 * both; where they clash, the choice decides.
 *
 * @returns the draft, and the keys of the conflicts in which it wins.
 */
export function resolved(
  draft: Draft,
  theirs: Content,
  conflicts: readonly FieldConflict[],
  choices: Choices,
): { readonly draft: Draft; readonly keep: string[] } {
  const live = listOf(theirs.fields);
  let fields = draft.fields;
  const keep: string[] = [];
  for (const conflict of conflicts) {
    const { key = '' } = conflict;
    const isTheirs = (attribute: string) =>
      choices.get(choiceKey(conflict, attribute)) === 'theirs';
    const [one, another] = [fieldWith(fields, key), fieldWith(live, key)];
    if (one && another) {
      const merged = mergedMap(one, another, asMap(fieldWith(draft.original, key)), isTheirs);
      fields = fields.map((field) => (field === one ? merged : field));
      keep.push(key);
    } else if (isTheirs('')) {
      fields = withTheirs(fields, live, key);
      // A field that comes back has a place in the draft now, which is no conflict about the order.
      if (another) keep.push('order');
    } else keep.push(key);
  }
  return { draft: { ...draft, fields }, keep };
}

/** Merges two changes of a map, attribute by attribute. */
function mergedMap(
  mine: StoredMap,
  theirs: StoredMap,
  base: StoredMap,
  isTheirs: (attribute: string) => boolean,
  prefix = '',
): StoredMap {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  const merged = [...names].map((name): [string, unknown] => {
    const [one, another, old] = [mine[name], theirs[name], base[name]];
    const attribute = `${prefix}${name}`;
    if (isEqual(one, old)) return [name, another];
    if (isEqual(another, old)) return [name, one];
    if (isMap(one) && isMap(another)) {
      return [name, mergedMap(one, another, asMap(old), isTheirs, `${attribute}.`)];
    }
    return [name, isTheirs(attribute) ? another : one];
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/** Compares two values of JSON. The order of attributes does not matter. */
function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isEqual(Object(one)[name], Object(other)[name]));
}

/** Replaces, removes or adds a field, or takes over the order. */
function withTheirs(fields: readonly unknown[], live: readonly unknown[], key: string): unknown[] {
  if (key === 'order') {
    const place = new Map(live.map((field, index) => [keyOf(field), index]));
    const placeOf = (field: unknown) => place.get(keyOf(field)) ?? live.length;
    return fields.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
  // The key of a field that both sides added has its place in the draft.
  const [, added] = /^new (\d+)$/.exec(key) ?? [];
  if (added !== undefined) return fields.toSpliced(Number(added), 1);
  const theirs = fieldWith(live, key);
  if (theirs) return fields.toSpliced(live.indexOf(theirs), 0, theirs);
  return fields.filter((field) => keyOf(field) !== key);
}

function fieldWith(fields: readonly unknown[], key: string | undefined): StoredMap | undefined {
  return fields.filter(isMap).find((field) => keyOf(field) === key);
}

function listOf(fields: unknown): readonly unknown[] {
  return Array.isArray(fields) ? fields : [];
}

function keyOf(field: unknown): string {
  return `id ${asMap(field).id}`;
}

export function asMap(value: unknown): StoredMap {
  return isMap(value) ? value : {};
}
