import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LANES, type Lane } from './lanes.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const FILE = new URL('../EVIDENCE.md', import.meta.url);

/** The result of the last whole run of a lane. */
export interface Row {
  readonly name: string;
  readonly result: 'passed' | 'FAILED' | 'skipped';
  readonly figures: string;
  /** The day of the run, in UTC. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  /** Seconds that it took; empty if nobody measured them. */
  readonly seconds: string;
  /** The digest of the files that the lane depends on. */
  readonly digest: string;
}

/** A row of the table. The fragment of its link is the name of the lane. */
const ROW =
  /^\| <a id="([\w-]+)"><\/a>.* \| (passed|FAILED|skipped) \| (.*) \| (.*) \| (.*) \| (.*) \| (.*) \| (.*) \|$/gm;

/** Reads the rows of `lab/EVIDENCE.md`. */
export async function readRows(): Promise<ReadonlyMap<string, Row>> {
  return rowsIn(await readFile(FILE, 'utf8'));
}

/** Writes the row of a lane into `lab/EVIDENCE.md`. */
export async function writeRow(row: Row): Promise<void> {
  await writeFile(FILE, withRow(await readFile(FILE, 'utf8'), row));
}

function rowsIn(text: string): ReadonlyMap<string, Row> {
  return new Map(
    [...text.matchAll(ROW)].map(([, name = '', ...cells]) => {
      const [result, figures, date, commit, machine, seconds, digest] = cells as Cells;
      return [name, { name, result, figures, date, commit, machine, seconds, digest }];
    }),
  );
}

/** Returns a text of `lab/EVIDENCE.md` in which a row replaces the one before of its lane. */
export function withRow(text: string, row: Row): string {
  const rows = new Map(rowsIn(text)).set(row.name, row);
  const lines = LANES.flatMap(({ name }) => rows.get(name) ?? []).map(
    ({ name, result, figures, date, commit, machine, seconds, digest }) =>
      `| ${[`<a id="${name}"></a>${name}`, result, figures.replaceAll('|', '/'), date, commit, machine, seconds, digest].join(' | ')} |\n`,
  );
  // The first table: another one has the lanes that are not run any more.
  return text.replace(/(?<=^\| lane .*\n\| --- .*\n)(?:\|.*\n)*/m, () => lines.join(''));
}

/** The cells of a row after its name, in the order of the table. */
type Cells = [Row['result'], string, string, string, string, string, string];

/** Returns a digest of files and folders as Git has them. */
export function digestOf(files: readonly string[]): string {
  const listed = execFileSync('git', ['ls-files', '--stage', '--', ...files], { cwd: PROJECT });
  return hash('sha256', listed).slice(0, 12);
}

/** Returns the lanes whose files have changed since their last whole run. */
export async function outdatedLanes(): Promise<readonly Lane[]> {
  const rows = await readRows();
  return LANES.filter(({ name, files }) => rows.get(name)?.digest !== digestOf(files));
}
