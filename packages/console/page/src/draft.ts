import {
  assignIds,
  checkPublication,
  type Finding,
  isMap,
  type StoredMap,
} from 'customer-data-api/configuration';
import {
  type Decide,
  fromSpreadsheet,
  type MergeConflict,
  mergeContents,
  readCsv,
} from 'customer-data-api-operator/browser';
import type { Client, Content, Live } from './answers.ts';
import { correctionsOf } from './corrections.ts';

/* A draft of a configuration, and everything that changes it. Pure functions. */

/** A draft: what an operator has made of the configuration with the digest `base`. */
export interface Draft {
  readonly base: string;
  /** The fields of the base. */
  readonly original: readonly unknown[];
  readonly originalLanguage?: unknown;
  readonly fields: readonly unknown[];
  /** The language of the fields' own texts. */
  readonly language?: unknown;
}

/** Returns a draft without changes. */
export function draftOf({ base, fields, language }: Live): Draft {
  const original = Array.isArray(fields) ? fields : [];
  return { base, original, originalLanguage: language, fields: original, language };
}

export function hasSameContent(one: Content, other: Content): boolean {
  const [before, after] = [one, other].map(({ fields, language }) => [fields, language]);
  return JSON.stringify(before) === JSON.stringify(after);
}

export function isChanged({ original, originalLanguage, ...draft }: Draft): boolean {
  return !hasSameContent({ fields: original, language: originalLanguage }, draft);
}

/** Returns the ids of the fields that two contents do not share. */
export function changedIds(...contents: readonly Content[]): unknown[] {
  const all = contents.flatMap(({ fields }) => (Array.isArray(fields) ? fields : []));
  const texts = all.map((field) => JSON.stringify(field));
  const isAlone = (text: string | undefined) => texts.filter((one) => one === text).length === 1;
  return all.filter((_, at) => isAlone(texts[at])).map((field) => asMap(field).id);
}

/** Reads a stored draft; undefined if it is none. */
export function parseDraft(text: string | null): Draft | undefined {
  try {
    const { base, fields, language, original, originalLanguage } = JSON.parse(text ?? '');
    const isDraft = typeof base === 'string' && [fields, original].every(Array.isArray);
    return isDraft ? { base, fields, language, original, originalLanguage } : undefined;
  } catch {
    return undefined;
  }
}

/** The states of a draft, the earlier and the undone ones too. */
export interface Edits {
  readonly drafts: readonly Draft[];
  /** The position of the draft that is shown. */
  readonly at: number;
  /** The step of the last edit. */
  readonly step: string;
  /** What the last edit did, if the operator may not have seen it. */
  readonly notice: string;
}

export function startEdits(draft: Draft): Edits {
  return { drafts: [draft], at: 0, step: '', notice: '' };
}

