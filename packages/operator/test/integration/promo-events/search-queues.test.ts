import { CreateQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { queueClient } from 'customer-data-api-deployment/local';
import { startQueues } from 'customer-data-api-local';
import { afterAll, expect, test, vi } from 'vitest';
import { Messages } from '../../../promo-events/sqs-queue.ts';
import { searchQueues } from '../../../promo-events/user-messages.ts';

const queues = await startQueues([]);
const sqs = queueClient(queues.endpoint);
// The embedded SQS is a single server, so a longer wait would find nothing more.
sqs.middlewareStack.add(
  (next) => (args) => next({ ...args, input: { ...args.input, WaitTimeSeconds: 0 } }),
  { step: 'initialize' },
);
afterAll(async () => {
  sqs.destroy();
  await queues.stop();
});

test('finds a dead letter that another operator moves back behind the search of the queue', async () => {
  const createQueue = async (QueueName: string) => {
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName }));
    return QueueUrl;
  };
  const deadLetterQueueUrl = await createQueue('letters');
  const queue = new Messages(sqs, await createQueue('queue'));
  const deadLetterQueue = new Messages(sqs, deadLetterQueueUrl);
  const MessageBody = JSON.stringify(eventOf('jane'));
  await sqs.send(new SendMessageCommand({ QueueUrl: deadLetterQueueUrl, MessageBody }));
  const count = deadLetterQueue.count.bind(deadLetterQueue);
  const counted = vi.spyOn(deadLetterQueue, 'count').mockImplementation(async () => {
    // The search of the dead letters begins with the second count.
    if (counted.mock.calls.length === 2) {
      for await (const letters of deadLetterQueue.receive(30)) {
        await queue.send(letters);
        await deadLetterQueue.delete(letters);
      }
    }
    return count();
  });
  const found = await searchQueues({ queue, deadLetterQueue }, () => ({
    ...{ isWanted: ({ userId }) => userId === 'jane', removes: true, maxMessages: 10 },
    ...{ visibilityTimeoutSeconds: 30, onFound: () => {}, onSearched: () => {} },
    signal: new AbortController().signal,
  }));
  expect(found.queue.found + found.deadLetterQueue.found).toBe(1);
  expect((await queue.count()).waiting).toBe(0);
});
