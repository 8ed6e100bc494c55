import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { chart } from '../bench/chart.ts';
import { report } from '../bench/report.ts';
import { run } from '../bench/run.ts';
import { verdictsOf } from '../bench/verdicts.ts';
import { runCommand } from '../core/platform/command-error.ts';

interface Options {
  readonly json?: string;
  readonly chart?: string;
}

const command = new Command('npm run bench --')
  .description(
    'Measures the service beside what people would otherwise write, on this machine; takes eight minutes and more',
  )
  .option('--json <file>', 'writes all figures and the verdicts into a file')
  .option('--chart <file>', 'draws cold starts and warm calls into an SVG file')
  .action((options: Options) => runCommand(() => bench(options)));

await command.parseAsync();

async function bench({ json, chart: svg }: Options): Promise<void> {
  const figures = await run((text) => process.stderr.write(`${text} …\n`));
  const verdicts = verdictsOf(figures);
  if (json) await writeFile(json, `${JSON.stringify({ ...figures, verdicts }, null, 2)}\n`);
  if (svg) await writeFile(svg, chart(figures));
  process.stdout.write(`${report(figures, verdicts).join('\n')}\n`);
  const isComplete = Object.keys(figures.excluded).length === 0;
  if (!isComplete || !verdicts.every(({ holds }) => holds)) process.exitCode = 1;
}
