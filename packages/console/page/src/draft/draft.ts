import {
  assignIds,
  checkPublication,
  type FieldKind,
  type Finding,
  hasOptions,
  type InputKind,
  inputsOf,
  isEqual,
  isMap,
  listOf,
  type StoredMap,
  withoutDerived,
} from 'customer-data-api/configuration';
import type { Sentence } from 'customer-data-api/sentences';
import { type Decide, type MergeConflict, mergeContents } from 'customer-data-api-editor/browser';
import type { Client, DraftContent, LiveConfiguration } from '../answers.ts';

/* A draft of a configuration, and everything that changes it. Pure functions. */

/** A draft: what an operator has made of a configuration. */
export interface EditedDraft {
  /** The changes that it makes. */
  readonly from: Fields & { readonly base: string };
  readonly fields: readonly unknown[];
  /** The language of the fields' own texts. */
  readonly language?: unknown;
  /** The languages to translate into that may have no texts yet. */
  readonly added?: readonly string[];
  /** The version that it undoes: a field that this removed keeps its id. */
  readonly undoes?: number;
}

type Fields = Pick<EditedDraft, 'fields' | 'language'>;

/** Returns a draft without changes. */
export function draftOf({ base, fields, language }: LiveConfiguration): EditedDraft {
  const live = { fields: Array.isArray(fields) ? fields : [], language };
  return { from: { base, ...live }, ...live };
}

/** True if there is something to publish: more than what the service derives. */
export function isChanged({ from, fields, language }: EditedDraft): boolean {
  const isChangedField = (field: unknown, at: number) =>
    !isEqual(field, from.fields[at]) &&
    !isEqual(withoutDerived(field), withoutDerived(from.fields[at]));
  return (
    !isEqual(language, from.language) ||
    fields.length !== from.fields.length ||
    fields.some(isChangedField)
  );
}

/** True if there is something to keep: a change, or a language that has no texts yet. */
export function hasWork(draft: EditedDraft): boolean {
  return isChanged(draft) || (draft.added ?? []).length > 0;
}

/** Returns the ids of the fields that two contents do not share. */
export function changedIds(...contents: readonly DraftContent[]): unknown[] {
  const all = contents.flatMap(({ fields }) => (Array.isArray(fields) ? fields : []));
  const texts = all.map((field) => JSON.stringify(field));
  const isAlone = (text: string | undefined) => texts.filter((one) => one === text).length === 1;
  return all.filter((_, at) => isAlone(texts[at])).map((field) => asMap(field).id);
}

/** Reads a stored draft; undefined if it is none. */
export function parseDraft(text: string | null): EditedDraft | undefined {
  try {
    const { from, fields, language, added, undoes } = JSON.parse(text ?? '');
    const isDraft = typeof from.base === 'string' && [fields, from.fields].every(Array.isArray);
    if (!isDraft) return undefined;
    // What is not edited is one value, which takes no time to compare.
    const shared = fields.map((field: unknown, at: number) =>
      isEqual(field, from.fields[at]) ? from.fields[at] : field,
    );
    const more = { ...(added && { added }), ...(undoes && { undoes }) };
    return { from, fields: shared, language, ...more };
  } catch {
    return undefined;
  }
}

/** The states of a draft, the earlier and the undone ones too. */
export interface Edits {
  readonly drafts: readonly EditedDraft[];
  /** The position of the draft that is shown. */
  readonly at: number;
  /** The step of the last edit. */
  readonly step: string;
  /** The effect of the last edit, if the operator may not have seen it. */
  readonly notice: Sentence;
}

export function startEdits(draft: EditedDraft): Edits {
  return { drafts: [draft], at: 0, step: '', notice: '' };
}

/** Replaces the draft. Successive edits of one step, such as letters, are undone at once. */
export function edited(
  { drafts, ...last }: Edits,
  next: EditedDraft,
  step: string,
  notice: Sentence = '',
): Edits {
  const at = step !== '' && step === last.step ? last.at : last.at + 1;
  return { drafts: [...drafts.slice(0, at), next], at, step, notice };
}

/** Undoes an edit, or restores one, if there is one. */
export function stepped({ drafts, at }: Edits, by: -1 | 1): Edits {
  const next = Math.min(Math.max(at + by, 0), drafts.length - 1);
  return { drafts, at: next, step: '', notice: '' };
}

/**
 * Sets an attribute at a path below a field or, with undefined, removes it, and the maps that have
 * none any more.
 */
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
  const isEmpty = value === undefined && isMap(changed) && Object.keys(changed).length === 0;
  return changed === undefined || isEmpty ? others : { ...container, [name]: changed };
}

const TEXT_INPUT = {
  subType: 'text',
  placeHolderText: '',
  allowCopies: true,
  alpha: true,
  numbers: true,
  symbols: true,
  maxChars: 50,
};

