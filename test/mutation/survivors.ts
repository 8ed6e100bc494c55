/** The part of Stryker's JSON report that is read here. */
export interface Report {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>
  >;
}

interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

/** Both count from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mutant that no test can notice, or that no test should. */
export interface Equivalent {
  readonly file: string;
  /** The line in which the code starts, without indentation: the same code may matter in another line. */
  readonly line: string;
  /** The code that Stryker replaces. */
  readonly code: string;
  readonly replacement: string;
  readonly reason: string;
}

/**
 * Compares the mutants that survived a run with the list of those that may.
 *
 * @returns a line for each survivor that is not listed, and for each listed one of a file in the report that did not
 *   survive or does not exist any more.
 */
export function unexpected({ files }: Report, equivalents: readonly Equivalent[]): string[] {
  const left = new Set(equivalents.filter(({ file }) => file in files));
  const problems: string[] = [];
  for (const [file, { source, mutants }] of Object.entries(files)) {
    for (const { status, replacement = '', location } of mutants) {
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      const code = textAt(source, location);
      const line = source.split('\n')[location.start.line - 1]?.trim();
      const listed = equivalents.find(
        (one) =>
          one.file === file &&
          one.line === line &&
          one.code === code &&
          one.replacement === replacement,
      );
      if (listed) left.delete(listed);
      else {
        const place = `${file}:${location.start.line}:${location.start.column}`;
        problems.push(`${place} No test fails when ${quote(code)} is ${quote(replacement)}.`);
      }
    }
  }
  for (const { file, line, code, replacement } of left) {
    problems.push(
      `${file} The list of equivalent mutants names ${quote(code)} as ${quote(replacement)} in ${quote(line)}, which did not survive.`,
    );
  }
  return problems;
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  return lines.join('\n');
}

function quote(code: string): string {
  return `\`${code.replace(/\s+/g, ' ')}\``;
}