/** Replaces the draft. Successive edits of one step, such as letters, are undone at once. */
export function edited({ drafts, ...last }: Edits, next: Draft, step: string, notice = ''): Edits {
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

export const KINDS = ['text', 'drop', 'combo'] as const;
export type Kind = (typeof KINDS)[number];

const TEXT_INPUT = {
  subType: 'text',
  placeHolderText: '',
  allowCopies: true,
  alpha: true,
  numbers: true,
  symbols: true,
  maxChars: 50,
};

/** Returns a new field. It gets an id when it is published. */
export function newField(kind: Kind): unknown {
  const subFieldA = withSubType(TEXT_INPUT, kind === 'drop' ? kind : 'text');
  return {
    fieldName: '',
    fieldType: kind,
    mandatory: false,
    appUIs: ['register', 'profile'],
    allowMultiple: false,
    subFieldA,
    ...(kind === 'combo' && { subFieldB: TEXT_INPUT }),
  };
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

/** Returns the lines of a text that are not blank. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Makes options of lines with their texts. A text that was there keeps its value, wherever its line
 * moves, and so does the correction of a text that is published: customers have chosen it. Any
 * other text gets a value that is made of it. Only the published texts count, so that no series of
 * small edits gives a value to another text.
 *
 * @param before the options before the edit.
 * @param published the options that customers can choose now.
 */
export function optionsFromLines(
  lines: readonly string[],
  before: readonly Option[],
  published: readonly Option[],
): Option[] {
  const byText = Map.groupBy(before, ({ display }) => display);
  const options = lines.map((display) => byText.get(display)?.shift());
  const taken = new Set(options.map((option) => option?.value));
  // A value that the operator chose stays with a text that is corrected.
  const isChosen = ({ value, display }: Option) =>
    !published.some((one) => one.value === value) && value.replace(/_\d+$/, '') !== nameOf(display);
  const rest = [...published, ...before.filter(isChosen)];
  const isFree = ({ value }: Option) => !taken.has(value);
  const restByText = Map.groupBy(rest, ({ display }) => display);
  const correctedBy = correctionsOf(rest, ({ display }) => display);
  for (const find of [(text: string) => restByText.get(text)?.find(isFree), correctedBy]) {
    for (const [at, display] of lines.entries()) {
      const match = options[at] ? undefined : find(display, isFree);
      if (!match) continue;
      options[at] = { value: match.value, display };
      taken.add(match.value);
    }
  }
  const used = new Set([...published, ...options].flatMap((option) => option?.value ?? []));
  return lines.map((display, at) => options[at] ?? { value: freshValue(display, used), display });
}

/** Sorts options by their texts, as people sort them. */
export function sortedOptions(options: readonly Option[]): Option[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return options.toSorted((one, other) => compare(one.display, other.display));
}

/**
 * Removes options whose text another one has, apart from case and spaces. Of them, the first one
 * that customers can choose now stays.
 */
export function withoutDuplicates(
  options: readonly Option[],
  published: readonly Option[],
): Option[] {
  const values = new Set(published.map(({ value }) => value));
  const folded = ({ display }: Option) =>
    display.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
  const kept = [...Map.groupBy(options, folded).values()].map(
    (same) => same.find(({ value }) => values.has(value)) ?? same[0],
  );
  return options.filter((option) => kept.includes(option));
}

/** Writes the rows of a CSV as lines of options, with tabs between columns. */
export function linesOfCsv(csv: string): string[] {
  return readCsv(csv)
    .map((row) => row.map((cell) => fromSpreadsheet(cell).replace(/\s+/g, ' ').trim()).join('\t'))
    .map((line) => line.replace(/\t+$/, ''))
    .filter((line) => line.trim() !== '');
}

/** Tells which columns of a spreadsheet have the texts of options and their values. */
export interface Columns {
  readonly text: number;
  /** -1 if none has the values. */
  readonly value: number;
}

/** Returns the cells of each option whose text has several: a spreadsheet copies them with tabs. */
export function cellsOf({ display }: Option): string[] {
  return display.split('\t').map((cell) => cell.trim());
}

/** Splits texts with tabs into texts and values. */
export function splitOptions(
  options: readonly Option[],
  { text, value }: Columns,
  published: readonly Option[],
): Option[] {
  const split = options.flatMap((option) => {
    const cells = cellsOf(option);
    if (cells.length === 1) return [option];
    const display = cells[text] ?? '';
    return display === '' ? [] : [{ display, value: cells[value] ?? '' }];
  });
  const lines = split.map(({ display }) => display);
  const given = split.filter((option) => option.value !== '');
  return optionsFromLines(lines, given, published);
}

/** What becomes of the value of an option, compared with the published options. */
export type ValueState = 'kept' | 'corrected' | 'new';

/** Compares an option with the published texts by value. */
export function valueState(
  { value, display }: Option,
  published: ReadonlyMap<string, string>,
): ValueState {
  if (!published.has(value)) return 'new';
  return published.get(value) === display ? 'kept' : 'corrected';
}

/** Makes a value of a text, such as `blue_green` of "Blue & green", that is not used yet. */
function freshValue(display: string, used: Set<string>): string {
  const name = nameOf(display);
  let value = name;
  for (let number = 2; used.has(value); number++) value = `${name}_${number}`;
  used.add(value);
  return value;
}

function nameOf(display: string): string {
  const name = display
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  return name || 'option';
}

/** A finding in a draft, which its number identifies wherever it is shown. */
export interface DraftFinding extends Finding {
  readonly number: number;
}

/** Returns a draft as it would be published, with ids, and its problems by the service's rules. */
export function checkDraft(
  { fields, language }: Draft,
  { clientId, highestId }: Pick<Client, 'clientId' | 'highestId'>,
) {
  const identified = assignIds(fields, 0, highestId);
  const item = { clientId, ...identified, ...(language !== undefined && { language }) };
  const findings = checkPublication(item)
    // Browsers know fewer languages than the server, whose review has this warning.
    .filter(({ code, severity }) => code !== 'invalidLanguage' || severity === 'error')
    .map((finding, number): DraftFinding => ({ ...finding, number }));
  return { fields: identified.fields, language, findings };
}

/**
 * Merges a draft with what others have published since, attribute by attribute.
 *
 * @param decide decides what both sides changed differently.
 * @returns the draft on top of theirs, or the conflicts that are left.
 */
export function mergedWith(
  { original, originalLanguage, fields, language }: Draft,
  theirs: Live,
  decide?: Decide,
): { readonly draft?: Draft; readonly conflicts: readonly MergeConflict[] } {
  const live = draftOf(theirs);
  const base = { fields: original, language: originalLanguage };
  const { merged, conflicts } = mergeContents(base, { fields, language }, live, decide);
  return { ...(merged && { draft: { ...live, ...merged } }), conflicts };
}

export function asMap(value: unknown): StoredMap {
  return isMap(value) ? value : {};
}
