import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsClientSettings } from './client-settings.ts';
import { lastErrorPlugin } from './last-error-plugin.ts';

/**
 * Creates the function that sends a value to a queue, as JSON. It throws if SQS refuses the message
 * or cannot be reached before `abortSignal` aborts.
 */
export function messageSender(QueueUrl: string) {
  const sqs = new SQSClient({
    ...awsClientSettings('SQS', new URL(QueueUrl).origin),
    // The signature already covers the body.
    md5: false,
  });
  sqs.middlewareStack.use(lastErrorPlugin());
  return async (
    value: object,
    abortSignal: AbortSignal,
    MessageGroupId?: string,
  ): Promise<void> => {
    const message = new SendMessageCommand({
      QueueUrl,
      MessageBody: bodyOf(value),
      ...(MessageGroupId && { MessageGroupId }),
    });
    await sqs.send(message, { abortSignal });
  };
}

/**
 * Writes a value as JSON. It escapes two characters that SQS refuses or replaces.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
function bodyOf(value: object): string {
  return JSON.stringify(value).replace(
    /[\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
