import {
  type BatchResultErrorEntry,
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  type QueueAttributeName,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import {
  messageGroupOf,
  type PromoEvent,
  type ReadPromoEvent,
  readPromoEvent,
} from 'customer-data-api/promo-events';

/** The largest batch that SQS returns and accepts. */
const BATCH_SIZE = 10;
/** Concurrent batches: a batch spends most of its time waiting for SQS. */
const WORKERS = 8;
/** With any wait, SQS asks all of its servers for messages, not only some (long polling). */
const WAIT_SECONDS = 1;

/** A message that we have in flight: enough to delete or release it. */
interface MessageInFlight {
  readonly messageId: string;
  readonly receiptHandle: string;
}

/** A message in flight, with its promo event or the reason why it has none. */
export type ReceivedMessage = MessageInFlight & ReadPromoEvent & { readonly body: string };

/** A message in flight that is a promo event. */
export type ReceivedPromoEvent = ReceivedMessage & { readonly event: PromoEvent };

interface VisitOptions {
  /** Seconds until the messages of a killed run can be received again. */
  readonly visibilityTimeoutSeconds: number;
  /** Messages that may stay in flight. SQS allows 120,000, and returns none beyond that. */
  readonly maxStaying: number;
  /** Concurrent batches; 8 by default. */
  readonly workers?: number;
  /** Ends the visit after the batches in flight. */
  readonly signal: AbortSignal;
}

/** A message of a visit. */
export type VisitedMessage = ReceivedMessage & {
  /** True if the message came before and stayed: SQS returns it after the visibility timeout. */
  readonly isAgain: boolean;
};

/** The result of a batch. SQS can accept one message of a batch and refuse another. */
interface BatchResult<T> {
  readonly accepted: readonly T[];
  readonly refused: readonly BatchResultErrorEntry[];
}

/** The messages of one queue, for its operator. Methods throw the SQS client's errors. */
export class SqsQueue {
  readonly #sqs: SQSClient;
  readonly #QueueUrl: string;

  constructor(sqs: SQSClient, queueUrl: string) {
    this.#sqs = sqs;
    this.#QueueUrl = queueUrl;
  }

  /**
   * Receives batches until the queue is empty or the signal aborts. No other receiver gets a
   * message for the given time, unless it is released before.
   */
  async *receive(
    visibilityTimeoutSeconds: number,
    signal?: AbortSignal,
  ): AsyncGenerator<ReceivedMessage[]> {
    while (!signal?.aborted) {
      const { Messages: batch = [] } = await this.#sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: this.#QueueUrl,
          MaxNumberOfMessages: BATCH_SIZE,
          WaitTimeSeconds: WAIT_SECONDS,
          VisibilityTimeout: visibilityTimeoutSeconds,
        }),
      );
      if (batch.length === 0) return;
      yield batch.map(({ MessageId = '', ReceiptHandle = '', Body = '' }) => ({
        messageId: MessageId,
        receiptHandle: ReceiptHandle,
        body: Body,
        ...readPromoEvent(Body),
      }));
    }
  }

  /**
   * Receives all messages and passes each batch to `handle`, which returns those that it removed.
   * The others stay in flight, so that no one else receives them, and are released at the end. Ends
   * when the queue is empty, the signal aborts, or too many messages stay. Each batch of the first
   * workers starts another worker, so an empty queue takes one call.
   *
   * @returns true as `isComplete` if the end of the queue was reached, the number of messages that
   *   stayed and, if they were too many, an approximate number of unread ones.
   * @throws the first error, once all workers have ended.
   */
  async visit(
    { visibilityTimeoutSeconds, maxStaying, workers: maxWorkers = WORKERS, signal }: VisitOptions,
    handle: (batch: readonly VisitedMessage[]) => Promise<readonly MessageInFlight[]>,
  ): Promise<{ readonly isComplete: boolean; readonly staying: number; readonly unread: number }> {
    // By message id: a message that comes again has another receipt handle.
    const staying = new Map<string, MessageInFlight>();
    let isStopped = false;
    const errors: unknown[] = [];
    const workers: Promise<void>[] = [];
    const start = () => workers.push(work().catch(stop));
    const stop = (error: unknown) => {
      isStopped = true;
      errors.push(error);
    };
    const work = async () => {
      for await (const batch of this.receive(visibilityTimeoutSeconds, signal)) {
        if (workers.length < maxWorkers) start();
        const visited = batch.map((message) => ({
          ...message,
          isAgain: staying.has(message.messageId),
        }));
        // Without content, which could exceed the memory.
        for (const { messageId, receiptHandle } of batch) {
          staying.set(messageId, { messageId, receiptHandle });
        }
        for (const { messageId } of await handle(visited)) staying.delete(messageId);
        if (staying.size >= maxStaying) isStopped = true;
        if (isStopped) return;
      }
    };
    start();
    try {
      // The list grows while they work.
      for (const worker of workers) await worker;
      if (errors.length > 0) throw errors[0];
      const unread = isStopped ? (await this.count()).waiting : 0;
      return { isComplete: !isStopped && !signal.aborted, staying: staying.size, unread };
    } finally {
      // If this fails, the messages can be received again after the visibility timeout.
      await this.#release([...staying.values()]).catch(() => {});
    }
  }

  /** Sends copies of promo events to the queue. */
  send(messages: readonly ReceivedPromoEvent[]): Promise<BatchResult<ReceivedPromoEvent>> {
    return inBatches(messages, (batch) =>
      this.#sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: this.#QueueUrl,
          Entries: batch.map(({ body, event }, index) => ({
            Id: String(index),
            MessageBody: body,
            MessageGroupId: messageGroupOf(event),
          })),
        }),
      ),
    );
  }

  /** Deletes messages in flight. */
  delete<T extends MessageInFlight>(messages: readonly T[]): Promise<BatchResult<T>> {
    return inBatches(messages, (batch) =>
      this.#sqs.send(
        new DeleteMessageBatchCommand({ QueueUrl: this.#QueueUrl, Entries: entriesOf(batch) }),
      ),
    );
  }

  /** Counts waiting messages and those in flight; SQS calls both numbers approximate. */
  async count(): Promise<{ waiting: number; inFlight: number }> {
    const attributes = await this.#attributes(
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
    );
    return {
      waiting: Number(attributes.ApproximateNumberOfMessages),
      inFlight: Number(attributes.ApproximateNumberOfMessagesNotVisible),
    };
  }

  /** Counts the messages, waiting and in flight. */
  async length(): Promise<number> {
    const { waiting, inFlight } = await this.count();
    return waiting + inFlight;
  }

  /** Deletes all messages, including those in flight. SQS takes up to a minute. */
  async purge(): Promise<void> {
    await this.#sqs.send(new PurgeQueueCommand({ QueueUrl: this.#QueueUrl }));
  }

  #release(messages: readonly MessageInFlight[]): Promise<BatchResult<MessageInFlight>> {
    return inBatches(messages, (batch) =>
      this.#sqs.send(
        new ChangeMessageVisibilityBatchCommand({
          QueueUrl: this.#QueueUrl,
          Entries: entriesOf(batch).map((entry) => ({ ...entry, VisibilityTimeout: 0 })),
        }),
      ),
    );
  }

  async #attributes(...AttributeNames: QueueAttributeName[]) {
    const { Attributes = {} } = await this.#sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: this.#QueueUrl, AttributeNames }),
    );
    return Attributes;
  }
}

async function inBatches<T>(
  messages: readonly T[],
  call: (batch: readonly T[]) => Promise<{ Failed?: BatchResultErrorEntry[] | undefined }>,
): Promise<BatchResult<T>> {
  const accepted: T[] = [];
  const refused: BatchResultErrorEntry[] = [];
  for (let start = 0; start < messages.length; start += BATCH_SIZE) {
    const batch = messages.slice(start, start + BATCH_SIZE);
    const { Failed = [] } = await call(batch);
    const failedIds = new Set(Failed.map(({ Id }) => Id));
    accepted.push(...batch.filter((_, index) => !failedIds.has(String(index))));
    refused.push(...Failed);
  }
  return { accepted, refused };
}

function entriesOf(batch: readonly MessageInFlight[]) {
  return batch.map(({ receiptHandle }, index) => ({
    Id: String(index),
    ReceiptHandle: receiptHandle,
  }));
}
