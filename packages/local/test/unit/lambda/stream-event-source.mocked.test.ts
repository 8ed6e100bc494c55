import { setTimeout } from 'node:timers/promises';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StreamConsumer } from '../../../lambda/stream-event-source.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn() }));

const SOON = { interval: 1 };
const CRASH = new Error('It crashed.');
const invoke = vi.fn<(event: unknown) => Promise<unknown>>();
let consumer: StreamConsumer;
/** Ends the pause after a failure. */
let endPause: () => void;

beforeEach(() => {
  vi.mocked(setTimeout)
    .mockReset()
    .mockImplementation((_ms, _value, { signal } = {}) => {
      const { promise, resolve } = Promise.withResolvers<never>();
      endPause = () => resolve(undefined as never);
      signal?.addEventListener('abort', endPause);
      return promise;
    });
  invoke.mockReset().mockResolvedValue({});
  consumer = new StreamConsumer({ batchSize: 4, filters: [] }, () => ({ invoke }));
});
afterEach(() => consumer.stop());

const add = (...numbers: number[]) => {
  for (const n of numbers) consumer.add({ dynamodb: { SequenceNumber: String(n) } });
};
/** Waits until the function got such batches, each as the sequence numbers of its records. */
const expectBatches = (...expected: number[][]) =>
  vi.waitFor(() => {
    const events = invoke.mock.calls.map(([event]) => event as DynamoDBStreamEvent);
    expect(
      events.map(({ Records }) => Records.map((one) => Number(one.dynamodb?.SequenceNumber))),
    ).toEqual(expected);
  }, SOON);
const expectPauses = (count: number) =>
  vi.waitFor(() => expect(setTimeout).toHaveBeenCalledTimes(count), SOON);

test('records are delivered in order, in batches, and from one that the function reports again after a pause', async () => {
  const failsAtFour = { batchItemFailures: [{ itemIdentifier: '4' }] };
  invoke.mockResolvedValueOnce({}).mockResolvedValueOnce(failsAtFour);
  add(1, 2, 3, 4, 5, 6);
  await expectBatches([1], [2, 3, 4, 5]);
  await expectPauses(1);
  endPause();
  await expectBatches([1], [2, 3, 4, 5], [4, 5, 6]);
  add(7);
  await expectBatches([1], [2, 3, 4, 5], [4, 5, 6], [7]);
});

test('a batch whose invocation fails is divided until the record that fails is alone, and then delivered again', async () => {
  invoke.mockResolvedValueOnce({});
  for (const _ of ['four', 'two', 'one']) invoke.mockRejectedValueOnce(CRASH);
  add(1, 2, 3, 4, 5);
  for (const pause of [1, 2, 3]) {
    await expectPauses(pause);
    endPause();
  }
  await expectBatches([1], [2, 3, 4, 5], [2, 3], [2], [2], [3, 4, 5]);
});

test.each([
  ['another record', { itemIdentifier: '9' }],
  ['no identifier', { itemIdentifier: '' }],
  ['another property', { sequenceNumber: '3' }],
])('a batch of which the function reports %s fails as a whole', async (_, failure) => {
  invoke.mockResolvedValueOnce({}).mockResolvedValueOnce({ batchItemFailures: [failure] });
  add(1, 2, 3, 4, 5);
  await expectPauses(1);
  endPause();
  await expectBatches([1], [2, 3, 4, 5], [2, 3], [4, 5]);
});

test('nothing is delivered after it has stopped, not even what waits', async () => {
  invoke.mockRejectedValue(CRASH);
  add(1, 2);
  await expectPauses(1);
  await consumer.stop();
  add(3);
  await consumer.stop();
  await expectBatches([1]);
});
