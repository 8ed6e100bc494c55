import {
  counted,
  languageName,
  languagesOf,
  languageTag,
  mapOf,
  readTexts,
  shortened,
  translationKey,
} from 'customer-data-api/configuration';
import { csvLine, fromSpreadsheet, inSpreadsheet, readCsv } from '../csv.ts';
import { formOf, mayResultFrom, mayShow, quotedApart } from './spreadsheet-forms.ts';

const COLUMNS = ['field', 'what', 'original', 'translation'] as const;

/** A row of a spreadsheet that cannot be merged. */
export interface RowFinding {
  /** As spreadsheets count them: the names of the columns are in row 1. */
  readonly row: number;
  readonly message: string;
}

interface Text {
  /** The index of the field. */
  readonly index: number;
  /** The path in the field's translation. */
  readonly path: readonly string[];
  readonly cells: Readonly<Record<(typeof COLUMNS)[number], string>>;
  /** The original in an earlier version, if it was another one. */
  readonly earlier?: string | undefined;
}

/**
 * Lists the texts of the fields that have an id, with those that the language lacks.
 *
 * @param since the fields of an earlier version, to find originals that have changed.
 */
export function listTexts(
  fields: readonly unknown[],
  language: string,
  since: readonly unknown[] = [],
): Text[] {
  const originals = new Map(
    // Of fields with one id, the first is served.
    readTexts(since)(language)
      .toReversed()
      .map(({ index, path, original }) => [keyOf(Object(since[index]).id, path), original]),
  );
  return readTexts(fields)(language).flatMap(({ index, path, original, translation = '' }) => {
    const field = Object(fields[index]).id;
    if (typeof field !== 'string') return [];
    const was = originals.get(keyOf(field, path));
    const cells = { field, what: path.join('.'), original, translation };
    return [{ index, path, cells, earlier: was === original ? undefined : was }];
  });
}

function keyOf(id: unknown, path: readonly string[]): string {
  return JSON.stringify([id, path]);
}

/**
 * Writes the texts of a language for translators, as lines of CSV that name the language. With the
 * fields of an earlier version, a comment says which original was another one.
 */
export function textsToCsv(
  fields: readonly unknown[],
  language: string,
  since?: readonly unknown[],
): string[] {
  // The translation stays the last column, which translators fill in.
  const columns = since ? [...COLUMNS.slice(0, -1), 'comment', 'translation'] : COLUMNS;
  const rows = listTexts(fields, language, since).map(({ cells, earlier }) => {
    const comment = earlier === undefined ? '' : `was: ${earlier}`;
    const all: Readonly<Record<string, string>> = { ...cells, comment };
    return columns.map((name) => all[name] ?? '');
  });
  return [`${columns.join()} (${language})`, ...rows.map(csvLine)];
}

/** A translation, and the row that it comes from. */
interface Merged {
  readonly row: number;
  readonly text: Text;
  readonly value: string;
}

/** What a merge of translations makes of the fields. */
export interface MergedTexts {
  readonly fields: readonly unknown[];
  /** With one, nothing is merged. */
  readonly findings: readonly RowFinding[];
  /** Worth a look, and no reason to refuse the spreadsheet. */
  readonly warnings: readonly RowFinding[];
}

const NOT_UTF_8 = 'is not in UTF-8; save the spreadsheet as CSV in UTF-8';

/**
 * Merges the translations of a spreadsheet into the fields, by the id of the field and the path of
 * the text. A row without a translation changes nothing.
 */
