import { writeFile } from 'node:fs/promises';
import { measure, type Selection } from './measure.ts';
import { chart } from './results/chart.ts';
import { costs } from './results/cost.ts';
import { judgedFigures } from './results/judged-figures.ts';
import { report } from './results/report.ts';
import { succeeded, verdictsOn } from './verdicts.ts';

/** Files to write besides the printed report. */
export interface BenchFiles {
  /** All figures, costs and verdicts as JSON. */
  readonly json?: string;
  /** Cold starts and warm calls as SVG. */
  readonly chart?: string;
}

/**
 * Runs the selected parts of the bench and prints its report on standard output.
 *
 * @returns whether the run succeeded: all figures that were measured are within their limits, and
 * no peer was left out.
 */
export async function bench(selection: Selection, files: BenchFiles): Promise<boolean> {
  const figures = await measure(selection, (text) => process.stderr.write(`${text} …\n`));
  const verdicts = verdictsOn(judgedFigures(figures));
  if (files.json) {
    const results = { ...figures, costs: costs(figures), verdicts };
    await writeFile(files.json, `${JSON.stringify(results, null, 2)}\n`);
  }
  if (files.chart) await writeFile(files.chart, chart(figures));
  process.stdout.write(`${report(figures, verdicts).join('\n')}\n`);
  return succeeded(figures.excluded, verdicts);
}
