import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { addedUp, CAMPAIGN, sendAll } from '../lambda/load.ts';

vi.mock('node:timers/promises', { spy: true });

/** A call of the stand-in fleet: how long it takes, and whether it succeeds. */
interface StandInCall {
  readonly ms: number;
  readonly isAnswered: boolean;
}

let clock = 0;
/** Answers one call after the other. Only its calls make time pass. */
const fleet = {
  starts: 7,
  call: vi.fn(async (event: object) => {
    const { ms, isAnswered } = event as StandInCall;
    clock += ms;
    return isAnswered;
  }),
  stop: vi.fn(async () => {}),
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.clearAllMocks();
  clock = 0;
});

test('a call that fails counts as an error that never ends, however fast it is', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const calls: StandInCall[] = [
    { ms: 10, isAnswered: true },
    { ms: 1, isAnswered: false },
    { ms: 20, isAnswered: true },
    { ms: 1, isAnswered: false },
    { ms: 1, isAnswered: false },
  ];
  const due = [0, 0, 0, 0, 0];
  expect(await sendAll('ours', fleet, calls, due)).toEqual({
    candidate: 'ours',
    answers: 2,
    errors: 3,
    starts: 7,
    latencies: [
      10,
      Number.POSITIVE_INFINITY,
      31,
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ],
  });
  expect(fleet.call.mock.calls).toEqual(calls.map((call) => [call]));
  expect(fleet.stop).toHaveBeenCalledOnce();
});

test('a campaign that is answered waits no longer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await sendAll('ours', fleet, [{ ms: 1, isAnswered: true }], [0], 60_000);
  expect(timers()).toBeLessThanOrEqual(before);
});

test('a latency begins when its call was due, not when the campaign began', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const calls = [10, 20, 30].map((ms) => ({ ms, isAnswered: true }));
  const { latencies } = await sendAll('ours', fleet, calls, [0, 5, 50]);
  expect(latencies).toEqual([10, 25, 10]);
});

test('a fleet that does not answer a call is named, and stopped', async () => {
  const hanging = {
    ...fleet,
    call: (event: object) =>
      'hangs' in event ? new Promise<boolean>(() => {}) : fleet.call(event),
  };
  const calls = [{ hangs: true }, { ms: 1, isAnswered: true }];
  await expect(sendAll('ours', hanging, calls, [0, 0], 5)).rejects.toThrow(
    'ours did not answer all calls.',
  );
  expect(fleet.stop).toHaveBeenCalledOnce();
});

test('a call is not sent before it is due, and does not wait for the one before it', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const due = [0, 50, 100];
  const sent: number[] = [];
  const last = Promise.withResolvers<void>();
  const slow = {
    ...fleet,
    call: async (event: object) => {
      if (sent.push((event as { due: number }).due) === due.length) last.resolve();
      await last.promise;
      return true;
    },
  };
  const events = due.map((ms) => ({ due: ms }));
  await sendAll('ours', slow, events, due, 60_000);
  expect(sent).toEqual(due);
  // The last one ends the campaign.
  const waits = vi.mocked(setTimeout).mock.calls.map(([ms]) => ms);
  expect(waits).toEqual([...due, 60_100]);
});

test('a campaign goes from 1 to 30 calls a second and back, as the report says', () => {
  expect(CAMPAIGN.map(({ from, to }) => [from, to])).toEqual([
    [1, 30],
    [30, 30],
    [30, 1],
  ]);
});

test('the rounds of each candidate are added up', () => {
  const round = (candidate: string, by: number) => ({
    ...{ candidate, answers: by, errors: 10 * by, starts: 100 * by },
    latencies: [by, 1000 * by],
  });
  expect(addedUp([round('ours', 1), round('hono', 3), round('hono', 4), round('ours', 2)])).toEqual(
    [
      { ...round('ours', 3), latencies: [1, 1000, 2, 2000] },
      { ...round('hono', 7), latencies: [3, 3000, 4, 4000] },
    ],
  );
});
