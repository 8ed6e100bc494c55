/**
 * Lays out a table as text lines, below an empty line and the title. The first column is aligned to
 * the left, the others to the right.
 *
 * @param rows have as many cells as `head`.
 */
export function textTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return ['', title, ...lines.map((line) => `  ${line}`)];
}
