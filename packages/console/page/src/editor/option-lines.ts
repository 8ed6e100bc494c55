import leven from 'leven';
import { asMap } from '../draft/draft.ts';

/* The options of a dropdown as lines of text. Pure functions. */

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
    !published.some((one) => one.value === value) &&
    value.replace(/_\d+$/, '') !== valueFor(display);
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

/** The change of the value of an option, compared with the published options. */
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
  const name = valueFor(display);
  let value = name;
  for (let number = 2; used.has(value); number++) value = `${name}_${number}`;
  used.add(value);
  return value;
}

function valueFor(display: string): string {
  const name = display
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  return name || 'option';
}

/** A word may have a mistake in so many letters, but no more than two. */
const LETTERS_PER_MISTAKE = 5;
const MAX_MISTAKES = 2;

/** Scripts whose words are long enough to resemble each other only by a mistake. */
const LETTERS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;

/**
 * Returns a function that finds the first of some texts that another one only corrects: case,
 * accents, spaces, hyphens, or a mistake in a long word. Another digit or sign makes another text,
 * such as `Size 39` or `A+`.
 */
function correctionsOf<T>(items: readonly T[], textOf: (item: T) => string) {
  const known = items.map((item) => ({ item, text: folded(textOf(item)) }));
  const byFirst = Map.groupBy(known, ({ text }) => text[0]);
  return (text: string, isFree: (item: T) => boolean): T | undefined => {
    const own = folded(text);
    const isMatch = (one: (typeof known)[number]) => isFree(one.item) && isCorrected(own, one.text);
    return byFirst.get(own[0])?.find(isMatch)?.item;
  };
}

function isCorrected(one: string, two: string): boolean {
  if (one.replaceAll(' ', '') === two.replaceAll(' ', '')) return true;
  const [words, others] = [one.split(' '), two.split(' ')];
  return (
    words.length === others.length && words.every((word, at) => isSameWord(word, others[at] ?? ''))
  );
}

/** Removes accents and case, and makes a space of what stands between words. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+|(?<=\p{L})[-‐'’.,](?=\p{L})/gu, ' ')
    .trim()
    .replace(/(?<=\p{L})[.,;:]$/u, '');
}

function isSameWord(word: string, other: string): boolean {
  if (word === other) return true;
  if (word[0] !== other[0] || ![word, other].every((one) => LETTERS.test(one))) return false;
  const length = Math.max(word.length, other.length);
  const maxDistance = Math.min(MAX_MISTAKES, Math.floor(length / LETTERS_PER_MISTAKE));
  return leven(word, other, { maxDistance: maxDistance + 1 }) <= maxDistance;
}
