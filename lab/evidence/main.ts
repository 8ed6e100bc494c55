/** `npm run evidence`: runs lanes whole and records their results, or in their smallest form. */
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Argument, Command } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { installPackages } from '../lane-packages.ts';
import { copyProject, withMistake } from '../project-copy.ts';
import { LANES, type Lane, SKIPPED } from './lanes.ts';
import { digestOf, readRows, writeRow } from './table.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** The output of the lanes. */
const OUTPUTS = fileURLToPath(new URL('../../build/evidence', import.meta.url));
/** The lanes that need packages of their own. */
const WITH_PACKAGES = ['bench', 'e2e', 'explorer', 'react-native'];

interface Finished {
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
}

await new Command('npm run evidence --')
  .description(
    'Runs each lane whole, which takes about an hour on a quiet machine, and writes lab/EVIDENCE.md. With --smoke, runs each lane in its smallest form, and lets it find a mistake.',
  )
  .addArgument(
    new Argument('[lanes...]', 'only these').choices(LANES.map(({ name }) => name)).default([]),
  )
  .option('--smoke', 'run the smallest forms', false)
  .action((names: readonly string[], { smoke }: { readonly smoke: boolean }) =>
    runProgram(async () => {
      const lanes = LANES.filter(({ name }) => names.length === 0 || names.includes(name));
      await mkdir(OUTPUTS, { recursive: true });
      for (const lane of WITH_PACKAGES) installPackages(lane);
      await (smoke ? smokeAll(lanes) : runAll(lanes));
    }),
  )
  .parseAsync();

/** Runs lanes whole, one after the other, and writes a row after each. */
async function runAll(lanes: readonly Lane[]): Promise<void> {
  const changed = git('status', '--porcelain', '--', '.', ':!lab/EVIDENCE.md');
  if (changed) throw new UserError(`A row names a commit. Commit this first:\n${changed}`);
  const commit = git('rev-parse', '--short=8', 'HEAD');
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const failed: string[] = [];
  for (const { name, whole, files, figures } of lanes) {
    const load = loadavg()[0]?.toFixed(1);
    const { code, output, seconds } = await run(name, whole, PROJECT, { SEARCH: '1' });
    const isSkipped = SKIPPED.test(output);
    await writeRow({
      name,
      result: code !== 0 ? 'FAILED' : isSkipped ? 'skipped' : 'passed',
      figures: figures(output),
      date: new Date().toISOString().slice(0, 10),
      commit,
      machine: `${availableParallelism()} cores, ${gigabytes} GB, load ${load}`,
      seconds: String(seconds),
      // What was skipped is outdated.
      digest: isSkipped ? '' : digestOf(files),
    });
    print(name, seconds, code !== 0 ? 'FAILED' : isSkipped ? 'skipped' : '');
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) throw new UserError(`${failed.join(', ')} failed: see ${OUTPUTS}`);
}

/** Runs lanes in their smallest forms, and lets each find a mistake in a copy of the project. */
async function smokeAll(lanes: readonly Lane[]): Promise<void> {
  const rows = await readRows();
  await using copy = await newFolder();
  await copyProject(copy.path);
  for (const { name, smoke, whole, files } of lanes) {
    if (!smoke) continue;
    const isWhole = smoke.wholeAfter !== undefined && rows.get(name)?.digest !== digestOf(files);
    const { code, output, seconds } = await run(
      name,
      isWhole ? whole : smoke.args,
      PROJECT,
      isWhole ? {} : smoke.env,
    );
    if (code === 0 && SKIPPED.test(output)) {
      print(name, seconds, 'skipped');
      continue;
    }
    const { mistake } = smoke;
    const found = mistake
      ? await withMistake(copy.path, mistake, () =>
          run(`${name}-mistake`, smoke.args, copy.path, smoke.env),
        )
      : { code: 1, output, seconds: 0 };
    const isFound = found.code !== 0 && smoke.finds.test(found.output);
    print(name, seconds + found.seconds, isWhole ? 'whole' : '');
    if (code !== 0) throw new UserError(`${name} failed.\n${output}`);
    if (!isFound) throw new UserError(`${name} did not find the mistake.\n${found.output}`);
  }
}

/** Runs a program of a lane. Its output goes to a file, too. */
async function run(
  name: string,
  args: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  const start = performance.now();
  const file = createWriteStream(`${OUTPUTS}/${name}.log`);
  const env = { ...process.env, ...more, NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      file.write(text);
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.once('close', (status) => resolve(status ?? 1));
  });
  file.end();
  return { code, output, seconds: Math.round((performance.now() - start) / 1000) };
}

function git(...args: readonly string[]): string {
  return spawnSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).stdout.trim();
}

function print(name: string, seconds: number, remark: string): void {
  process.stdout.write(
    `${String(seconds).padStart(5)} s  ${name} ${remark}`.trimEnd().concat('\n'),
  );
}