export function mergeTexts(fields: readonly unknown[], language: string, csv: string): MergedTexts {
  const findings: RowFinding[] = [];
  const warnings: RowFinding[] = [];
  const refuseAll = (row: number, message: string): MergedTexts => {
    return { fields, findings: [{ row, message }], warnings };
  };
  const [names = [], ...rows] = readCsv(csv);
  if (csv.includes('\0')) return refuseAll(1, NOT_UTF_8);
  const columns = columnsIn(names, language);
  if (typeof columns === 'string') return refuseAll(1, columns);
  const texts = listTexts(fields, language);
  const cellsIn = rows.map((row) => columns.map((at) => row[at] ?? ''));
  const find = finderOf(texts, cellsIn);
  const foundIn = cellsIn.map(([field = '', what = '', original = '']) =>
    find(field, what, original),
  );
  const inRows = new Set(foundIn);
  const isStray = strayIn(texts.filter((text) => !inRows.has(text)));
  const merged = [...fields];
  const rowsOf = new Map<Text, Merged>();
  for (const [at, row] of rows.entries()) {
    const refuse = (message: string) => findings.push({ row: at + 2, message });
    if (!isSplitAs(names, row)) {
      refuse(
        'has more or fewer cells than row 1; separate them alike, and put a text with commas in quotes',
      );
      continue;
    }
    const unread = row.findIndex(
      (one, column) => one.trim() !== '' && !columns.includes(column) && !isComment(names[column]),
    );
    if (unread !== -1) {
      refuse(
        `has a text in the column ${columnName(unread, names[unread])}, which is not read; delete it, or name the column ${COMMENT}`,
      );
      continue;
    }
    const cells = cellsIn[at] ?? [];
    const [field = '', what = '', original = '', cell = ''] = cells;
    const found = foundIn[at];
    const text = typeof found === 'string' ? undefined : found;
    const hasOriginal = text && isOriginal(original, text);
    if (cell.trim() === '' || cell === inSpreadsheet(text?.cells.translation ?? '')) {
      if (text ? hasOriginal || original.trim() === '' : !isStray(cells)) continue;
      const [is, was] = quotedApart(text?.cells.original ?? '', original);
      const why = text ? `its original ${was} is now ${is}` : 'it belongs to no text';
      const message = `changes nothing: ${why}. A translation belongs in the column translation`;
      warnings.push({ row: at + 2, message });
    } else if (cells.join().includes('\ufffd') && !text?.cells.original.includes('\ufffd')) {
      refuse(NOT_UTF_8);
    } else if (!text) {
      refuse(String(found));
    } else if (!hasOriginal) {
      const [is, was] = quotedApart(text.cells.original, original);
      refuse(
        `has the original ${was}, which is now ${is}; check the translation, and write this there`,
      );
    } else if (rowsOf.has(text)) {
      refuse(`translates ${what} of field ${field} again, after row ${rowsOf.get(text)?.row}`);
    } else {
      const value = fromSpreadsheet(cell);
      rowsOf.set(text, { row: at + 2, text, value });
      const before = merged[text.index];
      const place = ['translations', translationKey(before, language), ...text.path];
      merged[text.index] = withText(before, place, value);
    }
  }
  if (findings.length > 0) return { fields, findings, warnings };
  warnings.push(...sameAsOthers(merged, language, [...rowsOf.values()]));
  return { fields: merged, findings, warnings };
}

/**
 * Finds rows in which a translation may have been written over a key: an original without keys, and
 * one of a text that has no row of its own. Any other is a heading, or of a text that is gone.
 */
function strayIn(withoutRow: readonly Text[]): (cells: readonly string[]) => boolean {
  const plain = (cell: string) => formOf(cell).plain;
  const originals = new Set(withoutRow.map(({ cells }) => plain(inSpreadsheet(cells.original))));
  return ([field = '', what = '', original = '']) => {
    if (original.trim() === '') return false;
    return field.trim() === '' || what.trim() === '' || originals.has(plain(original));
  };
}

/** Never read: there, a translator may write what is not for customers. */
const COMMENT = 'comment';
const isComment = (name = '') => name.trim().toLowerCase() === COMMENT;

/** Finds the columns, or says what is wrong with their names. Older files name no language. */
function columnsIn(names: readonly string[], language: string): readonly number[] | string {
  const known = names.map((name) => name.trim().toLowerCase());
  const tags = names.map((name) => /^translation \((.*)\)$/i.exec(name.trim())?.[1]);
  const own = tags.findIndex((tag) => languageTag(tag) === language);
  const [other] = tags.filter((tag) => tag !== undefined);
  const columns = COLUMNS.map((name) =>
    name === 'translation' && own !== -1 ? own : known.indexOf(name),
  );
  if (columns.at(-1) === -1 && other !== undefined) {
    const name = languageName(language);
    if (languageTag(other) === undefined) {
      return `has the column translation (${other}), which names no tag of a language; for texts in ${name}, write translation (${language})`;
    }
    return `has texts in ${languageName(other)} (${other}), and not in ${name} (${language}); merge them into their language`;
  }
  if (!columns.includes(-1)) return columns;
  return `must have the names of the columns: ${COLUMNS.join()} (${language})`;
}