/** The inputs of a new field. */
const NEW_INPUTS: Readonly<Record<FieldKind, readonly InputKind[]>> = {
  text: ['text'],
  drop: ['drop'],
  combo: ['text', 'text'],
};

/** Returns a new field. It gets an id when it is published. */
export function newField(kind: FieldKind): StoredMap {
  const [subFieldA, subFieldB] = NEW_INPUTS[kind].map((one) => withSubType(TEXT_INPUT, one));
  return {
    fieldName: '',
    fieldType: kind,
    mandatory: false,
    appUIs: ['register', 'profile'],
    allowMultiple: false,
    subFieldA,
    ...(subFieldB && { subFieldB }),
  };
}

/** Gives a field a kind that apps know, with inputs that fit. The rest stays. */
export function withKind(field: unknown, kind: FieldKind): StoredMap {
  const fresh = newField(kind);
  const stored = asMap(field);
  const inputs = inputsOf(fresh).map((name) => {
    const [input, { subType }] = [stored[name], asMap(fresh[name])];
    const fits = kind === 'combo' && hasOptions(input) !== undefined;
    return [name, fits ? input : withSubType(asMap(input), subType as InputKind)];
  });
  return { ...fresh, ...stored, fieldType: kind, ...Object.fromEntries(inputs) };
}

/** Copies a field with its translations. The copy gets its own id when it is published. */
export function copyOf(field: unknown): unknown {
  if (!isMap(field)) return field;
  const { id: _, ...copy } = field;
  return copy;
}

/** Moves a field to another position. */
export function withMoved(fields: readonly unknown[], from: number, to: number): unknown[] {
  return fields.toSpliced(from, 1).toSpliced(to, 0, fields[from]);
}

/** True if a text of a field has the words of a search, in any case. */
export function hasText(value: unknown, search: string): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some((part) => hasText(part, search));
  }
  return typeof value === 'string' && value.toLowerCase().includes(search.trim().toLowerCase());
}

/** Changes the kind of an input, and keeps what both kinds have. */
export function withSubType(input: StoredMap, subType: InputKind): StoredMap {
  if (input.subType === subType) return input;
  const { placeHolderText = '', allowCopies = true, optionsArray = [] } = input;
  switch (subType) {
    case 'text':
      return { ...TEXT_INPUT, placeHolderText, allowCopies };
    case 'drop':
      return { subType, placeHolderText, allowCopies, optionsArray };
  }
}

/** A finding in a draft, which its number identifies wherever it is shown. */
export interface DraftFinding extends Finding {
  readonly number: number;
}

/** Identifies a finding in a content wherever its field is: by the id of that. */
export function findingKey({ fields }: DraftContent, { code, path, message }: Finding): string {
  const [list, index, ...rest] = path;
  const isOfField = list === 'fields' && typeof index === 'number';
  const place = isOfField ? [asMap(listOf(fields)[index]).id ?? index, ...rest] : path;
  return JSON.stringify([code, message, ...place]);
}

/** Returns a draft as it would be published, with ids, and its problems by the service's rules. */
export function checkDraft(
  { fields, language }: EditedDraft,
  { clientId, highestId }: Pick<Client, 'clientId' | 'highestId'>,
) {
  const identified = assignIds(fields, 0, highestId);
  const item = { clientId, ...identified, ...(language !== undefined && { language }) };
  const findings = checkPublication(item).map(
    (finding, number): DraftFinding => ({ ...finding, path: placeIn(fields, finding), number }),
  );
  return { fields: identified.fields, language, findings };
}

/** Returns the path of a finding. One of a whole field or input is solved where that is chosen. */
function placeIn(fields: readonly unknown[], { code, path }: Finding): Finding['path'] {
  const [list, index, name, ...below] = path;
  if (list !== 'fields' || index === undefined || below.length > 0) return path;
  if (name === undefined) return code === 'wrongType' ? [...path, 'fieldType'] : path;
  if (!inputsOf(fields[Number(index)]).some((input) => input === name)) return path;
  return [...path, code === 'noCharacters' ? 'alpha' : 'subType'];
}

/**
 * Merges a draft with what others have published since, attribute by attribute.
 *
 * @param decide decides what both sides changed differently.
 * @returns the draft on top of theirs, or the conflicts that are left.
 */
export function mergedWith(
  { from, fields, language, added = [], undoes }: EditedDraft,
  theirs: LiveConfiguration,
  decide?: Decide,
): { readonly draft?: EditedDraft; readonly conflicts: readonly MergeConflict[] } {
  const live = draftOf(theirs);
  const { merged, conflicts } = mergeContents(from, { fields, language }, live, decide);
  const draft = merged && { ...live, ...merged, added, ...(undoes && { undoes }) };
  return { ...(draft && { draft }), conflicts };
}

export function asMap(value: unknown): StoredMap {
  return isMap(value) ? value : {};
}
