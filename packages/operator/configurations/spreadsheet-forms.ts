import { APOSTROPHE, SIGN } from '../csv.ts';
import { mayNameMonth } from './month-names.ts';

/*
 * Spreadsheets take cells for numbers, dates and formulas, and save what they show of them: `007`
 * becomes 7, `1E5` 1.00E+05, `1-2` 02. Jan. They compose letters, and drop spaces and apostrophes.
 */

/** How a spreadsheet may take a cell. Many cells are compared with many, so it is found once. */
export interface CellForm {
  /** The cell without what programs change in any text. */
  readonly plain: string;
  readonly number: ReturnType<typeof numberIn>;
  /** The parts of a day or a time in digits. */
  readonly digits: readonly string[];
  /** The same, or with the name of a month. */
  readonly date: readonly string[];
}

/** Finds how a spreadsheet may take a cell. */
export function formOf(cell: string): CellForm {
  const plain = cell.normalize('NFC').replaceAll(APOSTROPHE, '').trim();
  const [digits, date] = [DIGITS, DATE].map((pattern) => pattern.exec(plain)?.slice(1) ?? []);
  return { plain, number: numberIn(plain), digits: digits ?? [], date: date ?? [] };
}

/** True if a spreadsheet may have saved a text as this cell. */
export function mayShow(cell: CellForm, text: CellForm): boolean {
  return cell.plain === text.plain || isSameNumber(cell, text) || isSameDate(cell, text);
}

/** True if the text is a formula for a spreadsheet, and the cell may be its result. */
export function mayResultFrom({ plain, number }: CellForm, text: CellForm): boolean {
  return SIGN.test(text.plain) && (number !== undefined || /^(?:#|Err:)/.test(plain));
}

const NUMBER = /^=?([-+]?\d*[.,]?\d+(?:e[-+]?\d+)?)$/i;
const GROUPED = /^=?([-+]?[1-9]\d{0,2}([.,'’\s])\d{3}(?:\2\d{3})*)(?:[.,](\d+))?$/;

/** Reads a number in each way that a country may: `1.000` is one, or a thousand. */
function numberIn(text: string) {
  const [, plain] = NUMBER.exec(text) ?? [];
  const [, whole, , decimals = ''] = GROUPED.exec(text) ?? [];
  const values = [
    ...(plain === undefined ? [] : [Number(plain.replace(',', '.'))]),
    ...(whole === undefined ? [] : [Number(`${whole.replaceAll(/[.,'’\s]/g, '')}.${decimals}`)]),
  ].filter(Number.isFinite);
  if (values.length === 0) return undefined;
  const [mantissa = '', exponent] = text.split(/e/i);
  const digits = mantissa.replaceAll(/\D/g, '').replace(/^0+/, '').length;
  return { values, digits: Math.min(digits, 15), isRounded: !!exponent || digits > 15 };
}

/** Spreadsheets round a number with an exponent, and keep 15 digits of one without. */
function isSameNumber({ number: cell }: CellForm, { number: text }: CellForm): boolean {
  if (!cell || !text) return false;
  const isNear = (shown: number, value: number) => {
    const tolerance = cell.isRounded ? Math.abs(value) * 10 ** (1 - cell.digits) : 0;
    return Math.abs(shown - value) <= tolerance;
  };
  return cell.values.some((shown) => text.values.some((value) => isNear(shown, value)));
}

/** A day or a time in digits, as people write versions, ranges and sizes too. */
const DIGITS = /^(\d{1,4})[-/.:](\d{1,4})(?:[-/.:](\d{1,4}))?$/;
/** What spreadsheets of many languages make of it. */
const DATE = /^(\d{1,4}|\p{L}{3,9})[-/.: ]{1,2}(\d{1,4}|\p{L}{3,9}\.?)(?:[-/.: ]{1,2}(\d{1,4}))?$/u;

/** True for the same numbers in any order. One may be the name of a month, and a year be added. */
function isSameDate({ date }: CellForm, { digits }: CellForm): boolean {
  if (date.length === 0 || digits.length === 0) return false;
  const [shown = [], own = []] = [date, digits].map((parts) =>
    parts.filter((part) => part !== undefined),
  );
  const left = own.map(twoDigits);
  const [numbers = [], names = []] = [true, false].map((isNumber) =>
    shown.filter((part) => /\d/.test(part) === isNumber),
  );
  const added = numbers.map(twoDigits).filter((number) => {
    const at = left.indexOf(number);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return (
    left.length === names.length &&
    names.every((name, at) => mayNameMonth(name, left[at])) &&
    added.length <= 3 - own.length
  );
}

const twoDigits = (part: string) => Number(part) % 100;

/**
 * Writes two texts in quotes. If they look the same, the characters that may differ are escaped.
 */
export function quotedApart(one: string, other: string): readonly [string, string] {
  const write = (text: string) => {
    const quoted = JSON.stringify(text);
    return isAlike(one, other) ? quoted.replaceAll(/[^ -~]|(?<= ) /g, escaped) : quoted;
  };
  return [write(one), write(other)];
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** True if each character is the same, or may be the likeness of one: `а` of another alphabet. */
function isAlike(one: string, other: string): boolean {
  const [characters, others] = [one, other].map((text) => [
    ...text
      .normalize('NFKC')
      .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
      .replaceAll(/ +/g, ' '),
  ]);
  const mayLook = (a = '', b = '') => a === b || isLikeness(a, b) || isLikeness(b, a);
  return (
    characters?.length === others?.length &&
    !!characters?.every((a, at) => mayLook(a, others?.[at]))
  );
}

function isLikeness(one: string, other: string): boolean {
  return /^[ -~]$/.test(one)
    ? /^(?!\p{Script=Latin})[^ -~]$/u.test(other)
    : /^(?:\p{Pd}{2}|[\p{Pi}\p{Pf}‚„]{2})$/u.test(`${one}${other}`);
}
