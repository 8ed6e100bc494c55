import { expect, test } from 'vitest';
import { arrivals } from '../lambda/arrivals.ts';

const STAGES = [
  { seconds: 100, from: 0, to: 20 },
  { seconds: 100, from: 20, to: 20 },
  { seconds: 100, from: 20, to: 0 },
];

/** How many calls are sent from one second to another. */
const between = (times: readonly number[], from: number, to: number) =>
  times.filter((ms) => from * 1000 <= ms && ms < to * 1000).length;

test('calls arrive in order, and as often as the stages say', () => {
  const times = arrivals(STAGES);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  // A Poisson process: within four standard deviations of what is expected.
  for (const [from, to, expected] of [
    [0, 50, 250],
    [50, 100, 750],
    [100, 200, 2000],
    [200, 250, 750],
    [250, 300, 250],
  ] as const) {
    expect(Math.abs(between(times, from, to) - expected)).toBeLessThan(4 * Math.sqrt(expected));
  }
  expect(between(times, 300, Number.POSITIVE_INFINITY)).toBe(0);
});

test('each run has the same times', () => {
  expect(arrivals(STAGES)).toEqual(arrivals(STAGES));
});
