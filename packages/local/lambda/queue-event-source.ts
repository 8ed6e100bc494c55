import { setTimeout } from 'node:timers/promises';
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { REGION } from 'customer-data-api-deployment/local';
import type { EventSource } from '../template.ts';
import { failedEntries } from './batch-response.ts';
import type { LambdaFunction } from './lambda-function.ts';

const LONGEST_POLL_SECONDS = 20;
const DELAY_AFTER_FAILURE_MS = 1000;

/**
 * Polls a queue and invokes its function, as Lambda does, until the signal aborts. Resolves when
 * the last batch is done.
 */
export async function pollEventSource(
  source: EventSource,
  lambdaFunction: LambdaFunction,
  client: SQSClient,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    Array.from({ length: source.concurrency }, () => poll(source, lambdaFunction, client, signal)),
  );
}

/**
 * Invokes the function batch by batch. Deletes messages unless they or the whole batch failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
async function poll(
  { queueUrl: QueueUrl, queueArn, batchSize }: EventSource,
  lambdaFunction: LambdaFunction,
  client: SQSClient,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: batchSize,
          WaitTimeSeconds: LONGEST_POLL_SECONDS,
          MessageSystemAttributeNames: ['All'],
        }),
        { abortSignal: signal },
      );
      if (signal.aborted || Messages.length === 0) continue;
      const response = await lambdaFunction.invoke(batchEvent(Messages, queueArn));
      const failed = failedEntries(
        response,
        Messages.map(({ MessageId = '' }) => MessageId),
      );
      for (const { MessageId = '', ReceiptHandle } of Messages) {
        if (failed.has(MessageId)) continue;
        await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    } catch {
      // The function has logged the reason. SQS delivers the messages again.
      await setTimeout(DELAY_AFTER_FAILURE_MS, undefined, { signal }).catch(() => {});
    }
  }
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
function batchEvent(messages: readonly Message[], eventSourceARN: string): SQSEvent {
  return {
    Records: messages.map(
      ({ MessageId = '', ReceiptHandle = '', Body = '', Attributes, MD5OfBody = '' }) => ({
        messageId: MessageId,
        receiptHandle: ReceiptHandle,
        body: Body,
        attributes: Attributes as SQSEvent['Records'][number]['attributes'],
        messageAttributes: {},
        md5OfBody: MD5OfBody,
        eventSource: 'aws:sqs',
        eventSourceARN,
        awsRegion: REGION,
      }),
    ),
  };
}
