/** What spreadsheets take for the start of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A line of CSV (RFC 4180). Apps chose the values, and spreadsheets run formulas: a value that
 * looks like one gets an apostrophe in front.
 */
export function csvLine(values: readonly string[]): string {
  return values
    .map((value) => (FORMULA.test(value) ? `'${value}` : value))
    .map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
    .join();
}
