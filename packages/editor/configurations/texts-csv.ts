import {
  isBlank,
  languageTag,
  mapOf,
  readTexts,
  translationKey,
} from 'customer-data-api/configuration';
import { csvLine, fromSpreadsheet, inSpreadsheet, readCsv } from '../csv.ts';
import { ROWS } from '../words.ts';

const COLUMNS = ['field', 'what', 'original', 'translation'] as const;

/** A row of a spreadsheet that cannot be merged. */
interface RowFinding {
  /** The row as spreadsheets count them: the names of the columns are in row 1. */
  readonly row: number;
  readonly message: string;
}

interface Text {
  /** The index of the field. */
  readonly index: number;
  /** The path in the field's translation. */
  readonly path: readonly string[];
  readonly cells: Readonly<Record<(typeof COLUMNS)[number], string>>;
}

/** Lists the texts of the fields that have an id, with those that the language lacks. */
function listTexts(fields: readonly unknown[], language: string): Text[] {
  return readTexts(fields)(language).flatMap(({ index, path, original, translation = '' }) => {
    const field = Object(fields[index]).id;
    if (typeof field !== 'string') return [];
    return [{ index, path, cells: { field, what: path.join('.'), original, translation } }];
  });
}

/** Returns the texts by what a row says of them. The first field with an id is served. */
function textsByKey(fields: readonly unknown[], language: string): ReadonlyMap<string, Text> {
  const texts = listTexts(fields, language).toReversed();
  return new Map(texts.map((text) => [rowKey(text.cells), text]));
}

/** The two cells that identify a text, as a spreadsheet shows them. */
function rowKey({ field, what }: Pick<Text['cells'], 'field' | 'what'>): string {
  return [field, what].map(inSpreadsheet).join('\0');
}

/** The content that a spreadsheet was made of. */
export interface TextsOrigin {
  readonly clientId: string;
  /** The version, for people: only the digest counts. Undefined while it is unknown. */
  readonly version?: number | undefined;
  /** The digest of the content, or of what a draft changes. */
  readonly digest: string;
}

/** The digits of a digest that a spreadsheet has. */
const DIGITS = 12;

/**
 * Writes the texts of a language for translators, as lines of CSV that name the language and what
 * they were made of.
 */
export function textsToCsv(
  fields: readonly unknown[],
  language: string,
  { clientId, version, digest }: TextsOrigin,
): string[] {
  const rows = listTexts(fields, language).map(({ cells }) => COLUMNS.map((name) => cells[name]));
  const name = version === undefined ? clientId : `${clientId}@${version}`;
  const last = `translation (${language}) ${name} ${digest.slice(0, DIGITS)}`;
  return [[...COLUMNS.slice(0, -1), last], ...rows].map(csvLine);
}

/**
 * Returns the first digits of the digest of what a spreadsheet was made of; undefined if it does
 * not say that.
 */
export function madeOf(csv: string, language: string): string | undefined {
  const [names = []] = readCsv(csv);
  const columns = columnsIn(names, language);
  return typeof columns === 'string' ? undefined : columns.digest;
}

/** The result of a merge of translations into fields. */
export interface MergedTexts {
  readonly fields: readonly unknown[];
  /** The findings. If there is one, nothing is merged. */
  readonly findings: readonly RowFinding[];
}

/**
 * Merges the translations of a spreadsheet into the fields, by the id of the field and the path of
 * the text. A row without a translation changes nothing, nor does one that nobody has changed.
 *
 * @param base the fields that the spreadsheet was made of, if it says so: see `madeOf`.
 */
