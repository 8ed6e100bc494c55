import { afterEach, expect, test, vi } from 'vitest';
import { arrivals } from '../lambda/arrivals.ts';
import { Fleet } from '../lambda/fleet.ts';
import { sendAll } from '../lambda/load.ts';

/** A fleet of stand-ins whose calls end when they are told to, and what was called. */
function standIns() {
  const called: { readonly environment: number; readonly end: (statusCode: number) => void }[] = [];
  const stop = vi.fn(async () => {});
  let environments = 0;
  const fleet = new Fleet(async () => {
    const environment = environments++;
    const call = () =>
      new Promise<{ ms: number; statusCode: number; body: string }>((resolve) => {
        called.push({ environment, end: (statusCode) => resolve({ ms: 1, statusCode, body: '' }) });
      });
    return { boot: 1, initialisation: 1, stop, call };
  });
  return { fleet, called, stop };
}

/** Calls a fleet so many times at once, and waits until the calls are in flight. */
async function callAtOnce({ fleet, called }: ReturnType<typeof standIns>, count: number) {
  const before = called.length;
  const answers = Array.from({ length: count }, () => fleet.call({}));
  await vi.waitUntil(() => called.length === before + count, { interval: 1, timeout: 100_000 });
  return answers;
}

test('a call uses the idle environment that was used last, and starts one if all are busy', async () => {
  const all = standIns();
  const answers = await callAtOnce(all, 3);
  for (const index of [0, 2, 1]) {
    all.called[index]?.end(200);
    expect(await answers[index]).toBe(true);
  }
  const [failed] = await callAtOnce(all, 3);
  expect(all.called.map(({ environment }) => environment)).toEqual([0, 1, 2, 1, 2, 0]);
  all.called[3]?.end(429);
  expect(await failed).toBe(false);
  expect(all.fleet.starts).toBe(3);
  await all.fleet.stop();
  expect(all.stop).toHaveBeenCalledTimes(3);
});

let clock = 0;
/** Answers one call after the other. Only its calls make time pass. */
const fleet = {
  call: vi.fn(async (event: object) => {
    const { ms, isAnswered } = event as { ms: number; isAnswered: boolean };
    clock += ms;
    return isAnswered;
  }),
  stop: vi.fn(async () => {}),
};
afterEach(() => {
  vi.restoreAllMocks();
  clock = 0;
});

test('a latency begins when its call was due, and that of a failed call never ends', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const answered = (ms: number) => ({ ms, isAnswered: true });
  const calls = [answered(10), { ms: 1, isAnswered: false }, answered(20), answered(30)];
  const latencies = [10, Number.POSITIVE_INFINITY, 26, 56];
  expect(await sendAll(fleet, calls, [0, 0, 5, 5])).toEqual(latencies);
  expect(fleet.stop).toHaveBeenCalledOnce();
});

test('calls arrive in order, as often as the stages say, and at the same times in each run', () => {
  const stages = [
    { seconds: 100, from: 0, to: 20 },
    { seconds: 100, from: 20, to: 20 },
  ];
  const times = arrivals(stages);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(arrivals(stages)).toEqual(times);
  // A Poisson process: within four standard deviations of what is expected.
  for (const [from, to, expected] of [
    [0, 50, 250],
    [50, 100, 750],
    [100, 200, 2000],
    [200, Number.POSITIVE_INFINITY, 0],
  ] as const) {
    const count = times.filter((ms) => from * 1000 <= ms && ms < to * 1000).length;
    expect(Math.abs(count - expected)).toBeLessThanOrEqual(4 * Math.sqrt(expected));
  }
});
