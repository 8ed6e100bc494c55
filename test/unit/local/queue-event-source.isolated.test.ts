import { setTimeout } from 'node:timers/promises';
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LambdaFunction } from '../../../local/lambda-function.ts';
import { pollEventSource } from '../../../local/queue-event-source.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn() }));

const SOURCE = {
  functionLogicalId: 'Store',
  queueUrl: 'https://sqs.example.com/queue',
  queueArn: 'arn:aws:sqs:us-east-1:000000000000:queue',
  batchSize: 7,
  concurrency: 1,
  reportsFailures: true,
};

const MESSAGES: Message[] = ['a', 'b', 'c'].map((id) => ({
  MessageId: id,
  ReceiptHandle: `receipt-${id}`,
  Body: `body-${id}`,
  MD5OfBody: `md5-${id}`,
  Attributes: { ApproximateReceiveCount: '1' },
}));

/** The batches that are still in the queue. */
let batches: Message[][];
let stop: AbortController;
const send = vi.fn();
const invoke = vi.fn<LambdaFunction['invoke']>();

beforeEach(() => {
  vi.mocked(setTimeout).mockResolvedValue(undefined);
  batches = [MESSAGES];
  stop = new AbortController();
  invoke.mockResolvedValue({ batchItemFailures: [] });
  send.mockImplementation(async (command: object, options?: { abortSignal: AbortSignal }) => {
    if (!(command instanceof ReceiveMessageCommand)) return {};
    const Messages = batches.shift();
    if (Messages) return { Messages };
    // As with long polling, the response arrives when the poll is over.
    return new Promise((_, reject) => {
      options?.abortSignal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
});
afterEach(() => {
  vi.resetAllMocks();
});

/** Polls until no batch is left. */
async function poll(source: Partial<typeof SOURCE> = {}): Promise<void> {
  const polled = pollEventSource(
    { ...SOURCE, ...source },
    { invoke } as unknown as LambdaFunction,
    { send } as unknown as SQSClient,
    stop.signal,
  );
  await new Promise(setImmediate);
  stop.abort();
  await polled;
}

const commands = <T>(type: abstract new (...args: never[]) => T): T[] =>
  send.mock.calls.map(([command]) => command).filter((command) => command instanceof type);
const deleted = () => commands(DeleteMessageCommand).map(({ input }) => input);

test('a batch reaches the function as an event, and is deleted from the queue afterwards', async () => {
  await poll();
  expect(invoke).toHaveBeenCalledExactlyOnceWith({
    Records: ['a', 'b', 'c'].map((id) => ({
      messageId: id,
      receiptHandle: `receipt-${id}`,
      body: `body-${id}`,
      attributes: { ApproximateReceiveCount: '1' },
      messageAttributes: {},
      md5OfBody: `md5-${id}`,
      eventSource: 'aws:sqs',
      eventSourceARN: SOURCE.queueArn,
      awsRegion: 'us-east-1',
    })),
  });
  expect(deleted()).toEqual(
    ['a', 'b', 'c'].map((id) => ({ QueueUrl: SOURCE.queueUrl, ReceiptHandle: `receipt-${id}` })),
  );
  expect(commands(ReceiveMessageCommand)[0]?.input).toEqual({
    QueueUrl: SOURCE.queueUrl,
    MaxNumberOfMessages: 7,
    WaitTimeSeconds: 20,
    MessageSystemAttributeNames: ['All'],
  });
});

describe('a message stays in the queue', () => {
  const remaining = () => {
    const gone = deleted().map(({ ReceiptHandle }) => ReceiptHandle);
    return ['a', 'b', 'c'].filter((id) => !gone.includes(`receipt-${id}`));
  };

  test('if the function reports it as failed', async () => {
    invoke.mockResolvedValue({ batchItemFailures: [{ itemIdentifier: 'b' }] });
    await poll();
    expect(remaining()).toEqual(['b']);
  });

  test('with its whole batch if the invocation fails', async () => {
    invoke.mockRejectedValue(new Error('timeout'));
    await poll();
    expect(remaining()).toEqual(['a', 'b', 'c']);
  });

  test('but not if the source ignores reports, or the function returns nothing', async () => {
    for (const answer of [{ batchItemFailures: [{ itemIdentifier: 'b' }] }, null]) {
      batches = [MESSAGES];
      stop = new AbortController();
      invoke.mockResolvedValue(answer);
      await poll({ reportsFailures: answer === null });
      expect(remaining()).toEqual([]);
    }
  });
});

test('the next batch waits for one second after a failure', async () => {
  batches = [MESSAGES, MESSAGES];
  invoke.mockRejectedValueOnce(new Error('down'));
  vi.mocked(setTimeout).mockImplementation(async () => {
    expect(invoke).toHaveBeenCalledOnce();
  });
  await poll();
  expect(setTimeout).toHaveBeenNthCalledWith(1, 1000, undefined, { signal: stop.signal });
  expect(invoke).toHaveBeenCalledTimes(2);
});

test('the source limits the number of concurrent polls, and the signal ends all of them', async () => {
  batches = [];
  await poll({ concurrency: 4 });
  expect(commands(ReceiveMessageCommand)).toHaveLength(4);
  for (const [, options] of send.mock.calls) expect(options.abortSignal).toBe(stop.signal);
});

test('messages that arrive after the end of the polling stay for other receivers', async () => {
  send.mockImplementation(async () => {
    stop.abort();
    return { Messages: MESSAGES };
  });
  await poll();
  expect(invoke).not.toHaveBeenCalled();
});
