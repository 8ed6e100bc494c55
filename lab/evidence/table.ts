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
  readonly result: 'passed' | 'FAILED';
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
  /^\| <a id="([\w-]+)"><\/a>.* \| (passed|FAILED) \| (.*) \| (.*) \| (.*) \| (.*) \| (.*) \| (.*) \|$/gm;

/** Reads the rows of `lab/EVIDENCE.md`. */
export async function readRows(): Promise<ReadonlyMap<string, Row>> {
  const text = await readFile(FILE, 'utf8');
  return new Map(
    [...text.matchAll(ROW)].map(
      ([
        ,
        name = '',
        result,
        figures = '',
        date = '',
        commit = '',
        machine = '',
        seconds = '',
        digest = '',
      ]) => [
        name,
        {
          name,
          result: result as Row['result'],
          figures,
          date,
          commit,
          machine,
          seconds,
          digest,
        },
      ],
    ),
  );
}

/** Replaces the row of a lane. */
export async function writeRow(row: Row): Promise<void> {
  const rows = new Map(await readRows()).set(row.name, row);
  const lines = LANES.flatMap(({ name }) => rows.get(name) ?? []).map(
    ({ name, result, figures, date, commit, machine, seconds, digest }) =>
      `| ${[`<a id="${name}"></a>${name}`, result, figures.replaceAll('|', '/'), date, commit, machine, seconds, digest].join(' | ')} |`,
  );
  const text = await readFile(FILE, 'utf8');
  const [head = '', rest = ''] = text.split(/(?<=^\| lane .*\n\| --- .*\n)(?:\|.*\n)*/m);
  await writeFile(FILE, `${head}${lines.join('\n')}\n${rest}`);
}

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
