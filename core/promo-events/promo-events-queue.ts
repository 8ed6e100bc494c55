import { awsJson } from '../platform/aws-json.ts';
import type { PromoEvent } from './promo-event.ts';

/**
 * Makes the function that puts a promo event into a queue, from where it is written into the table as soon as that can
 * take it. It throws an `AwsError` when SQS answers with one, and other errors when it cannot be reached, or not in time.
 */
export function promoEventsQueue(QueueUrl: string) {
  const { origin } = new URL(QueueUrl);
  const call = awsJson({ name: 'sqs', targetPrefix: 'AmazonSQS', endpoint: origin });
  return async (event: PromoEvent, abortSignal: AbortSignal): Promise<void> => {
    await call('SendMessage', { QueueUrl, MessageBody: messageOf(event) }, abortSignal);
  };
}

/**
 * An event as JSON. Two characters that a text may have are none that SQS takes, and it may put another one in their place:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
function messageOf(event: PromoEvent): string {
  return JSON.stringify(event).replace(
    /[\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
