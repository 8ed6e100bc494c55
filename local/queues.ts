import { setTimeout } from 'node:timers/promises';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { buildApp } from 'fauxqs';
import type { LambdaFunction } from './lambda-function.ts';
import { listen } from './listen.ts';
import { type EventSource, type QueueDefinition, REGION } from './template.ts';

const LONGEST_POLL_SECONDS = 20;
const AFTER_A_FAILURE_MS = 1000;

/** An embedded SQS that is running. */
export interface Queues {
  readonly endpoint: string;
  /** Calls a function with the messages of a queue, until it is stopped. */
  readonly poll: (source: EventSource, operation: LambdaFunction) => void;
  readonly stop: () => Promise<void>;
}

/** Starts the embedded SQS with the queues of the stack. What waits in them is gone when it stops. */
export async function startQueues(queues: readonly QueueDefinition[]): Promise<Queues> {
  const app = buildApp({ logger: false, defaultRegion: REGION });
  await app.ready();
  const endpoint = await listen(app.server);
  const client = queueClient(endpoint);
  for (const { queueName, attributes } of queues) {
    await client.send(new CreateQueueCommand({ QueueName: queueName, Attributes: attributes }));
  }
  const stopped = new AbortController();
  const polls: Promise<void>[] = [];
  return {
    endpoint,
    poll: (source, operation) => {
      for (let poller = 0; poller < source.concurrency; poller++) {
        polls.push(pollUntil(stopped.signal, client, source, operation));
      }
    },
    stop: async () => {
      stopped.abort();
      await Promise.all(polls);
      client.destroy();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** A client of the embedded SQS, which asks for credentials and takes any. */
export function queueClient(endpoint: string): SQSClient {
  return new SQSClient({
    endpoint,
    region: REGION,
    useQueueUrlAsEndpoint: false,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}

/**
 * What Lambda does for an event source: calls the function with a batch of messages, and deletes those that it did not
 * report as failed; none, when the call itself failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
async function pollUntil(
  signal: AbortSignal,
  client: SQSClient,
  { queueUrl: QueueUrl, queueArn, batchSize, reportsFailures }: EventSource,
  operation: LambdaFunction,
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
      const response = await operation.invoke(batchEvent(Messages, queueArn));
      const { batchItemFailures } = (response ?? { batchItemFailures: [] }) as SQSBatchResponse;
      const failed = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
      for (const { MessageId = '', ReceiptHandle } of Messages) {
        if (reportsFailures && failed.includes(MessageId)) continue;
        await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    } catch {
      // The function's log says what it was; its messages come again.
      await setTimeout(AFTER_A_FAILURE_MS, undefined, { signal }).catch(() => {});
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
