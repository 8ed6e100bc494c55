/** A program, and the modules that it loads. */
export interface LoadedProgram {
  readonly name: string;
  /** The package of each module, or else its folder. */
  readonly parts: readonly string[];
  readonly bytes: number;
}

/**
 * Counts the modules of programs as the text of a golden file: a column for each program. Whoever
 * adds a module sees it there. Sizes are rounded, so that most changes of code do not show.
 *
 * @param step what the sizes are rounded to, in KB.
 */
export function modulesTable(programs: readonly LoadedProgram[], step: number): string {
  const counts = programs.map(({ parts }) => Map.groupBy(parts, (part) => part));
  const row = (name: string, cell: (index: number) => number | undefined) => {
    const cells = programs.map((_, index) => String(cell(index) ?? '').padStart(5));
    return `${name.padEnd(42)}${cells.join('')}`.trimEnd();
  };
  const parts = [...new Set(programs.flatMap((one) => one.parts))].sort();
  const kilobytes = (index: number) => (programs[index]?.bytes ?? 0) / 1024;
  const lines = [
    ...programs.map(({ name }, index) => `${index + 1} ${name}`),
    '',
    row('Modules', (index) => index + 1),
    ...parts.map((part) => row(part, (index) => counts[index]?.get(part)?.length)),
    row('All', (index) => programs[index]?.parts.length),
    row(`KB, to the nearest ${step}`, (index) => Math.round(kilobytes(index) / step) * step),
  ];
  return `${lines.join('\n')}\n`;
}
