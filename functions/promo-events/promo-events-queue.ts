import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { PromoEvent } from './promo-event.ts';

const sqs = new SQSClient({
  maxAttempts: 3,
  // An emulator's queue has the URL that the queue has on AWS.
  useQueueUrlAsEndpoint: false,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: 1500,
    throwOnRequestTimeout: true,
  },
});

/**
 * Puts a promo event into the queue, from where it is written into the table as soon as that can take it.
 *
 * @throws what the SQS client throws.
 */
export async function queuePromoEvent(QueueUrl: string, event: PromoEvent): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(event) }));
}
