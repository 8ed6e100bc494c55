import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsClientSettings } from '../aws/client-settings.ts';
import { lastErrorPlugin } from '../aws/last-error-plugin.ts';
import { messageGroupOf, type PromoEvent } from './promo-event.ts';

/**
 * Creates the function that queues a promo event until the table accepts writes again. It throws if
 * SQS refuses the message or cannot be reached before `abortSignal` aborts.
 */
export function promoEventsQueue(QueueUrl: string) {
  const sqs = new SQSClient({
    ...awsClientSettings('SQS', new URL(QueueUrl).origin),
    // The signature already covers the body.
    md5: false,
  });
  sqs.middlewareStack.use(lastErrorPlugin());
  return async (event: PromoEvent, abortSignal: AbortSignal): Promise<void> => {
    const message = new SendMessageCommand({
      QueueUrl,
      MessageBody: bodyOf(event),
      MessageGroupId: messageGroupOf(event),
    });
    await sqs.send(message, { abortSignal });
  };
}

/**
 * Writes an event as JSON. It escapes two characters that SQS refuses or replaces.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
function bodyOf(event: PromoEvent): string {
  return JSON.stringify(event).replace(
    /[\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
