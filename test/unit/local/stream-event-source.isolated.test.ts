import { setTimeout } from 'node:timers/promises';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StreamConsumer } from '../../../local/stream-event-source.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn() }));

/** What the tests wait for takes no time. */
const SOON = { interval: 1 };

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
  invoke.mockReset().mockResolvedValue({ batchItemFailures: [] });
  consumer = new StreamConsumer({ batchSize: 4, reportsFailures: true, bisects: true }, () => ({
    invoke,
  }));
});
afterEach(() => consumer.stop());

const add = (...numbers: number[]) => {
  for (const number of numbers) {
    const record: DynamoDBRecord = { dynamodb: { SequenceNumber: String(number) } };
    consumer.add(record);
  }
};
/** Waits until the function got such batches, each as the sequence numbers of its records. */
const expectBatches = (...expected: number[][]) =>
  vi.waitFor(() => {
    const batches = invoke.mock.calls.map(([event]) =>
      (event as DynamoDBStreamEvent).Records.map(({ dynamodb }) =>
        Number(dynamodb?.SequenceNumber),
      ),
    );
    expect(batches).toEqual(expected);
  }, SOON);
const expectPauses = (count: number) =>
  vi.waitFor(() => expect(setTimeout).toHaveBeenCalledTimes(count), SOON);
const failsAt = (number: number) => ({ batchItemFailures: [{ itemIdentifier: String(number) }] });

test('records are delivered in order, in batches, one batch at a time', async () => {
  const { promise, resolve } = Promise.withResolvers();
  invoke.mockReturnValueOnce(promise);
  add(1);
  add(2, 3, 4, 5, 6);
  await expectBatches([1]);
  resolve({ batchItemFailures: [] });
  await expectBatches([1], [2, 3, 4, 5], [6]);
  add(7);
  await expectBatches([1], [2, 3, 4, 5], [6], [7]);
  expect(setTimeout).not.toHaveBeenCalled();
});

test('a record that the function reports is delivered again after a pause, with those after it', async () => {
  invoke
    .mockResolvedValueOnce({})
    .mockResolvedValueOnce(failsAt(4))
    .mockResolvedValueOnce(failsAt(4));
  add(1, 2, 3, 4, 5, 6);
  await expectPauses(1);
  await expectBatches([1], [2, 3, 4, 5]);
  endPause();
  await expectPauses(2);
  endPause();
  await expectBatches([1], [2, 3, 4, 5], [4, 5, 6], [4, 5, 6]);
});

test('a batch whose invocation fails is divided until the record that fails is alone, and then delivered again', async () => {
  const crash = new Error('It crashed.');
  invoke.mockResolvedValueOnce({});
  for (const _ of ['four', 'two', 'one']) invoke.mockRejectedValueOnce(crash);
  add(1, 2, 3, 4, 5);
  for (const pause of [1, 2, 3]) {
    await expectPauses(pause);
    endPause();
  }
  await expectBatches([1], [2, 3, 4, 5], [2, 3], [2], [2], [3, 4, 5]);
});

test('without reports, a batch that does not fail as a whole is done', async () => {
  const silent = { batchSize: 4, reportsFailures: false, bisects: false };
  consumer = new StreamConsumer(silent, () => ({ invoke }));
  invoke.mockResolvedValueOnce(failsAt(1)).mockRejectedValueOnce(new Error('It crashed.'));
  add(1, 2, 3);
  await expectPauses(1);
  endPause();
  await expectBatches([1], [2, 3], [2, 3]);
});

test('nothing is delivered after it has stopped, not even what waits', async () => {
  invoke.mockRejectedValue(new Error('It crashed.'));
  add(1, 2);
  await expectPauses(1);
  await consumer.stop();
  add(3);
  await consumer.stop();
  await expectBatches([1]);
});
