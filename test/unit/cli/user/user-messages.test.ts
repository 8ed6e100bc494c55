import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test, vi } from 'vitest';
import { Messages } from '../../../../cli/queue-messages.ts';
import { waitForShortQueue } from '../../../../cli/user/user-messages.ts';

interface Count {
  readonly waiting: number;
  readonly inFlight: number;
}

/** A queue that has these numbers of messages, one after the other, and then the last. */
function queueWith(counts: readonly Count[]): Messages {
  const messages = new Messages(new SQSClient({ region: 'eu-central-1' }), 'https://queue.invalid');
  let asked = 0;
  vi.spyOn(messages, 'count').mockImplementation(async () => {
    const count = counts[Math.min(asked++, counts.length - 1)];
    if (!count) throw new Error('The queue has no counts.');
    return count;
  });
  return messages;
}

/** Waits for a queue that has these numbers of messages. Returns the lines that were printed. */
async function waited(...counts: readonly Count[]) {
  const messages = queueWith(counts);
  const lines: string[] = [];
  const note = (line: string) => lines.push(line);
  await waitForShortQueue(messages, { maxMessages: 10, intervalMs: 1, patienceMs: 3, note });
  return lines;
}

test('messages that wait and messages in flight count together, and as many as the limit are few enough', async () => {
  const lines = await waited({ waiting: 6, inFlight: 6 }, { waiting: 5, inFlight: 5 });
  expect(lines).toEqual([
    'About 12 messages wait to be stored. The queue is searched when it has 10.',
  ]);
});

test('a queue that does not become shorter is waited for as long as the patience lasts', async () => {
  expect(await waited({ waiting: 12, inFlight: 0 })).toHaveLength(4);
});

test('the patience begins again whenever the queue becomes shorter', async () => {
  const lengths = [14, 14, 14, 13, 13, 13, 12];
  const lines = await waited(...lengths.map((waiting) => ({ waiting, inFlight: 0 })));
  expect(lines).toHaveLength(lengths.length + 3);
});

test('a queue that becomes longer and shorter in turn does not become shorter', async () => {
  const lengths = Array.from({ length: 20 }, (_, index) => 14 - (index % 2));
  expect(await waited(...lengths.map((waiting) => ({ waiting, inFlight: 0 })))).toHaveLength(5);
});

test('an interruption ends the wait at once', async () => {
  const interrupted = new AbortController();
  let lines = 0;
  await waitForShortQueue(queueWith([{ waiting: 12, inFlight: 0 }]), {
    ...{ maxMessages: 10, intervalMs: 60_000, patienceMs: 300_000, signal: interrupted.signal },
    note: () => {
      lines++;
      interrupted.abort();
    },
  });
  expect(lines).toBe(1);
});
