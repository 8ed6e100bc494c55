import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type Figures, PARTS } from '../figures.ts';
import { judgedFigures } from '../results/judged-figures.ts';
import { type JudgedFigure, LIMITS, succeeded, verdictsOn } from '../verdicts.ts';
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
  measure.mockResolvedValueOnce(measured);
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

test('a run prints its report, and writes all figures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-bench-'));
  const json = join(folder, 'out.json');
  const { code, printed } = await run(figures, '--json', json);
  expect(code).toBe(1);
  expect(measure.mock.lastCall?.[0]).toEqual({ parts: PARTS, requireLambda: false, once: false });
  await expect(printed).toMatchFileSnapshot('golden/report.txt');
  const verdicts = verdictsOn(judgedFigures(figures));
  expect(JSON.parse(await readFile(json, 'utf8'))).toEqual({ ...figures, verdicts });
  await rm(folder, { recursive: true });
});

test('a run succeeds if no figure exceeds its limit, and fails if a peer was left out', async () => {
  const options = ['--only', 'cold', 'warm', '--require-lambda'];
  expect(await run(NOTHING_MEASURED, ...options)).toMatchObject({ code: undefined });
  const selection = { parts: ['cold', 'warm'], requireLambda: true, once: false };
  expect(measure.mock.lastCall?.[0]).toEqual(selection);
  const withoutLambda = 'This system has no cgroups.';
  const excluded = { powertools: ['FAILED an expired token is refused'] };
  const { code, printed } = await run({ ...NOTHING_MEASURED, withoutLambda, excluded });
  expect(code).toBe(1);
  for (const reason of [withoutLambda, ...excluded.powertools]) expect(printed).toContain(reason);
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

test('with --once, a figure of any size holds, and one without a value or a peer left out does not', async () => {
  const once = (changed: Partial<Figures>) => run({ ...figures, ...changed }, '--once');
  const functions = { 'get-config': 9 * 1024 ** 2 };
  expect(await run({ ...figures, functions })).toMatchObject({ code: 1 });
  expect(await once({ functions })).toMatchObject({ code: undefined });
  expect(measure.mock.lastCall?.[0]).toMatchObject({ once: true });
  expect(await once({ functions, peers: [] })).toMatchObject({ code: 1 });
  expect(await once({ excluded: { hono: ['FAILED'] } })).toMatchObject({ code: 1 });
});

/** The figures that have nothing to compare with. */
const incomparable = (changed: Partial<Figures>) =>
  verdictsOn(judgedFigures({ ...figures, ...changed }))
    .filter(({ value, holds }) => Number.isNaN(value) && holds === false)
    .map(({ figure }) => figure.replace(/,? ours.*/, ''));

test('a figure that has nothing to compare with does not hold', () => {
  expect(incomparable({})).toEqual([]);
  expect(incomparable({ peers: [] })).toEqual([
    'as Lambda, 1,024 MB: init and first call',
    'cold',
    'warm, CPU and wall',
  ]);
  expect(() => judgedFigures({ ...figures, warm: [] })).toThrow('was not measured');
});

test('the best peer counts, whichever it is', () => {
  for (const peer of figures.peers) {
    const ones = [1, 1, 1];
    const measured = { boot: ones, initialisation: ones, first: ones };
    const cold = figures.cold.map((one) => (one.candidate === peer ? { ...one, measured } : one));
    expect(judgedFigures({ ...figures, cold })['cold, ours / best peer']).toBeGreaterThan(100);
  }
});

test('docs/performance.md states the limit of each figure', async () => {
  const text = await readFile(new URL('../../../docs/performance.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, figure = '']) => figure in LIMITS);
  expect(Object.fromEntries(rows.map(([, name, limit]) => [name, Number(limit)]))).toEqual(LIMITS);
});
