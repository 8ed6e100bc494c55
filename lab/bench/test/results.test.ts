import { readFile } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { type Figures, PARTS } from '../figures.ts';
import { judgedFigures } from '../results/judged-figures.ts';
import {
  AGAIN,
  type Estimates,
  FIGURES,
  type JudgedFigure,
  openParts,
  succeeded,
  verdictsOn,
} from '../verdicts.ts';
import { figuresFixture } from './figures-fixture.ts';

/*
 * The golden files show each figure where it is reported and judged. The tests state what a
 * golden file cannot: what happens to a figure that has nothing to compare with.
 */

const measure = vi.hoisted(() => vi.fn());
vi.mock('../measure.ts', () => ({ measure }));
const { argv, exitCode } = process;
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(process, { argv, exitCode });
});

const figures = figuresFixture();
const { machine, excluded, peers, functions } = figures;
const NOTHING_MEASURED: Figures = { machine, excluded, peers, functions };

/** Runs the bench with the figures instead of measuring, and returns what it prints. */
async function run(measured: Figures, ...options: readonly string[]) {
  measure.mockReset().mockResolvedValue(measured);
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  Object.assign(process, { argv: ['node', 'bench', ...options], exitCode: undefined });
  vi.resetModules();
  await import('../main.ts');
  return { code: process.exitCode, printed };
}

test('a run prints its report, and measures the parts again whose figures are above their limits', async () => {
  const { code, printed } = await run(figures);
  expect(code).toBe(1);
  expect(measure.mock.calls.map(([selection]) => selection)).toEqual([
    { parts: PARTS, once: false },
    { parts: ['lambda'], once: false },
  ]);
  await expect(printed).toMatchFileSnapshot('golden/report.txt');
});

test('a run succeeds if no figure exceeds its limit, and fails if a peer was left out', async () => {
  const options = ['--only', 'cold', 'warm'];
  expect(await run(NOTHING_MEASURED, ...options)).toMatchObject({ code: undefined });
  const selection = { parts: ['cold', 'warm'], once: false };
  expect(measure.mock.lastCall?.[0]).toEqual(selection);
  const excluded = { powertools: ['FAILED an expired token is refused'] };
  const { code, printed } = await run({ ...NOTHING_MEASURED, excluded });
  expect(code).toBe(1);
  for (const reason of excluded.powertools) expect(printed).toContain(reason);
  expect(printed).not.toContain('NaN');
});

test.each(Object.keys(FIGURES) as JudgedFigure[])('%s fails above its limit, twice', (figure) => {
  const { limit, part } = FIGURES[figure];
  const of = (low: number) => ({ [figure]: { value: limit + 1, low, high: limit + 2 } });
  const [within, above] = [of(limit), of(limit + 0.001)];
  const holds = (...runs: Estimates[]) =>
    verdictsOn(runs).find((verdict) => verdict.figure === figure)?.holds;
  expect(holds(within)).toBe(true);
  expect(holds(above)).toBe(AGAIN);
  expect(openParts(verdictsOn([above]))).toEqual(part ? [part] : []);
  expect(holds(above, within)).toBe(true);
  for (const last of [above, of(Number.NaN)]) expect(holds(above, last)).toBe(false);
  expect(succeeded({}, verdictsOn([above]))).toBe(false);
  expect(succeeded({}, verdictsOn([above, within]))).toBe(true);
});

test('with --once, a figure of any size holds, and one without a value or a peer left out does not', async () => {
  const once = (changed: Partial<Figures>) => run({ ...figures, ...changed }, '--once');
  const functions = { 'get-config': 9 * 1024 ** 2 };
  expect(await once({ functions })).toMatchObject({ code: undefined });
  expect(measure).toHaveBeenCalledOnce();
  expect(await once({ functions, peers: [] })).toMatchObject({ code: 1 });
  expect(await once({ excluded: { hono: ['FAILED'] } })).toMatchObject({ code: 1 });
});

test('the best peer counts, whichever it is', () => {
  for (const peer of figures.peers) {
    const ones = [1, 1, 1];
    const measured = { boot: ones, initialisation: ones, first: ones };
    const lambda = figures.lambda.map((one) =>
      one.candidate === peer ? { ...one, measured } : one,
    );
    const estimates = judgedFigures({ ...figures, lambda });
    const { value = 0 } =
      estimates['as Lambda, 1,024 MB: init and first call, ours / best peer'] ?? {};
    expect(value).toBeGreaterThan(100);
  }
});

test('docs/performance.md states the limit of each figure', async () => {
  const text = await readFile(new URL('../../../docs/performance.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, figure = '']) => figure in FIGURES);
  const limits = Object.entries(FIGURES).map(([figure, { limit }]) => [figure, String(limit)]);
  expect(rows.map(([, figure, limit]) => [figure, limit])).toEqual(limits);
});
