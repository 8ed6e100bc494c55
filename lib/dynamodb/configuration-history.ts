import { Duration, Validations } from 'aws-cdk-lib';
import type { ITable, ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  type DlqDestinationConfig,
  type IFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { QUEUE_PROPS } from '../promo-events/retried-queue.ts';

/** Changes per invocation. Each takes about three DynamoDB calls in sequence. */
const BATCH_SIZE = 25;
/** Half of the time for which a stream keeps a record. An outage of DynamoDB is shorter. */
const MAX_RECORD_AGE = Duration.hours(12);
/** A dead letter is a position in the stream, which keeps a record for a day. */
const KEPT = Duration.days(1);

/** The path from the stream of the Configs table to the function that records versions. */
export class ConfigurationHistory extends Construct {
  /** The positions of stream records that could not be recorded. */
  readonly deadLetterQueue: Queue;
  readonly #configs: ITableV2 | TableV2;

  constructor(scope: Construct, id: string, configs: ITableV2 | TableV2) {
    super(scope, id);
    this.#configs = configs;
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', {
      ...QUEUE_PROPS,
      retentionPeriod: KEPT,
    });
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue of an event source, which no redrive policy names.',
    });
  }

  /** Invokes a function with the changes of clients' items, in order. */
  addRecorder(recorder: IFunction): void {
    recorder.addEventSource(
      // The CDK's types of optional properties do not fit `exactOptionalPropertyTypes`.
      new DynamoEventSource(this.#configs as ITable, {
        // Includes changes made while the stack is deployed.
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: BATCH_SIZE,
        reportBatchItemFailures: true,
        // For a record that crashes the function or times out, which it cannot report.
        bisectBatchOnError: true,
        maxRecordAge: MAX_RECORD_AGE,
        onFailure: { bind: (_, target) => this.#sendDeadLetters(target) },
      }),
    );
  }

  /** Grants the one call that Lambda makes; the CDK's own destination grants three. */
  #sendDeadLetters(recorder: IFunction): DlqDestinationConfig {
    this.deadLetterQueue.grant(recorder, 'sqs:SendMessage');
    return { destination: this.deadLetterQueue.queueArn };
  }
}
