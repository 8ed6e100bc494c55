import { execFile, spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { History } from './history.ts';

const JUDGE = fileURLToPath(new URL('judge', import.meta.url));
/** The folder of each run, with its history and the pictures of its violations. */
export const RESULTS = fileURLToPath(new URL('../../.local/verify', import.meta.url));

const run = promisify(execFile);

/** The verdict of Porcupine on a run: each code is judged by itself. */
export interface Verdict {
  readonly answer: 'linearizable' | 'NOT linearizable' | 'no verdict';
  readonly codes: number;
  /** The codes that decide the answer. */
  readonly deciding: readonly { readonly user: string; readonly code: string }[];
  /** Has the history, and an HTML file for each code that is violated. */
  readonly folder: string;
}

/** True if Go is installed. */
export function hasGo(): boolean {
  return !spawnSync('go', ['version']).error;
}

/** Compiles the judge into a folder. Returns the function that judges the history of a run. */
export async function compileJudge(folder: string) {
  const program = join(folder, 'judge');
  await run('go', ['build', '-C', JUDGE, '-o', program, '.']);
  return async (name: string, history: History): Promise<Verdict> => {
    const results = join(RESULTS, name);
    await rm(results, { recursive: true, force: true });
    await mkdir(results, { recursive: true });
    const file = join(results, 'history.jsonl');
    await history.write(file);
    const { stdout } = await run(program, [file, results]);
    const { codes, violated, undecided } = JSON.parse(stdout);
    const common = { codes, folder: results };
    if (violated.length > 0) return { ...common, answer: 'NOT linearizable', deciding: violated };
    if (undecided.length > 0) return { ...common, answer: 'no verdict', deciding: undecided };
    return { ...common, answer: 'linearizable', deciding: [] };
  };
}
