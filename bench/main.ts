/** `npm run bench`: parses the command line and installs what the bench needs. */
import { Command } from 'commander';
import { runCommand } from '../core/platform/command-error.ts';
import type { BenchFiles } from './bench.ts';
import { installPackages } from './packages.ts';

const command = new Command('npm run bench --')
  .description(
    'Measures the service on this machine, next to the same service written with other libraries. Takes at least eight minutes. Exits with 1 if a figure is over its limit.',
  )
  .option('--json <file>', 'write all figures, costs and verdicts into a JSON file')
  .option('--chart <file>', 'draw cold starts and warm calls into an SVG file')
  .action((files: BenchFiles) =>
    runCommand(async () => {
      await installPackages();
      // Imports the packages that were just installed.
      const { bench } = await import('./bench.ts');
      if (!(await bench(files))) process.exitCode = 1;
    }),
  );

await command.parseAsync();
