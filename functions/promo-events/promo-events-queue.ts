import { awsJson } from '../http/aws-json.ts';
import type { PromoEvent } from './promo-event.ts';

/**
 * Puts a promo event into the queue, from where it is written into the table as soon as that can take it.
 *
 * @throws AwsError when SQS answers with one; other errors when it cannot be reached, or not in time.
 */
export async function queuePromoEvent(QueueUrl: string, event: PromoEvent): Promise<void> {
  const call = awsJson({
    name: 'sqs',
    targetPrefix: 'AmazonSQS',
    endpoint: new URL(QueueUrl).origin,
  });
  await call('SendMessage', { QueueUrl, MessageBody: JSON.stringify(event) });
}
