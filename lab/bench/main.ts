/** `npm run bench`: parses the command line, measures, and prints the report. */
import { Command, Option } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { PARTS, type Part } from './figures.ts';
import { measure } from './measure.ts';
import { judgedFigures } from './results/judged-figures.ts';
import { report } from './results/report.ts';
import { openParts, succeeded, verdictsOn } from './verdicts.ts';

interface Options {
  readonly only: readonly Part[];
  readonly once: boolean;
}

async function bench({ only: parts, once }: Options): Promise<void> {
  const progress = (text: string) => process.stderr.write(`${text} …\n`);
  const figures = await measure({ parts, once }, progress);
  const runs = [judgedFigures(figures)];
  const open = openParts(verdictsOn(runs, once));
  if (open.length > 0) {
    runs.push(judgedFigures(await measure({ parts: open, once }, progress)));
  }
  const verdicts = verdictsOn(runs, once);
  process.stdout.write(`${report(figures, verdicts).join('\n')}\n`);
  if (!succeeded(figures.excluded, verdicts)) process.exitCode = 1;
}

await new Command('npm run bench --')
  .description(
    'Measures the service on this machine, next to the same service written with other libraries. Takes about ten minutes. Measures again what is over its limit, and exits with 1 if it is over it twice, or if a peer was left out.',
  )
  .addOption(
    new Option('--only <part...>', 'measure these parts only').choices(PARTS).default(PARTS),
  )
  .option(
    '--once',
    'measure once and judge no figure: shows that everything can be measured',
    false,
  )
  .action((options: Options) => runProgram(() => bench(options)))
  .parseAsync();
