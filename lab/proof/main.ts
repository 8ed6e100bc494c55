/** Checks the models with TLC, and that each mutant violates its property. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { startVitest } from 'vitest/node';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { coveringPaths, type Path, writePaths } from './paths.ts';
import {
  type Check,
  checkModel,
  checkMutant,
  configurations,
  downloadTlc,
  type Mutant,
  readMutants,
  type Step,
} from './tlc.ts';

/** The test that replays paths, and the file of those that `npm test` replays. */
const PATHS_TEST = 'lab/proof/promo-event-paths.test.ts';
const SAMPLE = fileURLToPath(new URL('promo-event-paths.txt', import.meta.url));
/** The configurations whose paths are replayed: how many without `--full`, and by `npm test`. */
const REPLAYED = [
  { name: 'PromoEvents.paths', most: 180, sample: 4 },
  { name: 'PromoEvents.restored-paths', most: 60, sample: 1 },
  { name: 'PromoEvents.erased-paths', most: 40, sample: 1 },
  { name: 'PromoEvents.expired-paths', most: 60, sample: 2 },
];
/** A small configuration of each model. */
const QUICK = ['Configurations', 'PromoEvents.calls'];

interface Options {
  readonly require?: boolean;
  readonly full?: boolean;
  readonly quick?: boolean;
  readonly update?: boolean;
  readonly mutant?: string;
}

const command = new Command('npm run proof --')
  .description('Checks the models of proof/ with TLC, their mutants, and the code')
  .option('--require', 'fail if there is no JDK or no Maven')
  .option('--quick', 'check only the smallest configuration of each model, and a mutant of each')
  .option('--full', 'check the larger configurations too, and replay each kind of step')
  .option('--update', 'write the paths of npm test')
  .option(
    '--mutant <name>',
    'check only this mutant, and print the shortest way to its consequence',
  )
  .action((options: Options) =>
    runProgram(async () => {
      const missing = ['java', 'mvn'].filter((program) => spawnSync(program, ['-version']).error);
      if (missing.length === 0) return prove(options);
      const message = `There is no ${missing.join(' and no ')} here, which TLC needs`;
      if (options.require) throw new UserError(`${message}: install a JDK 17 and Maven.`);
      process.stdout.write(`${message}: npm run proof is left out.\n`);
    }),
  );

await command.parseAsync();

async function prove(options: Options): Promise<void> {
  const { full = false, update = false, quick = false, mutant } = options;
  downloadTlc();
  if (mutant) return tellMutant(mutant);
  if (quick) return proveQuickly();
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  try {
    const graphOf = (name: string) => join(folder, `${name}.dot`);
    for (const name of await configurations(full)) {
      const isReplayed = REPLAYED.some((one) => one.name === name);
      await expectHolds(name, isReplayed ? graphOf(name) : undefined);
    }
    await checkMutants();
    const [replayed, sample]: [Path[], Path[]] = [[], []];
    for (const { name, most, sample: size } of REPLAYED) {
      const { paths, transitions } = await coveringPaths(graphOf(name), full ? Infinity : most);
      replayed.push(...paths);
      sample.push(...paths.slice(0, size));
      const covered = new Set(paths.flatMap(transitionsOf)).size;
      const steps = paths.flat().length;
      print(
        `${name}: ${paths.length} paths, ${steps} steps, ${covered} of ${transitions} transitions`,
      );
    }
    await compare(SAMPLE, writePaths(sample), update);
    print(`Replaying ${replayed.length} paths`);
    const file = join(folder, 'paths.txt');
    await writeFile(file, writePaths(replayed));
    process.env.PROMO_EVENT_PATHS = file;
    // Vitest prints a failure, and sets the exit code.
    const vitest = await startVitest('test', [PATHS_TEST], { watch: false });
    await vitest.close();
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Shows that both models hold, and that a mistake in each is found. */
async function proveQuickly(): Promise<void> {
  const mutants = await readMutants();
  for (const name of QUICK) {
    await expectHolds(name);
    const mutant = mutants.find(({ configuration }) => configuration === name);
    if (!mutant) throw new UserError(`No mutant is checked in ${name}.cfg.`);
    await expectMistake(mutant);
  }
}

/** Prints the shortest way to the consequence of a mutant, a line per step. */
async function tellMutant(name: string): Promise<void> {
  const mutant = (await readMutants()).find((one) => one.name === name);
  if (!mutant) throw new UserError(`There is no mutant ${name}.`);
  const { trace } = await expectMistake(mutant);
  print([mutant.story, ...numbered(trace)].join('\n'));
}

/** @throws UserError with the counterexample, if a configuration violates a property. */
async function expectHolds(name: string, graph?: string): Promise<void> {
  const check = await checkModel(name, graph);
  printCheck(name, check, check.violated ? `violates ${check.violated}` : 'holds');
  if (check.violated) throw new UserError(counterexample(name, check));
}

function transitionsOf(path: Path): string[] {
  return path.map(({ action, state }, index) => `${path[index - 1]?.state}, ${action}: ${state}`);
}

/** Checks two mutants at a time. */
async function checkMutants(): Promise<void> {
  const remaining = (await readMutants()).values();
  const work = async () => {
    for (const mutant of remaining) await expectMistake(mutant);
  };
  await Promise.all([work(), work()]);
}

/** @throws UserError unless a mutant violates its property. */
async function expectMistake(mutant: Mutant): Promise<Check> {
  const { name, property } = mutant;
  const check = await checkMutant(mutant);
  printCheck(name, check, `violates ${check.violated ?? 'nothing'}`);
  if (check.violated === property) return check;
  throw new UserError(
    `The mutant ${name} must violate ${property}. ${counterexample(name, check)}`,
  );
}

/** Writes a file, or compares it. */
async function compare(file: string, text: string, isUpdate: boolean): Promise<void> {
  if (isUpdate) await writeFile(file, text);
  else if ((await readFile(file, 'utf8')) !== text) {
    throw new UserError(`${file} is out of date. Run npm run proof -- --update, and review it.`);
  }
}

function counterexample(name: string, { violated, trace }: Check): string {
  if (!violated) return 'TLC found no counterexample.';
  return [`${name} violates ${violated}:`, ...numbered(trace)].join('\n');
}

/** Returns a line for each step of a trace, with the variables that it changes. */
function numbered(trace: readonly Step[]): string[] {
  return trace.slice(1).map(({ action, state }, index) => {
    const before = trace[index]?.state ?? {};
    const changes = Object.entries(state)
      .map(([name, value]) => [name, JSON.stringify(value)])
      .filter(([name = '', value]) => value !== JSON.stringify(before[name]))
      .map(([name, value]) => `\n     ${name} = ${value}`);
    return `${index + 1}. ${action}${changes.join('')}`;
  });
}

function printCheck(name: string, { states, seconds }: Check, result: string): void {
  const line = [name.padEnd(40), result.padEnd(40), `${states} states`.padEnd(16)];
  print(`${line.join('')}${seconds.toFixed(1)} s`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
