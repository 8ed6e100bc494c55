/** `npm run bench`: parses the command line. */
import { Command, Option } from 'commander';
import { runProgram } from '../cli/exit-codes.ts';
import { type BenchFiles, bench } from './bench.ts';
import { PARTS, type Part } from './figures.ts';

interface Options extends BenchFiles {
  readonly only: readonly Part[];
  readonly requireLambda: boolean;
}

const command = new Command('npm run bench --')
  .description(
    'Measures the service on this machine, next to the same service written with other libraries. Takes about twenty minutes. Exits with 1 if a figure is over its limit.',
  )
  .option('--json <file>', 'write all figures, costs and verdicts into a JSON file')
  .option('--chart <file>', 'draw starts and warm calls into an SVG file')
  .addOption(
    new Option('--only <part...>', 'measure these parts only').choices(PARTS).default(PARTS),
  )
  .option(
    '--require-lambda',
    'fail if this machine cannot imitate Lambda, instead of leaving out the parts that do: it takes Linux, root and openssl',
    false,
  )
  .action(({ only, requireLambda, ...files }: Options) =>
    runProgram(async () => {
      if (!(await bench({ parts: only, requireLambda }, files))) process.exitCode = 1;
    }),
  );

await command.parseAsync();
