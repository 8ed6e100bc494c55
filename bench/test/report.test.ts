import { expect, test } from 'vitest';
import { chart } from '../results/chart.ts';
import { judgedFigures } from '../results/judged-figures.ts';
import { report } from '../results/report.ts';
import { LIMITS, verdictsOn } from '../verdicts.ts';
import { figuresFixture } from './figures-fixture.ts';

const figures = figuresFixture();
const verdicts = verdictsOn(judgedFigures(figures));

test('the report shows each verdict, and marks the figures that do not hold', () => {
  const lines = report(figures, verdicts);
  for (const { figure, limit, holds } of verdicts) {
    const line = lines.find((one) => one.trim().startsWith(figure)) ?? '';
    expect(line).toMatch(new RegExp(` ${limit} +${holds ? 'holds' : 'DOES NOT HOLD'}$`));
  }
  expect(verdicts.filter(({ holds }) => !holds)).not.toEqual([]);
  expect(verdicts).toHaveLength(Object.keys(LIMITS).length);
});

test('the report names peers that were left out, with the output of their checks', () => {
  const excluded = {
    fastify: ['FAILED an expired token is refused', 'FAILED a wrong method is refused'],
  };
  const lines = report({ ...figures, excluded }, verdicts);
  const start = lines.indexOf('fastify was left out because it failed the smoke checks:');
  expect(lines.slice(start + 1, start + 3)).toEqual(excluded.fastify);
});

test('the chart draws every candidate, fastest first, and describes itself', () => {
  const cold = figures.cold.map((one) =>
    one.candidate === 'hono' ? { ...one, measured: { ...one.measured, total: [7, 7, 7] } } : one,
  );
  const svg = chart({ ...figures, cold });
  expect(svg).toMatch(/response of getConfig: hono 7 ms, .*ours 100 ms.*\./);
  expect(svg).toContain('floor, which reads 500 µs');
  expect(svg.match(/<text[^>]*>ours<\/text>/g)).toHaveLength(5);
  expect(svg).toMatch(/of getConfig, with 1024 MB: (?:\w+ 200 ms(?:, )?){4}\./);
  expect(svg).toContain('p99 of warm calls of promoCode/apply: 256 MB 10.0 ms, 512 MB 10.0 ms');
});

test('the report says which parts were not measured, and why', () => {
  const { machine, excluded, peers, functions, capacityUnits } = figures;
  const nothing = { machine, excluded, peers, functions, capacityUnits };
  const reason = 'This system has no cgroups that limit the CPU.';
  const lines = report({ ...nothing, withoutLambda: reason }, verdictsOn(judgedFigures(nothing)));
  expect(lines).toContain(`Not measured as in Lambda: ${reason}`);
  expect(lines.filter((line) => line.endsWith('not measured'))).toHaveLength(
    Object.keys(LIMITS).length - 1,
  );
  expect(lines.join('\n')).not.toContain('NaN');
});
