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

const queueOf = (name: string) => new SqsQueue(sqs, `${aws.endpoint}/${name}`);

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
      const { signal } = new AbortController();
      const isErased = async () => false;
      const options = { isErased, moves: true, onRead: () => {}, signal };
      await redrive(queueOf('queue'), queueOf('dead'), options);
      const entries = aws.inputsOf('SendMessageBatch').flatMap(({ Entries }) => Entries as Input[]);
      expect(entries.map(({ MessageBody }) => MessageBody)).toEqual(bodies);
      const groups = entries.map(({ MessageGroupId }) => MessageGroupId);
      expect(groups).toEqual(clients.map((clientId) => messageGroupOf({ clientId })));
      for (const group of groups) expect(group).toMatch(MESSAGE_GROUP);
    }),
  );
});
