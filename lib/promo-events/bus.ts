import type { ITable, ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { FilterCriteria, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MAX_CONCURRENCY } from '../settings/capacity.ts';
import { addRetriedQueue, invokeWithMessages, type RetriedQueue } from './retried-queue.ts';

/**
 * New items only: the stream also has erased and expired ones. What was imported is no news. The
 * pattern names the text of the attribute: operators match leaves, and would find no map.
 */
const PUBLISHED_RECORDS = {
  eventName: ['INSERT'],
  dynamodb: { NewImage: { importedAt: { S: [{ exists: false }] } } },
};

/** Records per invocation: ten calls of the bus side by side. */
const BATCH_SIZE = 100;

/**
 * The event bus for follow-on systems, and the queue of events that it did not take. A function
 * reads the stream of the PromoEvents table, and publishes an event for each new item. Functions
 * send what the bus does not take to the dead-letter queue; the queue has what was moved from it.
 */
export class ServiceBus extends Construct implements RetriedQueue {
  readonly eventBus: EventBus;
  /** The dead letters that were moved, to be published. */
  readonly queue: Queue;
  /** The events that are not on the bus. */
  readonly deadLetterQueue: Queue;
  readonly #promoEvents: ITableV2 | TableV2;

  constructor(scope: Construct, id: string, promoEvents: ITableV2 | TableV2) {
    super(scope, id);
    this.#promoEvents = promoEvents;
    this.eventBus = new EventBus(this, 'EventBus');
    ({ queue: this.queue, deadLetterQueue: this.deadLetterQueue } = addRetriedQueue(this));
  }

  /** Invokes a function with new items, in order, and with dead letters that were moved. */
  addPublisher(publisher: IFunction): void {
    publisher.addEventSource(
      // The CDK's types of optional properties do not fit `exactOptionalPropertyTypes`.
      new DynamoEventSource(this.#promoEvents as ITable, {
        // Includes what was stored while the stack is deployed.
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: [FilterCriteria.filter(PUBLISHED_RECORDS)],
        batchSize: BATCH_SIZE,
        reportBatchItemFailures: true,
        // What a crash does not concern is published. Lambda gives no record up: neither by its
        // age nor by a number of attempts.
        bisectBatchOnError: true,
      }),
    );
    invokeWithMessages(this.queue, publisher, MAX_CONCURRENCY.PublishPromoEvents);
  }
}
