import { CloudWatchLogsClient, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import { GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeKeyUses } from '../../../cli/keys/key-uses.ts';
import { redrive } from '../../../cli/queue/redrive.ts';
import { replay } from '../../../cli/queue/replay.ts';
import { eraseUser } from '../../../cli/user/erase-user.ts';
import { OUTPUTS } from '../../support/outputs.ts';

/* The limits of commands, where other tests use smaller ones or do not wait. */

const waits = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => void waits.push(milliseconds),
}));

/** How many messages wait in each queue. */
let waiting: Readonly<Record<string, number>>;
/** Messages in the batch of the next call that receives. */
let batch: number;
let received: number;
beforeEach(() => {
  [waiting, batch, received] = [{}, 0, 0];
  waits.length = 0;
  const answer = async (command: { readonly input: object }) => {
    const { QueueUrl = '' }: { readonly QueueUrl?: string } = command.input;
    if (command instanceof GetQueueAttributesCommand) {
      const ApproximateNumberOfMessages = String(waiting[QueueUrl] ?? 0);
      return {
        Attributes: {
          ...{ ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible: '0' },
          VisibilityTimeout: '120',
        },
      };
    }
    if (!(command instanceof ReceiveMessageCommand)) return {};
    const Messages = Array.from({ length: batch }, () => {
      const id = String(received++);
      return { MessageId: id, ReceiptHandle: id, Body: '{}' };
    });
    return { Messages };
  };
  vi.spyOn(SQSClient.prototype, 'send').mockImplementation(answer);
  const Items = [{ clientId: 'demo', eventId: 'jane#CODE#applied' }];
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async (command) =>
    command instanceof QueryCommand ? { Items } : {},
  );
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a command that prints, and returns what it said. */
async function said(
  run: (output: {
    readonly print: (line: string) => void;
    readonly note: (line: string) => void;
  }) => Promise<unknown>,
) {
  const noted: string[] = [];
  const error = await run({ print: () => {}, note: (line) => noted.push(line) }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  return { noted, error };
}

const erase = () =>
  said((output) =>
    eraseUser(
      OUTPUTS,
      { clientId: 'demo', userId: 'jane' },
      { ...output, confirm: async () => true },
    ),
  );

test('user erase searches a queue of 1,000 messages and 100,000 dead letters', async () => {
  waiting = {
    [OUTPUTS.PromoEventsQueueUrl]: 1000,
    [OUTPUTS.PromoEventsDeadLetterQueueUrl]: 100_000,
  };
  expect((await erase()).error).toBeUndefined();
  // The queue is in use: it is searched again after its visibility timeout.
  expect(waits).toEqual([120_000]);
});

test('user erase waits five minutes for a queue that is longer, and searches once', async () => {
  waiting = { [OUTPUTS.PromoEventsQueueUrl]: 1001 };
  const { noted, error } = await erase();
  expect(error?.message).toMatch(/^The queue has too many messages/);
  expect(waits).toEqual(Array(30).fill(10_000));
  expect(noted.at(-1)).toBe(
    'About 1001 messages wait to be stored. The queue is searched when it has 1000.',
  );
});

test('user erase does not wait for more dead letters', async () => {
  waiting = { [OUTPUTS.PromoEventsDeadLetterQueueUrl]: 100_001 };
  expect((await erase()).error?.message).toMatch(/^The dead-letter queue has too many messages/);
  expect(waits).toEqual([]);
});

test('queue show and redrive read no more when 10,000 messages stay', async () => {
  batch = 10;
  const { error } = await said((output) => redrive(OUTPUTS, { ...output, move: false }));
  expect(error).toBeUndefined();
  // Each of eight workers may have one batch of ten.
  expect(received).toBeGreaterThanOrEqual(10_000);
  expect(received).toBeLessThanOrEqual(10_080);
});

test('queue replay reads no more when 10,000 dead letters stay', async () => {
  batch = 10;
  const { noted } = await said((output) => replay(OUTPUTS, { ...output, publish: false }));
  expect(noted).toEqual([
    'No more were read, because 10000 dead letters stay. Publish or remove them, and run it again.',
  ]);
  expect(received).toBe(10_000);
});

test('keys revoke asks twice a second whether the logs have been searched', async () => {
  const states = ['Scheduled', 'Running', 'Complete'];
  vi.spyOn(CloudWatchLogsClient.prototype, 'send').mockImplementation(async (command) =>
    command instanceof StartQueryCommand ? { queryId: 'query' } : { status: states.shift() },
  );
  const deployment = {
    ...{ stackName: 'CustomerDataApi-prod', outputs: OUTPUTS, outputsFile: undefined },
    ...{ isProduction: true, requiresUserPoolClientIds: true, options: '' },
  };
  expect(await describeKeyUses(deployment, 'demo', '0a1b2c3d')).toMatch(/^This key was not used/);
  expect(waits).toEqual([500, 500]);
});
