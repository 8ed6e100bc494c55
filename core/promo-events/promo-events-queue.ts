import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsClientSettings } from '../aws/client-settings.ts';
import { lastErrorPlugin } from '../aws/last-attempt-error.ts';
import type { PromoEvent } from './promo-event.ts';

/**
 * Creates the function that sends a promo event to a queue. A consumer of the queue stores it once
 * the table accepts writes again.
 *
 * The function throws when SQS refuses the message or cannot be reached before `abortSignal` ends
 * the call.
 */
export function promoEventsQueue(QueueUrl: string) {
  const sqs = new SQSClient({
    ...awsClientSettings('SQS', new URL(QueueUrl).origin),
    // The signature already covers the body.
    md5: false,
  });
  sqs.middlewareStack.use(lastErrorPlugin());
  return async (event: PromoEvent, abortSignal: AbortSignal): Promise<void> => {
    const message = new SendMessageCommand({ QueueUrl, MessageBody: messageOf(event) });
    await sqs.send(message, { abortSignal });
  };
}

/**
 * An event as JSON. Strings may contain two characters that SQS does not accept or replaces; they
 * are escaped:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
function messageOf(event: PromoEvent): string {
  return JSON.stringify(event).replace(
    /[\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
