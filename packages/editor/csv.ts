import { printable } from 'customer-data-api-deployment/printable';

/*
 * CSV (RFC 4180). Spreadsheets run formulas, and apps or other people chose the values: an
 * apostrophe makes each place at which one could start text. A library that reads CSV would take an
 * eighth of what the console may load.
 */

/** The signs that start a formula. Some versions take their wide and small forms for them. */
const SIGNS = String.raw`[=+\-@＝＋－＠﹦﹢﹣﹫−]`;

/**
 * Starts a formula where a cell starts. Which character separates cells depends on the spreadsheet
 * and its country, but it is no letter and no digit, `_` or sign.
 */
const FORMULA = new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}_=+\-@])${SIGNS}`, 'gu');
const ESCAPE = /\\u([\da-f]{4})/g;
/** Matches an apostrophe that `inSpreadsheet` puts before a sign. */
const APOSTROPHE = new RegExp(`'(?=${SIGNS})`, 'gu');

/** Returns a value as a spreadsheet shows it. */
export function inSpreadsheet(value: string): string {
  return printable(value).replaceAll(FORMULA, "'$&");
}

/** Undoes `inSpreadsheet`: its apostrophes, and the escapes of what a terminal interprets. */
export function fromSpreadsheet(shown: string): string {
  const value = shown
    .replaceAll(APOSTROPHE, '')
    .replaceAll(ESCAPE, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return inSpreadsheet(value) === shown ? value : shown;
}

/** Writes a line of CSV. */
export function csvLine(values: readonly string[]): string {
  return values
    .map(inSpreadsheet)
    .map((value) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
    .join();
}

/** Reads CSV into rows, as spreadsheets of any country write it, with `,`, `;` or tabs. */
export function readCsv(csv: string): string[][] {
  // Excel reads the separator from a line that it does not show.
  const [before = '', named] =
    /^\ufeff?(?:"?sep=([,;\t|])"?[,;\t|]*(?:\r\n?|\n))?/i.exec(csv) ?? [];
  const text = csv.slice(before.length);
  // Else that of the first row: its cells are names.
  const separator = named ?? /[,;\t]/.exec(text)?.[0] ?? ',';
  const cell = `("[^"]*(?:""[^"]*)*"|[^${separator}\r\n]*)([${separator}]|\r\n?|\n|$)`;
  const rows: string[][] = [[]];
  for (const [, value = '', end] of text.matchAll(new RegExp(cell, 'g'))) {
    const [, quoted] = /^"(.*)"$/s.exec(value) ?? [];
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? value);
    if (end !== separator) rows.push([]);
  }
  return rows;
}
