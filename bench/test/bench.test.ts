import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bench } from '../bench.ts';
import { measure } from '../measure.ts';
import { chart } from '../results/chart.ts';
import { costs } from '../results/cost.ts';
import { judgedFigures } from '../results/judged-figures.ts';
import { report } from '../results/report.ts';
import { verdictsOn } from '../verdicts.ts';
import { figuresFixture } from './figures-fixture.ts';

vi.mock('../measure.ts', () => ({ measure: vi.fn() }));

const SELECTION = { parts: ['cold'], requireLambda: false } as const;
/** A run without a figure that exceeds its limit. */
const { machine, excluded, peers, functions, capacityUnits } = figuresFixture();
const GOOD = { machine, excluded, peers, functions, capacityUnits };

let folder: string;
let printed: Record<'stdout' | 'stderr', string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-bench-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text;
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('the report is printed, and the files have all figures, costs and verdicts, and the chart', async () => {
  const figures = figuresFixture();
  vi.mocked(measure).mockImplementation(async (selection, progress) => {
    expect(selection).toBe(SELECTION);
    progress('Measuring cold starts');
    return figures;
  });
  const files = { json: join(folder, 'out.json'), chart: join(folder, 'out.svg') };
  expect(await bench(SELECTION, files)).toBe(false);
  const verdicts = verdictsOn(judgedFigures(figures));
  expect(printed).toEqual({
    stdout: `${report(figures, verdicts).join('\n')}\n`,
    stderr: 'Measuring cold starts …\n',
  });
  const results = { ...figures, costs: costs(figures), verdicts };
  expect(JSON.parse(await readFile(files.json, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(results)),
  );
  expect(await readFile(files.chart, 'utf8')).toBe(chart(figures));
});

test('a run without a figure over its limit succeeds, unless a peer was left out', async () => {
  vi.mocked(measure).mockResolvedValueOnce(GOOD);
  expect(await bench(SELECTION, {})).toBe(true);
  vi.mocked(measure).mockResolvedValueOnce({ ...GOOD, excluded: { hono: ['FAILED'] } });
  expect(await bench(SELECTION, {})).toBe(false);
});
