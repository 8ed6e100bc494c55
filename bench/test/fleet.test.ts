import { expect, test, vi } from 'vitest';
import { Fleet, MAX_ENVIRONMENTS } from '../lambda/fleet.ts';

/** A fleet of stand-ins whose calls end when they are told to, and what was called. */
function standIns() {
  const called: { readonly environment: number; readonly end: (statusCode: number) => void }[] = [];
  const stop = vi.fn(async () => {});
  let environments = 0;
  const fleet = new Fleet(async () => {
    const environment = environments++;
    return {
      initialised: 1,
      stop,
      call: () =>
        new Promise((resolve) => {
          called.push({
            environment,
            end: (statusCode) => resolve({ ms: 1, statusCode, body: '' }),
          });
        }),
    };
  });
  return { fleet, called, stop };
}

/** Calls a fleet so many times at once, and waits until the calls are in flight. */
async function callAtOnce({ fleet, called }: ReturnType<typeof standIns>, count: number) {
  const before = called.length;
  const answers = Array.from({ length: count }, () => fleet.call({}));
  await vi.waitUntil(() => called.length === before + count, { interval: 1 });
  return answers;
}

test('a call uses the idle environment that was used last, and starts one only if all are busy', async () => {
  const all = standIns();
  const answers = await callAtOnce(all, 3);
  expect(all.called.map(({ environment }) => environment)).toEqual([0, 1, 2]);
  for (const index of [0, 2, 1]) {
    all.called[index]?.end(200);
    await answers[index];
  }
  await callAtOnce(all, 3);
  expect(all.called.slice(3).map(({ environment }) => environment)).toEqual([1, 2, 0]);
  expect(all.fleet.starts).toBe(3);
});

test('only the status 200 is an answer, and an environment is used again after an error', async () => {
  const all = standIns();
  for (const [status, isAnswered] of [
    [200, true],
    [400, false],
    [429, false],
    [503, false],
  ] as const) {
    const [answer] = await callAtOnce(all, 1);
    all.called.at(-1)?.end(status);
    expect(await answer).toBe(isAnswered);
  }
  expect(all.fleet.starts).toBe(1);
});

test('a call that finds the most environments busy is an error at once', async () => {
  const all = standIns();
  await callAtOnce(all, MAX_ENVIRONMENTS);
  expect(await all.fleet.call({})).toBe(false);
  expect(all.fleet.starts).toBe(MAX_ENVIRONMENTS);
});

test('all environments are stopped, also if one did not start', async () => {
  const all = standIns();
  await callAtOnce(all, 2);
  await all.fleet.stop();
  expect(all.stop).toHaveBeenCalledTimes(2);
  const failing = new Fleet(() => Promise.reject(new Error('no memory')));
  await expect(failing.call({})).rejects.toThrow('no memory');
  await failing.stop();
});
