import type { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { describeRefused, Messages } from '../../../cli/queue-messages.ts';

/** A queue that answers its calls with these, one after the other. */
function queueOf(...answers: readonly object[]) {
  const inputs: object[] = [];
  const send = async ({ input }: { readonly input: object }) => {
    inputs.push(input);
    return answers[inputs.length - 1] ?? {};
  };
  return { inputs, messages: new Messages({ send } as unknown as SQSClient, 'https://queue') };
}

const message = (id: string) => ({ MessageId: id, ReceiptHandle: `handle of ${id}`, Body: '{}' });
const inFlight = (id: string) => ({ messageId: id, receiptHandle: `handle of ${id}` });

test('a queue ends with an empty batch, not with one that has fewer messages than SQS may return', async () => {
  const { messages } = queueOf(
    { Messages: [message('a')] },
    { Messages: [message('b'), message('c')] },
    {},
    { Messages: [message('too late')] },
  );
  const batches: string[][] = [];
  for await (const batch of messages.receive(30)) {
    batches.push(batch.map(({ messageId }) => messageId));
  }
  expect(batches).toEqual([['a'], ['b', 'c']]);
});

test('messages are deleted and released ten at a time, with their receipts, and refused by their place', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `m${index}`);
  const refusal = { Id: '1', SenderFault: false, Code: 'InternalError' };
  for (const call of ['delete', 'release'] as const) {
    const { inputs, messages } = queueOf({}, { Failed: [refusal] });
    const { accepted, refused } = await messages[call](ids.map(inFlight));
    expect(accepted).toEqual(ids.slice(0, 11).map(inFlight));
    expect(refused).toEqual([refusal]);
    const entries = inputs.map((input) => Object(input).Entries);
    expect(entries.map(({ length }) => length)).toEqual([10, 2]);
    const more = call === 'release' ? { VisibilityTimeout: 0 } : {};
    expect(entries[1]).toEqual([
      { Id: '0', ReceiptHandle: 'handle of m10', ...more },
      { Id: '1', ReceiptHandle: 'handle of m11', ...more },
    ]);
    for (const input of inputs) expect(input).toMatchObject({ QueueUrl: 'https://queue' });
  }
});

test('nothing is asked of SQS for no messages', async () => {
  const { inputs, messages } = queueOf();
  for (const call of ['send', 'delete', 'release'] as const) {
    expect(await messages[call]([])).toEqual({ accepted: [], refused: [] });
  }
  expect(inputs).toEqual([]);
});

describe('batches that several workers receive', () => {
  /** A queue that has messages for a while; `fails` says whether a call does, by its number from 1. */
  function longQueue(fails: (call: number) => boolean = () => false) {
    let calls = 0;
    const send = async () => {
      const call = ++calls;
      if (fails(call)) throw new Error(`Call ${call} failed.`);
      return call > 100 ? {} : { Messages: [message(`m${call}`)] };
    };
    const sqs = { send } as unknown as SQSClient;
    return { messages: new Messages(sqs, 'https://queue'), calls: () => calls };
  }

  test('are all handled, until the queue has no more', async () => {
    const { messages } = longQueue();
    const handled: string[] = [];
    const isStopped = await messages.forEachBatch(30, undefined, async (batch) => {
      handled.push(...batch.map(({ messageId }) => messageId));
      return true;
    });
    expect(isStopped).toBe(false);
    expect(new Set(handled).size).toBe(100);
  });

  test('are no more once the handler wants none, by any worker', async () => {
    const { messages, calls } = longQueue();
    let handled = 0;
    const isStopped = await messages.forEachBatch(30, undefined, async () => ++handled !== 3);
    expect(isStopped).toBe(true);
    expect(calls()).toBeLessThanOrEqual(16);
  });

  test('are no more once the signal aborts', async () => {
    const { messages, calls } = longQueue();
    const interrupted = new AbortController();
    const isStopped = await messages.forEachBatch(30, interrupted.signal, async () => {
      interrupted.abort();
      return true;
    });
    expect(isStopped).toBe(false);
    expect(calls()).toBeLessThanOrEqual(16);
  });

  test('are no more once a call fails; its error is thrown when all workers have ended', async () => {
    const { messages, calls } = longQueue((call) => call === 3 || call === 5);
    let isHandling = 0;
    const receiving = messages.forEachBatch(30, undefined, async () => {
      isHandling++;
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      isHandling--;
      return true;
    });
    await expect(receiving).rejects.toThrow('Call 3 failed.');
    expect(isHandling).toBe(0);
    expect(calls()).toBeLessThanOrEqual(16);
  });
});

test('the messages of a queue are counted, those that wait and those in flight', async () => {
  const { inputs, messages } = queueOf({
    Attributes: {
      ApproximateNumberOfMessages: '7',
      ApproximateNumberOfMessagesNotVisible: '2',
    },
  });
  expect(await messages.count()).toEqual({ waiting: 7, inFlight: 2 });
  expect(inputs).toEqual([
    {
      QueueUrl: 'https://queue',
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    },
  ]);
});

test.each([
  [1, 'SQS refused 1 message. Busy1: Wait.'],
  [3, 'SQS refused 3 messages. Busy1: Wait.'],
])('%d refused messages are counted, and the first one is explained', (count, expected) => {
  const refused = Array.from({ length: count }, (_, index) => ({
    ...{ Id: String(index), SenderFault: false, Code: `Busy${index + 1}`, Message: 'Wait.' },
  }));
  expect(describeRefused(refused)).toBe(expected);
});
