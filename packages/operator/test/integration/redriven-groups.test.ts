import { SQSClient } from '@aws-sdk/client-sqs';
import { messageGroupOf } from 'customer-data-api/promo-events';
import { type Input, startAws } from 'customer-data-api/testing/aws';
import { MESSAGE_GROUP, ODD_CLIENT } from 'customer-data-api/testing/odd-clients';
import { eventOf } from 'customer-data-api/testing/promo-event';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { redrive } from '../../promo-events/redrive.ts';
import { SqsQueue } from '../../promo-events/sqs-queue.ts';

const aws = await startAws();
const sqs = new SQSClient({
  endpoint: aws.endpoint,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  md5: false,
});
afterAll(async () => {
  sqs.destroy();
  await aws.stop();
});

function queues(): [SqsQueue, SqsQueue] {
  const [queue, dead] = ['queue', 'dead'].map((name) => `${aws.endpoint}/${name}`);
  return [new SqsQueue(sqs, queue ?? ''), new SqsQueue(sqs, dead ?? '')];
}

test('a redriven event has the group of its client, as when it was queued', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ODD_CLIENT, { minLength: 1, maxLength: 10 }), async (clients) => {
      const bodies = clients.map((clientId) => JSON.stringify(eventOf('jane', { clientId })));
      const letters = bodies.map((Body, index) => ({
        MessageId: `${index}`,
        ReceiptHandle: `${index}`,
        Body,
      }));
      aws.answer({
        ReceiveMessage: [{ Messages: letters }, {}],
        SendMessageBatch: { Successful: [], Failed: [] },
        DeleteMessageBatch: { Successful: [], Failed: [] },
        GetQueueAttributes: { Attributes: {} },
      });
      const [queue, deadLetters] = queues();
      const { signal } = new AbortController();
      const isErased = async () => false;
      await redrive(queue, deadLetters, { isErased, moves: true, onRead: () => {}, signal });
      const entries = aws.inputsOf('SendMessageBatch').flatMap(({ Entries }) => Entries as Input[]);
      expect(entries.map(({ MessageBody }) => MessageBody)).toEqual(bodies);
      const groups = entries.map(({ MessageGroupId }) => MessageGroupId);
      expect(groups).toEqual(clients.map((clientId) => messageGroupOf({ clientId })));
      for (const group of groups) expect(group).toMatch(MESSAGE_GROUP);
    }),
  );
});

test.each([
  ['deleted by a redrive, and not sent', true, 1],
  ['left alone by a command that moves nothing', false, 0],
])('a dead letter of an erased user is %s', async (_, moves, deleted) => {
  const letter = { MessageId: '1', ReceiptHandle: '1', Body: JSON.stringify(eventOf('jane')) };
  aws.answer({
    ReceiveMessage: [{ Messages: [letter] }, {}],
    DeleteMessageBatch: { Successful: [{ Id: '0' }], Failed: [] },
    GetQueueAttributes: { Attributes: {} },
  });
  const [queue, deadLetters] = queues();
  const { signal } = new AbortController();
  const isErased = async () => true;
  const options = { isErased, moves, onRead: () => {}, signal };
  const { erased } = await redrive(queue, deadLetters, options);
  expect(erased).toBe(1);
  expect(aws.inputsOf('DeleteMessageBatch')).toHaveLength(deleted);
  expect(aws.inputsOf('SendMessageBatch')).toEqual([]);
});
