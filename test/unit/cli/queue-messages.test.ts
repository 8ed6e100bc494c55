import type { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { Messages } from '../../../cli/queue-messages.ts';

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
