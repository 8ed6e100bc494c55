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

/** The options that customers can choose now, and those of the history, the newest first. */
export interface Known {
  readonly published: readonly Option[];
  readonly earlier?: readonly Option[] | undefined;
}

/** Returns the number of the only option whose line was edited; undefined if there is none. */
export function editedLine(before: string, after: string): number | undefined {
  const [old, fresh] = [before, after].map((text) => text.split('\n').map((line) => line.trim()));
  if (!old || !fresh || old.length !== fresh.length) return undefined;
  const changed = [...fresh.keys()].filter((at) => fresh[at] !== old[at]);
  const [at = 0] = changed;
  const isOne = changed.length === 1 && old[at] !== '' && fresh[at] !== '';
  return isOne ? fresh.slice(0, at).filter((line) => line !== '').length : undefined;
}

/**
 * Makes options of lines with their texts. The text decides first: one that is live has its value,
 * wherever its line moves, and one that was live takes its last value back, unless another option
 * has that. Then the only line that was edited keeps its value. Any other text gets a value that is
 * made of it.
 *
 * @param before the options before the edit. A value that is not live follows its text.
 * @param edited the number of the only line that was edited.
 */
export function optionsFromLines(
  lines: readonly string[],
  before: readonly Option[],
  { published, earlier = [] }: Known,
  edited?: number,
): Option[] {
  const live = new Set(published.map(({ value }) => value));
  // A value that the operator chose.
  const isChosen = ({ value, display }: Option) =>
    !live.has(value) && value.replace(/_\d+$/, '') !== valueFor(display);
  const options: (Option | undefined)[] = [];
  const taken = new Set<string>();
  const give = (at: number, option: Option | undefined) => {
    if (options[at] || !option || taken.has(option.value)) return;
    options[at] = { value: option.value, display: lines[at] ?? '' };
    taken.add(option.value);
  };
  const [own, lives] = [before, published].map((known) => Map.groupBy(known, textOf));
  const last = new Map(earlier.toReversed().map((option) => [option.display, option]));
  const isFree = ({ value }: Option) => !taken.has(value);
  const ways: ((text: string) => Option | undefined)[] = [
    (text) => own?.get(text)?.find((one) => isFree(one) && isChosen(one)),
    (text) => lives?.get(text)?.find(isFree),
    (text) => own?.get(text)?.find(isFree),
    (text) => last.get(text),
  ];
  for (const find of ways) for (const [at, text] of lines.entries()) give(at, find(text));
  const edit = before.length === lines.length ? before[edited ?? -1] : undefined;
  const isKept = edit && (live.has(edit.value) || isChosen(edit));
  // A second line with a live text is no correction.
  if (isKept && edited !== undefined && !lives?.has(lines[edited] ?? '')) give(edited, edit);
  const used = new Set([...live, ...earlier.map(({ value }) => value), ...taken]);
  return lines.map((display, at) => options[at] ?? { value: freshValue(display, used), display });
}

/**
 * Gives texts that were typed before the history was known their last values.
 *
 * @param asked the options before, which stay as they are.
 */
export function withEarlierValues(
  options: readonly Option[],
  asked: readonly Option[],
  known: Known,
): Option[] {
  const { published, earlier = [] } = known;
  const before = new Set(asked.map(keyOf));
  const texts = new Set(earlier.map(textOf));
  const others = new Set(earlier.map(({ value }) => value));
  for (const { value } of published) others.delete(value);
  const isKept = (one: Option) =>
    before.has(keyOf(one)) || !(texts.has(one.display) || others.has(one.value));
  return optionsFromLines(options.map(textOf), options.filter(isKept), known);
}

/** Returns a value for an option that is another one than it was. */
export function otherValue({ display }: Option, options: readonly Option[], known: Known): string {
  const all = [...options, ...known.published, ...(known.earlier ?? [])];
  return freshValue(display, new Set(all.map(({ value }) => value)));
}

function textOf({ display }: Option): string {
  return display;
}

/** Identifies a text with its value. */
export function keyOf({ value, display }: Option): string {
  return JSON.stringify([value, display]);
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
  const kept = [...Map.groupBy(options, withoutCase).values()].map(
    (same) => same.find(({ value }) => values.has(value)) ?? same[0],
  );
  return options.filter((option) => kept.includes(option));
}

/** Lists the texts that several options have, apart from case and spaces. */
export function repeatedTexts(options: readonly Option[]): string[] {
  const same = [...Map.groupBy(options, withoutCase).values()];
  return same.flatMap(([first, second]) => (first && second ? [first.display] : []));
}

function withoutCase({ display }: Option): string {
  return display.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The change of the value of an option, compared with what customers can or could choose. */
export type ValueState = 'kept' | 'corrected' | 'back' | 'new';

/**
 * Compares an option with the published texts by value.
 *
 * @param earlier the keys of those of the history.
 */
export function valueState(
  option: Option,
  published: ReadonlyMap<string, string>,
  earlier: ReadonlySet<string> = new Set(),
): ValueState {
  const { value, display } = option;
  if (!published.has(value)) return earlier.has(keyOf(option)) ? 'back' : 'new';
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
