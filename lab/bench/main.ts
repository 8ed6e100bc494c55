/** `npm run bench`: parses the command line, measures, and prints the report. */
import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { PARTS, type Part } from './figures.ts';
import { measure } from './measure.ts';
import { judgedFigures } from './results/judged-figures.ts';
import { report } from './results/report.ts';
import { succeeded, verdictsOn } from './verdicts.ts';

interface Options {
  readonly json?: string;
  readonly only: readonly Part[];
  readonly requireLambda: boolean;
  readonly once: boolean;
}

async function bench({ only: parts, requireLambda, once, json }: Options): Promise<void> {
  const progress = (text: string) => process.stderr.write(`${text} …\n`);
  const figures = await measure({ parts, requireLambda, once }, progress);
  const verdicts = verdictsOn(judgedFigures(figures), once);
  if (json) {
    await writeFile(json, `${JSON.stringify({ ...figures, verdicts }, null, 2)}\n`);
  }
  process.stdout.write(`${report(figures, verdicts).join('\n')}\n`);
  if (!succeeded(figures.excluded, verdicts)) process.exitCode = 1;
}

await new Command('npm run bench --')
  .description(
    'Measures the service on this machine, next to the same service written with other libraries. Takes about ten minutes. Exits with 1 if a figure is over its limit, or if a peer was left out.',
  )
  .option('--json <file>', 'write all figures and verdicts into a JSON file')
  .addOption(
    new Option('--only <part...>', 'measure these parts only').choices(PARTS).default(PARTS),
  )
  .option(
    '--require-lambda',
    'fail if this machine cannot imitate Lambda, instead of leaving out the parts that do: it takes Linux, root and openssl',
    false,
  )
  .option(
    '--once',
    'measure once and judge no figure: shows that everything can be measured',
    false,
  )
  .action((options: Options) => runProgram(() => bench(options)))
  .parseAsync();
