/**
 * Returns a formatter of a table's rows.
 *
 * @param widths the widths of all columns but the last. A longer cell moves the rest of its row.
 */
export function tableRows(...widths: readonly number[]): (...cells: readonly string[]) => string {
  return (...cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
}
