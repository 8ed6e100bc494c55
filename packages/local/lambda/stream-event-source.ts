import { setTimeout } from 'node:timers/promises';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { readEventPattern } from '../events/event-pattern.ts';
import type { StreamEventSource } from '../template.ts';
import { failedEntries } from './batch-response.ts';
import type { LambdaFunction } from './lambda-function.ts';

const DELAY_AFTER_FAILURE_MS = 1000;

/**
 * Invokes a function with the records of a stream, batch by batch and in order, as an event source
 * of Lambda does. A failed record is delivered again, with those after it, until it succeeds. After
 * a crash, half of the batch is.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export class StreamConsumer {
  readonly #batchSize: number;
  readonly #passes: (record: DynamoDBRecord) => boolean;
  readonly #lambdaFunction: () => Pick<LambdaFunction, 'invoke'> | undefined;
  readonly #waiting: DynamoDBRecord[] = [];
  readonly #stopped = new AbortController();
  #isConsuming = false;
  #work: Promise<void> | undefined;

  /** @param lambdaFunction looks up the function, which may be added later. */
  constructor(
    { batchSize, filters }: Pick<StreamEventSource, 'batchSize' | 'filters'>,
    lambdaFunction: () => Pick<LambdaFunction, 'invoke'> | undefined,
  ) {
    this.#batchSize = batchSize;
    const patterns = filters.map(readEventPattern);
    this.#passes = (record) => patterns.length === 0 || patterns.some((matches) => matches(record));
    this.#lambdaFunction = lambdaFunction;
  }

  /**
   * Queues a record that passes the filters. The write that made it does not wait for the function.
   */
  add(record: DynamoDBRecord): void {
    if (!this.#passes(record)) return;
    this.#waiting.push(record);
    if (!this.#isConsuming) this.#work = this.#consume();
  }

  /** Stops after the batch in flight. Returns the records that still wait. */
  async stop(): Promise<readonly DynamoDBRecord[]> {
    this.#stopped.abort();
    await this.#work;
    return this.#waiting;
  }

  async #consume(): Promise<void> {
    let size = this.#batchSize;
    this.#isConsuming = true;
    while (this.#waiting.length > 0 && !this.#stopped.signal.aborted) {
      const batch = this.#waiting.slice(0, size);
      const done = await this.#invoke(batch);
      this.#waiting.splice(0, done ?? 0);
      size = done === undefined ? Math.ceil(batch.length / 2) : this.#batchSize;
      if (done === batch.length) continue;
      const { signal } = this.#stopped;
      await setTimeout(DELAY_AFTER_FAILURE_MS, undefined, { signal }).catch(() => {});
    }
    this.#isConsuming = false;
  }

  /** Returns how many records, from the start, are done; undefined if the function failed. */
  async #invoke(batch: readonly DynamoDBRecord[]): Promise<number | undefined> {
    try {
      const event: DynamoDBStreamEvent = { Records: [...batch] };
      const response = await this.#lambdaFunction()?.invoke(event);
      const numbers = batch.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
      const failed = failedEntries(response, numbers);
      const first = numbers.findIndex((number) => failed.has(number));
      return first === -1 ? batch.length : first;
    } catch {
      // The function has logged the reason.
      return undefined;
    }
  }
}
