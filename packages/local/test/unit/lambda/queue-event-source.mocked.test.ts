import { setTimeout } from 'node:timers/promises';
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { expect, test, vi } from 'vitest';
import type { LambdaFunction } from '../../../lambda/lambda-function.ts';
import { pollEventSource } from '../../../lambda/queue-event-source.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(async () => {}) }));

const reporting =
  (...batchItemFailures: object[]) =>
  async () => ({ batchItemFailures });

test.each<[deleted: string, of: string, invoke: () => Promise<unknown>]>([
  ['abc', 'a batch that succeeds', async () => null],
  ['ac', 'a batch of which b is reported as failed', reporting({ itemIdentifier: 'b' })],
  ['abc', 'a batch without a list of failures', async () => ({})],
  ['', 'a batch whose invocation fails', () => Promise.reject(new Error('timeout'))],
  ['', 'a batch of which an unknown message is reported', reporting({ itemIdentifier: 'd' })],
  [
    '',
    'a batch of which b and an unknown one are reported',
    reporting({ itemIdentifier: 'b' }, {}),
  ],
  ['', 'a batch of which no identifier is reported', reporting({ itemIdentifier: null })],
])('the messages %j are deleted, and the others delivered again: %s', async (deleted, ...rest) => {
  const [, invoke] = rest;
  vi.mocked(setTimeout).mockClear();
  const stop = new AbortController();
  const gone: (string | undefined)[] = [];
  const queue = ['a', 'b', 'c'].map((id) => ({ MessageId: id, ReceiptHandle: id }));
  let polls = 0;
  const send = async (command: object) => {
    if (command instanceof DeleteMessageCommand) gone.push(command.input.ReceiptHandle);
    if (!(command instanceof ReceiveMessageCommand)) return {};
    // What arrives at the end of the polling stays for other receivers.
    if (++polls === 2) stop.abort();
    return { Messages: queue };
  };
  await pollEventSource(
    { functionLogicalId: '', queueUrl: '', queueArn: '', batchSize: 3, concurrency: 1 },
    { invoke } as unknown as LambdaFunction,
    { send } as unknown as SQSClient,
    stop.signal,
  );
  expect(gone.join('')).toBe(deleted);
  // A failure is not repeated without a pause.
  expect(setTimeout).toHaveBeenCalledTimes(deleted ? 0 : 1);
});
