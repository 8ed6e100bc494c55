import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type JudgedFigure, LIMITS, succeeded, verdictsOn } from '../../../bench/verdicts.ts';

const FIGURES = Object.keys(LIMITS) as JudgedFigure[];

/** Every figure is exactly at its limit, except the given ones. */
function atLimits(others: Partial<Record<JudgedFigure, number>> = {}) {
  return verdictsOn({ ...LIMITS, ...others });
}

test('docs/performance.md shows each figure with its limit', async () => {
  const text = await readFile(new URL('../../../docs/performance.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, figure = '']) => figure in LIMITS)
    .map(([, figure, limit]) => [figure, Number(limit)]);
  expect(Object.fromEntries(rows)).toEqual(LIMITS);
});

test('each figure has a verdict with its value and its limit', () => {
  expect(atLimits()).toEqual(
    FIGURES.map((figure) => ({
      figure,
      value: LIMITS[figure],
      limit: LIMITS[figure],
      holds: true,
    })),
  );
});

describe.each(FIGURES)('%s', (figure) => {
  const others = FIGURES.filter((other) => other !== figure);

  test.each([
    { name: 'above its limit', value: LIMITS[figure] + 0.001 },
    { name: 'without anything to compare with', value: Number.NaN },
  ])('does not hold $name, and the run fails', ({ value }) => {
    const verdicts = atLimits({ [figure]: value });
    expect(verdicts.filter(({ holds }) => !holds).map((verdict) => verdict.figure)).toEqual([
      figure,
    ]);
    expect(verdicts.filter(({ holds }) => holds)).toHaveLength(others.length);
    expect(succeeded({}, verdicts)).toBe(false);
  });
});

test('a figure that is missing was not measured, which is no failure', () => {
  const verdicts = verdictsOn({ 'cold, ours / floor': 1 });
  const missing = verdicts.filter(({ holds }) => holds === 'not measured');
  expect(missing.map(({ figure }) => figure)).toEqual(
    FIGURES.filter((figure) => figure !== 'cold, ours / floor'),
  );
  expect(succeeded({}, verdicts)).toBe(true);
});

test('a run succeeds if all figures are within their limits and all peers were measured', () => {
  expect(succeeded({}, atLimits())).toBe(true);
});

test('a run fails if a peer was left out, even if every figure is within its limit', () => {
  expect(succeeded({ hono: ['a check that failed'] }, atLimits())).toBe(false);
});
