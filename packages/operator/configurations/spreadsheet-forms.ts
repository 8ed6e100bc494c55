import { APOSTROPHE, SIGN } from '../csv.ts';

/*
 * Spreadsheets take cells for numbers, dates and formulas, and save what they show of them: `007`
 * becomes 7, `1E5` 1.00E+05, `1-2` 02. Jan. They compose letters, and drop spaces and apostrophes.
 */

/** True if a spreadsheet may have saved a text as this cell. */
export function mayShow(cell: string, text: string): boolean {
  const [shown, own] = [plain(cell), plain(text)];
  return shown === own || isSameNumber(shown, own) || isSameDate(shown, own);
}

/** True if the text is a formula for a spreadsheet, and the cell may be its result. */
export function mayResultFrom(cell: string, text: string): boolean {
  const isResult = /^(?:#|Err:)/.test(cell) || numberIn(plain(cell)) !== undefined;
  return isResult && SIGN.test(plain(text));
}

/** Returns a cell without what programs change in any text. */
export function plain(cell: string): string {
  return cell.normalize('NFC').replaceAll(APOSTROPHE, '').trim();
}

const NUMBER = /^=?([-+]?(\d*[.,]?\d+)(?:e[-+]?\d+)?)$/i;

function numberIn(text: string): { readonly value: number; readonly digits: number } | undefined {
  const [, number = '', mantissa = ''] = NUMBER.exec(text) ?? [];
  const value = number === '' ? Number.NaN : Number(number.replace(',', '.'));
  if (!Number.isFinite(value)) return undefined;
  return { value, digits: mantissa.replaceAll(/[.,]|^0+/g, '').length };
}

/** Spreadsheets round a number with an exponent, and keep 15 digits of one without. */
function isSameNumber(cell: string, text: string): boolean {
  const [shown, own] = [numberIn(cell), numberIn(text)];
  if (!shown || !own) return false;
  const isRounded = /e/i.test(cell) || shown.digits > 15;
  const digits = Math.min(shown.digits, 15);
  const tolerance = isRounded ? Math.abs(own.value) * 10 ** (1 - digits) : 0;
  return Math.abs(shown.value - own.value) <= tolerance;
}

/** A day or a time in digits, as people write versions, ranges and sizes too. */
const DIGITS = /^(\d{1,4})[-/.:](\d{1,4})(?:[-/.:](\d{1,4}))?$/;
/** What spreadsheets of many languages make of it. */
const DATE = /^(\d{1,4}|\p{L}{3,9})[-/.: ]{1,2}(\d{1,4}|\p{L}{3,9}\.?)(?:[-/.: ]{1,2}(\d{1,4}))?$/u;

/** True for the same numbers in any order. One may be the name of a month, and a year be added. */
function isSameDate(cell: string, text: string): boolean {
  const [shown = [], own = []] = [DATE.exec(cell), DIGITS.exec(text)].map((found) =>
    found?.slice(1).filter((part) => part !== undefined),
  );
  const left = own.map(twoDigits);
  const numbers = shown.filter((part) => /\d/.test(part)).map(twoDigits);
  const added = numbers.filter((number) => {
    const at = left.indexOf(number);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  const months = shown.length - numbers.length;
  return own.length > 0 && left.length === months && added.length <= 3 - own.length;
}

const twoDigits = (part: string) => Number(part) % 100;

/**
 * Writes two texts in quotes. If they look the same, the characters that may differ are escaped.
 */
export function quotedApart(one: string, other: string): readonly [string, string] {
  const write = (text: string) => {
    const quoted = JSON.stringify(text);
    return isAlike(one, other) ? quoted.replaceAll(/[^ -~]/g, escaped) : quoted;
  };
  return [write(one), write(other)];
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** True if each character is the same, or may be the likeness of one: `а` of another alphabet. */
function isAlike(one: string, other: string): boolean {
  const [characters, others] = [one, other].map((text) => [
    ...text.normalize('NFKC').replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, ''),
  ]);
  const mayLook = (a = '', b = '') => a === b || isLikeness(a, b) || isLikeness(b, a);
  return (
    characters?.length === others?.length &&
    !!characters?.every((a, at) => mayLook(a, others?.[at]))
  );
}

function isLikeness(ascii: string, other: string): boolean {
  return /^[ -~]$/.test(ascii) && /^(?!\p{Script=Latin})[^ -~]$/u.test(other);
}
