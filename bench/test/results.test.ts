import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { bench } from '../bench.ts';
import type { Figures } from '../figures.ts';
import { measure } from '../measure.ts';
import { judgedFigures } from '../results/judged-figures.ts';
import { type JudgedFigure, LIMITS, succeeded, verdictsOn } from '../verdicts.ts';
import { figuresFixture } from './figures-fixture.ts';

/*
 * The golden files show each figure where it is reported, drawn, judged and turned into dollars.
 * The tests state what a golden file cannot: what happens to a figure that has nothing to compare
 * with.
 */

vi.mock('../measure.ts', () => ({ measure: vi.fn() }));
afterEach(() => {
  vi.restoreAllMocks();
});

const SELECTION = { parts: ['cold'], requireLambda: false } as const;
const figures = figuresFixture();
const { machine, excluded, peers, functions, capacityUnits } = figures;
const NOTHING_MEASURED: Figures = { machine, excluded, peers, functions, capacityUnits };

/** Runs the bench with the figures instead of measuring, and returns what it prints. */
async function run(measured: Figures, files: Parameters<typeof bench>[1] = {}) {
  vi.mocked(measure).mockResolvedValueOnce(measured);
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  const hasSucceeded = await bench(SELECTION, files);
  return { hasSucceeded, printed };
}

test('a run prints its report, and writes all figures and the chart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-bench-'));
  const files = { json: join(folder, 'out.json'), chart: join(folder, 'out.svg') };
  const { hasSucceeded, printed } = await run(figures, files);
  expect(hasSucceeded).toBe(false);
  await expect(printed).toMatchFileSnapshot('golden/report.txt');
  await expect(await readFile(files.chart, 'utf8')).toMatchFileSnapshot('golden/chart.svg');
  const { verdicts, costs, ...json } = JSON.parse(await readFile(files.json, 'utf8'));
  expect(json).toEqual(figures);
  await expect(JSON.stringify({ verdicts, costs }, null, 1)).toMatchFileSnapshot(
    'golden/results.json',
  );
  await rm(folder, { recursive: true });
});

test('a run succeeds if no figure exceeds its limit, and fails if a peer was left out', async () => {
  expect(await run(NOTHING_MEASURED)).toMatchObject({ hasSucceeded: true });
  const withoutLambda = 'This system has no cgroups.';
  const excluded = { fastify: ['FAILED an expired token is refused'] };
  const { hasSucceeded, printed } = await run({ ...NOTHING_MEASURED, withoutLambda, excluded });
  expect(hasSucceeded).toBe(false);
  for (const reason of [withoutLambda, ...excluded.fastify]) expect(printed).toContain(reason);
  expect(printed).not.toContain('NaN');
});

test.each(Object.keys(LIMITS) as JudgedFigure[])('%s fails a run above its limit', (figure) => {
  expect(succeeded({}, verdictsOn(LIMITS))).toBe(true);
  for (const value of [LIMITS[figure] + 0.001, Number.NaN]) {
    const verdicts = verdictsOn({ ...LIMITS, [figure]: value });
    expect(verdicts.filter(({ holds }) => !holds)).toMatchObject([{ figure }]);
    expect(succeeded({}, verdicts)).toBe(false);
  }
});

/** The figures that have nothing to compare with. */
const incomparable = (changed: Partial<Figures>) =>
  verdictsOn(judgedFigures({ ...figures, ...changed }))
    .filter(({ value, holds }) => Number.isNaN(value) && holds === false)
    .map(({ figure }) => figure.replace(/,? ours.*/, ''));

test('a figure that has nothing to compare with does not hold', () => {
  expect(incomparable({})).toEqual([]);
  expect(incomparable({ peers: [] })).toEqual([
    ...['as Lambda, 1,024 MB: init and first call', 'cold', 'warm, CPU and wall'],
  ]);
  expect(incomparable({ cold: [] })).toEqual(['cold', 'cold', 'cold', 'cold']);
  expect(() => judgedFigures({ ...figures, warm: [] })).toThrow('was not measured');
});

test('the best peer counts, whichever it is', () => {
  for (const peer of figures.peers) {
    const cold = figures.cold.map((one) =>
      one.candidate === peer ? { ...one, measured: { ...one.measured, total: [1, 1, 1] } } : one,
    );
    const [ours = Number.NaN] = figures.cold.map((one) => one.ours[2]);
    expect(judgedFigures({ ...figures, cold })['cold, ours / best peer']).toBeGreaterThan(ours);
  }
});

test.each(['ours', 'hono'])('two failed calls of %s in a hundred fail a campaign', (name) => {
  const latencies = Array.from({ length: 200 }, (_, call) => (call < 4 ? Infinity : 10));
  const load = figures.load.map((one) => (one.candidate === name ? { ...one, latencies } : one));
  const verdicts = verdictsOn(judgedFigures({ ...figures, load }));
  const ofLoad = verdicts.find(({ figure }) => figure.startsWith('load'));
  expect(ofLoad?.holds).toBe(false);
});

test('docs/performance.md states the limit of each figure', async () => {
  const text = await readFile(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, figure = '']) => figure in LIMITS);
  expect(Object.fromEntries(rows.map(([, name, limit]) => [name, Number(limit)]))).toEqual(LIMITS);
});