/** Names a column as spreadsheets do, and by its first cell: `E (French)`. */
function columnName(index: number, name = ''): string {
  const letters = (at: number): string =>
    `${at < 26 ? '' : letters(Math.floor(at / 26) - 1)}${String.fromCharCode(65 + (at % 26))}`;
  return `${letters(index)}${name.trim() === '' ? '' : ` (${name.trim()})`}`;
}

/** True for the original of a text, as it is or as a spreadsheet may show it. */
function isOriginal(cell: string, { cells: { original } }: Text): boolean {
  const shown = inSpreadsheet(original);
  return cell === shown || [original, shown].some((one) => mayShow(formOf(cell), formOf(one)));
}

/** Finds the text of a row, or says why none or more than one can be meant. */
type Find = (field: string, what: string, original: string) => Text | string;

/**
 * Finds the texts of rows whose keys a spreadsheet may have changed. One that has a row of its own
 * is in no other row.
 */
function finderOf(texts: readonly Text[], rows: readonly (readonly string[])[]): Find {
  const keyOf = (field = '', what = '') => `${field}\0${what}`;
  const shown = texts.map((text) => {
    const [field, what] = [text.cells.field, text.cells.what].map(inSpreadsheet);
    const id = formOf(field ?? '');
    return { text, id, field, what: formOf(what ?? '').plain, key: keyOf(field, what) };
  });
  // Of fields with one id, the first is served.
  const byKey = new Map(shown.toReversed().map((one) => [one.key, one]));
  const byWhat = Map.groupBy([...byKey.values()].toReversed(), ({ what }) => what);
  const inRows = new Set(rows.map(([field, what]) => keyOf(field, what)));
  return (field, what, original) => {
    const exact = byKey.get(keyOf(field, what));
    const id = formOf(field);
    const alike = byWhat.get(formOf(what).plain) ?? [];
    const hasOriginal = ({ text }: (typeof shown)[number]) => isOriginal(original, text);
    const isMeant = (one: (typeof shown)[number]) =>
      mayShow(id, one.id) || (mayResultFrom(id, one.id) && hasOriginal(one));
    const meant = alike.filter((one) => one === exact || (!inRows.has(one.key) && isMeant(one)));
    const fitting = meant.filter(hasOriginal);
    const named = meant.length > 1 && fitting.length > 0 ? fitting : meant;
    const [found] = named;
    if (found && named.length === 1 && (!exact || found === exact)) return found.text;
    // Its original has changed.
    if (exact && fitting.length === 0) return exact.text;
    const expected = named.length > 0 ? named : alike.filter(hasOriginal);
    const fields = (list: typeof shown) => [...new Set(list.map((one) => one.field))];
    if (expected.length > 0) {
      return `has ${JSON.stringify(field)} in the column field; this text is of field ${fields(expected).join(' or ')}: write that`;
    }
    const own = shown.filter((one) => one.field === field);
    return own.length > 0
      ? `has ${JSON.stringify(what)} in the column what; field ${field} has ${shortened(own.map((one) => one.what).join(', '), MOST_CHARACTERS)}`
      : `has ${JSON.stringify(field)} in the column field; the configuration has ${shortened(fields(shown).join(', '), MOST_CHARACTERS)}. Correct it, or empty the translation`;
  };
}

/** The longest list of what may be meant. */
const MOST_CHARACTERS = 200;

/** Warns of texts that another language has too: they may be of a file in that language. */
function sameAsOthers(
  fields: readonly unknown[],
  language: string,
  merged: readonly Merged[],
): RowFinding[] {
  const textsIn = readTexts(fields);
  const codeOf = (tag: string) => tag.split('-')[0];
  const others = languagesOf({ fields }).filter((tag) => codeOf(tag) !== codeOf(language));
  const keyOf = ({ index, path }: Pick<Text, 'index' | 'path'>) => [index, ...path].join('\0');
  return others.flatMap((tag) => {
    const theirs = new Map(textsIn(tag).map((one) => [keyOf(one), one.translation?.trim()]));
    const isSame = ({ text, value }: Merged) =>
      value.trim() !== text.cells.original.trim() && theirs.get(keyOf(text)) === value.trim();
    const [first, ...more] = merged.filter(isSame);
    if (!first) return [];
    const rows = more.length > 0 ? `, as ${counted(more.length, 'more row')}` : '';
    const message = `has the same text as ${languageName(tag)}${rows}; make sure that it is ${languageName(language)}`;
    return [{ row: first.row, message }];
  });
}

/**
 * Whether a row has the cells of the first one. Spreadsheets may add empty cells, or leave out
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
