import {
  type BatchResultErrorEntry,
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type ReadPromoEvent, readPromoEvent } from '../core/promo-events/promo-event.ts';

/** The most that SQS hands out and takes at once. */
const BATCH_SIZE = 10;
/** For how long nobody else gets what we are looking at; a run that is killed lets go of it by then. */
const VISIBILITY_TIMEOUT_SECONDS = 600;
/** Asking for longer than a moment makes SQS look on all of its servers. */
const WAIT_SECONDS = 1;

/** A message that we have in hand, with the promo event in it, or with why it is none. */
export type ReceivedMessage = ReadPromoEvent & { readonly message: Message };

/** A queue as its operator handles it. */
export class Messages {
  readonly #sqs: SQSClient;
  readonly #QueueUrl: string;

  constructor(sqs: SQSClient, queueUrl: string) {
    this.#sqs = sqs;
    this.#QueueUrl = queueUrl;
  }

  /** Takes one batch after the other in hand, until no more messages can be had. */
  async *receive(): AsyncGenerator<ReceivedMessage[]> {
    for (;;) {
      const { Messages: batch = [] } = await this.#sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: this.#QueueUrl,
          MaxNumberOfMessages: BATCH_SIZE,
          WaitTimeSeconds: WAIT_SECONDS,
          VisibilityTimeout: VISIBILITY_TIMEOUT_SECONDS,
        }),
      );
      if (batch.length === 0) return;
      yield batch.map((message) => ({ message, ...readPromoEvent(message.Body ?? '') }));
    }
  }

  /** Puts copies of messages into the queue. */
  async send(messages: readonly ReceivedMessage[]): Promise<void> {
    await this.#inBatches(messages, (batch) =>
      this.#sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: this.#QueueUrl,
          Entries: batch.map(({ message }, index) => ({
            Id: String(index),
            MessageBody: message.Body ?? '',
          })),
        }),
      ),
    );
  }

  /** Deletes messages that we have in hand. */
  async delete(messages: readonly ReceivedMessage[]): Promise<void> {
    await this.#inBatches(messages, (batch) =>
      this.#sqs.send(
        new DeleteMessageBatchCommand({ QueueUrl: this.#QueueUrl, Entries: entriesOf(batch) }),
      ),
    );
  }

  /** Lets go of messages, so that they can be received at once. */
  async release(messages: readonly ReceivedMessage[]): Promise<void> {
    await this.#inBatches(messages, (batch) =>
      this.#sqs.send(
        new ChangeMessageVisibilityBatchCommand({
          QueueUrl: this.#QueueUrl,
          Entries: entriesOf(batch).map((entry) => ({ ...entry, VisibilityTimeout: 0 })),
        }),
      ),
    );
  }

  /** How many messages wait, and how many somebody has in hand: about, as SQS says. */
  async count(): Promise<{ waiting: number; inFlight: number }> {
    const { Attributes } = await this.#sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: this.#QueueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    return {
      waiting: Number(Attributes?.ApproximateNumberOfMessages),
      inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible),
    };
  }

  async #inBatches(
    messages: readonly ReceivedMessage[],
    call: (
      batch: readonly ReceivedMessage[],
    ) => Promise<{ Failed?: BatchResultErrorEntry[] | undefined }>,
  ): Promise<void> {
    const refused: BatchResultErrorEntry[] = [];
    for (let start = 0; start < messages.length; start += BATCH_SIZE) {
      const { Failed = [] } = await call(messages.slice(start, start + BATCH_SIZE));
      refused.push(...Failed);
    }
    const [first] = refused;
    if (first) {
      throw new Error(`SQS refused ${refused.length} messages. ${first.Code}: ${first.Message}`);
    }
  }
}

function entriesOf(batch: readonly ReceivedMessage[]) {
  return batch.map(({ message }, index) => ({
    Id: String(index),
    ReceiptHandle: message.ReceiptHandle,
  }));
}
