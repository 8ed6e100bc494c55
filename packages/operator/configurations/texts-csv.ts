import { mapOf, readTexts, translationKey } from 'customer-data-api/configuration';
import { csvLine, fromSpreadsheet, inSpreadsheet, readCsv } from '../csv.ts';

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
}

/** Lists the texts of the fields that have an id, with those that the language lacks. */
export function listTexts(fields: readonly unknown[], language: string): Text[] {
  return readTexts(fields)(language).flatMap(({ index, path, original, translation = '' }) => {
    const field = Object(fields[index]).id;
    if (typeof field !== 'string') return [];
    return [{ index, path, cells: { field, what: path.join('.'), original, translation } }];
  });
}

/** Writes the texts of a language for translators, as lines of CSV. */
export function textsToCsv(fields: readonly unknown[], language: string): string[] {
  const rows = listTexts(fields, language).map(({ cells }) => COLUMNS.map((name) => cells[name]));
  return [COLUMNS.join(), ...rows.map(csvLine)];
}

/**
 * Merges the translations of a spreadsheet into the fields, by the id of the field and the path of
 * the text. A row without a translation changes nothing. With findings, nothing is merged.
 */
export function mergeTexts(
  fields: readonly unknown[],
  language: string,
  csv: string,
): { readonly fields: readonly unknown[]; readonly findings: readonly RowFinding[] } {
  const [names = [], ...rows] = readCsv(csv);
  const columns = COLUMNS.map((name) => names.indexOf(name));
  if (columns.includes(-1)) {
    const message = `must have the names of the columns: ${COLUMNS.join()}`;
    return { fields, findings: [{ row: 1, message }] };
  }
  const keyOf = (field: string, what: string) => `${field}\0${what}`;
  const texts = new Map(
    listTexts(fields, language)
      // Of fields with one id, the first is served.
      .toReversed()
      .map((text) => [
        keyOf(inSpreadsheet(text.cells.field), inSpreadsheet(text.cells.what)),
        text,
      ]),
  );
  const findings: RowFinding[] = [];
  const merged = [...fields];
  const rowsOf = new Map<Text, number>();
  for (const [at, row] of rows.entries()) {
    const refuse = (message: string) => findings.push({ row: at + 2, message });
    if (!isSplitAs(names, row)) {
      refuse(
        'has more or fewer cells than row 1; separate them alike, and put a text with commas in quotes',
      );
      continue;
    }
    const [field = '', what = '', original = '', cell = ''] = columns.map((one) => row[one]);
    const text = texts.get(keyOf(field, what));
    if (cell.trim() === '' || cell === inSpreadsheet(text?.cells.translation ?? '')) continue;
    if (!text) {
      refuse(`is no text of the configuration: ${what} of field ${field}; remove the row`);
    } else if (`${original}${cell}`.includes('\ufffd') && !text.cells.original.includes('\ufffd')) {
      refuse('is not in UTF-8; save the spreadsheet as CSV in UTF-8');
    } else if (![text.cells.original, inSpreadsheet(text.cells.original)].includes(original)) {
      refuse(
        `has an original that is now ${JSON.stringify(text.cells.original)}; check the translation, and write this there`,
      );
    } else if (rowsOf.has(text)) {
      refuse(`translates ${what} of field ${field} again, after row ${rowsOf.get(text)}`);
    } else {
      rowsOf.set(text, at + 2);
      const before = merged[text.index];
      const place = ['translations', translationKey(before, language), ...text.path];
      merged[text.index] = withText(before, place, fromSpreadsheet(cell));
    }
  }
  return { fields: findings.length > 0 ? fields : merged, findings };
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
