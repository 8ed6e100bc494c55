/** Checks the models with TLC, and that each mutant violates its property. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { runProgram } from '../cli/exit-codes.ts';
import { UserError } from '../core/user-error.ts';
import { tellMutant, tellTrace } from './stories.ts';
import {
  type Check,
  checkModel,
  checkMutant,
  configurations,
  downloadTlc,
  FOLDER,
  type Mutant,
  readMutants,
} from './tlc.ts';

const README = join(FOLDER, 'README.md');
/** The stories are below this line of the README. */
const STORIES = '<!-- Written by npm run proof -- --update -->\n';

interface Options {
  readonly require?: boolean;
  readonly full?: boolean;
  readonly update?: boolean;
}

const command = new Command('npm run proof --')
  .description('Checks the models of proof/ with TLC, their mutants, and their paths on the code')
  .option('--require', 'fail if there is no JDK or no Maven')
  .option('--full', 'check the larger configurations and liveness too, and replay all paths')
  .option('--update', 'write the stories of the mutants into proof/README.md')
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

async function prove({ full = false, update = false }: Options): Promise<void> {
  downloadTlc();
  for (const name of await configurations(full)) {
    const check = await checkModel(name);
    print(name, check, check.violated ? `VIOLATES ${check.violated}` : 'holds');
    if (check.violated) throw new UserError(counterexample(name, check));
  }
  await compareStories(await checkMutants(), update);
}

/** Checks two mutants at a time. Returns their stories. */
async function checkMutants(): Promise<string> {
  const mutants = await readMutants();
  const stories: string[] = [];
  const remaining = mutants.entries();
  const work = async () => {
    for (const [index, mutant] of remaining) stories[index] = await storyOf(mutant);
  };
  await Promise.all([work(), work()]);
  return `${stories.join('\n\n')}\n`;
}

async function storyOf(mutant: Mutant): Promise<string> {
  const { name, property } = mutant;
  const check = await checkMutant(mutant);
  print(`mutants/${name}`, check, `violates ${check.violated ?? 'nothing'}`);
  if (check.violated === property) return tellMutant(mutant, check);
  throw new UserError(`mutants/${name} must violate ${property}. ${counterexample(name, check)}`);
}

async function compareStories(stories: string, isUpdate: boolean): Promise<void> {
  const readme = await readFile(README, 'utf8');
  const [head = ''] = readme.split(STORIES);
  const current = `${head}${STORIES}\n${stories}`;
  if (isUpdate) await writeFile(README, current);
  else if (current !== readme) {
    throw new UserError(
      'The stories in proof/README.md are out of date: npm run proof -- --update',
    );
  }
}

function counterexample(name: string, { violated, trace }: Check): string {
  if (!violated) return 'TLC found no counterexample.';
  const steps = tellTrace(trace).map((line, index) => `${index + 1}. ${line}`);
  const last = JSON.stringify(trace.at(-1)?.state, undefined, 2);
  return [`${name} violates ${violated}:`, ...steps, `The last state: ${last}`].join('\n');
}

function print(name: string, { states, seconds }: Check, result: string): void {
  const line = [name.padEnd(40), result.padEnd(32), `${states} states`.padEnd(16)];
  process.stdout.write(`${line.join('')}${seconds.toFixed(1)} s\n`);
}