export function mergeTexts(
  fields: readonly unknown[],
  language: string,
  csv: string,
  base?: readonly unknown[],
): MergedTexts {
  const findings: RowFinding[] = [];
  const [names = [], ...rows] = readCsv(csv);
  const columns = columnsIn(names, language);
  if (typeof columns === 'string') return { fields, findings: [{ row: 1, message: columns }] };
  const [before, now] = [base ?? [], fields].map((side) => textsByKey(side, language));
  const merged = [...fields];
  const rowsOf = new Map<Text, number>();
  for (const [at, row] of rows.entries()) {
    const refuse = (message: string) => findings.push({ row: at + 2, message });
    if (!isSplitAs(names, row)) {
      refuse(ROWS.otherCells);
      continue;
    }
    const unread = row.findIndex(
      (one, column) =>
        one.trim() !== '' && !columns.read.includes(column) && !isComment(names[column]),
    );
    if (unread !== -1) {
      refuse(ROWS.unreadColumn(columnName(unread, names[unread]), COMMENT));
      continue;
    }
    const [field = '', what = '', original = '', cell = ''] = columns.read.map(
      (column) => row[column] ?? '',
    );
    const [was, text] = [before, now].map((texts) => texts?.get(`${field}\0${what}`));
    if (isBlank(cell) || [was, text].some((one) => one && shows(cell, one.cells.translation))) {
      continue;
    }
    const value = fromSpreadsheet(cell);
    const first = text && rowsOf.get(text);
    if (!text) {
      refuse(ROWS.unknownText(field, what));
    } else if (!hasOriginal(original, text, was)) {
      refuse(ROWS.otherOriginal(original, text.cells.original));
    } else if (text.cells.translation !== (was?.cells.translation ?? '')) {
      refuse(ROWS.otherTranslation(value, text.cells.translation, base !== undefined));
    } else if (first !== undefined) {
      refuse(ROWS.repeated(field, what, first));
    } else {
      rowsOf.set(text, at + 2);
      const stored = merged[text.index];
      const place = ['translations', translationKey(stored, language), ...text.path];
      merged[text.index] = withText(stored, place, value);
    }
  }
  return findings.length > 0 ? { fields, findings } : { fields: merged, findings };
}

/** True unless the original of a row has changed. A program may have changed the cell. */
function hasOriginal(cell: string, { cells: { original } }: Text, was: Text | undefined): boolean {
  return cell === inSpreadsheet(original) || was?.cells.original === original;
}

/** True for a text as it is written for a spreadsheet, or as it is. */
function shows(cell: string, text: string): boolean {
  return cell === inSpreadsheet(text) || fromSpreadsheet(cell) === text;
}

/** Never read: there, a translator may write what is not for customers. */
const COMMENT = 'comment';
const isComment = (name = '') => name.trim().toLowerCase() === COMMENT;

/** The columns that are read, in the order of `COLUMNS`, and what the texts were made of. */
interface Columns {
  readonly read: readonly number[];
  readonly digest: string | undefined;
}

/** The name of the last column: `translation (fr) pizza@3 45d963a0a0dc`. */
const TRANSLATION = /^translation \(([^)]*)\)(?:\s+(.*))?$/i;

/** Finds the columns, or the message about their names. They may name no language. */
function columnsIn(names: readonly string[], language: string): Columns | string {
  const known = names.map((name) => name.trim().toLowerCase());
  const tagged = names.map((name) => TRANSLATION.exec(name.trim()) ?? []);
  const own = tagged.findIndex(([, tag]) => languageTag(tag) === language);
  const read = COLUMNS.map((name) =>
    name === 'translation' && own !== -1 ? own : known.indexOf(name),
  );
  const [, other] = tagged.find(([, tag]) => tag !== undefined) ?? [];
  if (read.at(-1) === -1 && other !== undefined) {
    const words = languageTag(other) === undefined ? ROWS.noLanguage : ROWS.otherLanguage;
    return words(other, language);
  }
  if (read.includes(-1)) return ROWS.noColumns(COLUMNS, language);
  const [, , origin = ''] = tagged[own] ?? [];
  const [digest] = new RegExp(`(?<=^|\\s)[\\da-f]{${DIGITS}}$`).exec(origin) ?? [];
  return origin !== '' && digest === undefined ? ROWS.noDigest(origin, DIGITS) : { read, digest };
}

/** Names a column as spreadsheets do, and by its first cell: `E (French)`. */
function columnName(index: number, name = ''): string {
  const letters = (at: number): string =>
    `${at < 26 ? '' : letters(Math.floor(at / 26) - 1)}${String.fromCharCode(65 + (at % 26))}`;
  return `${letters(index)}${name.trim() === '' ? '' : ` (${name.trim()})`}`;
}

/**
 * True if a row has the cells of the first one. Spreadsheets may add empty cells, or leave out
 * those at the end; with another separator, or without quotes, a row has more or fewer.
 */
function isSplitAs(names: readonly string[], row: readonly string[]): boolean {
  const others = row.slice(names.length);
  const isWhole = row.length < names.length && row.some((cell) => /[,;\t]/.test(cell));
  return !isWhole && others.every((cell) => cell === '');
}

function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  const map = mapOf(value);
  return { ...map, [name]: withText(Object.hasOwn(map, name) ? map[name] : {}, rest, text) };
}
