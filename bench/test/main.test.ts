import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { bench as runBench } from '../bench.ts';
import { PARTS } from '../figures.ts';

const bench = vi.fn<typeof runBench>();
vi.mock('../bench.ts', () => ({ bench }));

const { argv, exitCode } = process;
beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  Object.assign(process, { argv, exitCode });
});

// CI reads nothing else of this command.
test.each([
  [true, ['--only', 'cold', 'warm', '--require-lambda'], ['cold', 'warm'], undefined],
  [false, [], PARTS, 1],
])('a run within all limits, %s, with %j, measures %j and ends with %s', async (...run) => {
  const [succeeds, options, parts, code] = run;
  bench.mockResolvedValue(succeeds);
  Object.assign(process, { argv: ['node', 'bench', ...options], exitCode: undefined });
  await import('../main.ts');
  expect(process.exitCode).toBe(code);
  expect(bench.mock.lastCall?.[0]).toEqual({ parts, requireLambda: options.length > 0 });
});
