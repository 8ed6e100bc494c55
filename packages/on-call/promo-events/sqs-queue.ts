import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type ListMessageMoveTasksResultEntry,
  type QueueAttributeName,
  ReceiveMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';

/** The largest batch that SQS returns and accepts. */
const BATCH_SIZE = 10;
/** Concurrent batches: a batch spends most of its time waiting for SQS. */
const WORKERS = 8;
/** A wait, with which SQS asks all of its servers for messages, not only some (long polling). */
const WAIT_SECONDS = 1;
/** Seconds until a killed run shows the messages again at which it looked. */
const LOOK_SECONDS = 30;

/** A message in flight. */
export interface ReceivedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  /** The time when it was sent. SQS deletes it 14 days later. A move sends it anew. */
  readonly sentAt: Date;
}

interface VisitOptions {
  /** Seconds until the messages of a killed run can be received again. */
  readonly visibilityTimeoutSeconds: number;
  /** Messages in flight at most. SQS allows 120,000, and returns none beyond that. */
  readonly maxMessages: number;
  /** Ends the visit after the batches in flight. */
  readonly signal: AbortSignal;
}

/** The messages of one queue, for its operator. Methods throw the SQS client's errors. */
export class SqsQueue {
  readonly #sqs: SQSClient;
  readonly #QueueUrl: string;

  constructor(sqs: SQSClient, queueUrl: string) {
    this.#sqs = sqs;
    this.#QueueUrl = queueUrl;
  }

  /** Receives messages until there are so many, or the queue is empty, and releases them. */
  async look(most: number): Promise<ReceivedMessage[]> {
    const found: ReceivedMessage[] = [];
    try {
      for await (const batch of this.#receive(LOOK_SECONDS)) {
        found.push(...batch);
        if (found.length >= most) break;
      }
      return found.slice(0, most);
    } finally {
      await this.#release(found);
    }
  }

  /**
   * Receives all messages and passes each batch to `handle`. They stay in flight, so that no one
   * else receives them, and are released at the end. Ends when the queue is empty, the signal
   * aborts, or too many messages are in flight. Each batch of the first workers starts another
   * worker, so an empty queue takes one call.
   *
   * @returns true if the end of the queue was reached.
   * @throws the first error, once all workers have ended.
   */
  async visit(
    { visibilityTimeoutSeconds, maxMessages, signal }: VisitOptions,
    handle: (batch: readonly ReceivedMessage[]) => void,
  ): Promise<boolean> {
    // By message id: a message that comes again has another receipt handle. Without content, which
    // could exceed the memory.
    const inFlight = new Map<string, Pick<ReceivedMessage, 'receiptHandle'>>();
    let isStopped = false;
    const errors: unknown[] = [];
    const workers: Promise<void>[] = [];
    const start = () => workers.push(work().catch(stop));
    const stop = (error: unknown) => {
      isStopped = true;
      errors.push(error);
    };
    const work = async () => {
      for await (const batch of this.#receive(visibilityTimeoutSeconds, signal)) {
        if (workers.length < WORKERS) start();
        for (const { messageId, receiptHandle } of batch) {
          inFlight.set(messageId, { receiptHandle });
        }
        handle(batch);
        if (inFlight.size >= maxMessages) isStopped = true;
        if (isStopped) return;
      }
    };
    start();
    try {
      // The list grows while they work.
      for (const worker of workers) await worker;
      if (errors.length > 0) throw errors[0];
      return !isStopped && !signal.aborted;
    } finally {
      await this.#release([...inFlight.values()]);
    }
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

  /** Returns the newest task that moves messages away, running or ended; undefined without one. */
  async newestMove(): Promise<ListMessageMoveTasksResultEntry | undefined> {
    const list = new ListMessageMoveTasksCommand({ SourceArn: await this.#arn() });
    const { Results: [newest] = [] } = await this.#sqs.send(list);
    return newest;
  }

  /**
   * Lets SQS move the messages to another queue. Without a destination, SQS would look for the
   * queue that a message came from, and finds none for a message that a function has sent.
   */
  async startMove(destination: SqsQueue): Promise<void> {
    const [SourceArn, DestinationArn] = [await this.#arn(), await destination.#arn()];
    await this.#sqs.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
  }

  /**
   * Receives batches until the queue is empty or the signal aborts. No other receiver gets a
   * message for the given time, unless it is released before.
   */
  async *#receive(
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
          MessageSystemAttributeNames: ['SentTimestamp'],
        }),
      );
      if (batch.length === 0) return;
      yield batch.map(({ MessageId = '', ReceiptHandle = '', Body = '', Attributes = {} }) => ({
        messageId: MessageId,
        receiptHandle: ReceiptHandle,
        body: Body,
        sentAt: new Date(Number(Attributes.SentTimestamp ?? 0)),
      }));
    }
  }

  /** Makes messages visible. If this fails, they can be received after the visibility timeout. */
  async #release(messages: readonly Pick<ReceivedMessage, 'receiptHandle'>[]): Promise<void> {
    try {
      for (let start = 0; start < messages.length; start += BATCH_SIZE) {
        const batch = messages.slice(start, start + BATCH_SIZE);
        const Entries = batch.map(({ receiptHandle: ReceiptHandle }, index) => ({
          Id: String(index),
          ReceiptHandle,
          VisibilityTimeout: 0,
        }));
        await this.#sqs.send(
          new ChangeMessageVisibilityBatchCommand({ QueueUrl: this.#QueueUrl, Entries }),
        );
      }
    } catch {}
  }

  async #arn(): Promise<string> {
    return (await this.#attributes('QueueArn')).QueueArn ?? '';
  }

  async #attributes(...AttributeNames: QueueAttributeName[]) {
    const { Attributes = {} } = await this.#sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: this.#QueueUrl, AttributeNames }),
    );
    return Attributes;
  }
}
