import { Duration } from 'aws-cdk-lib';
import type { ITable, ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';

/**
 * The principal of a removal by expiry:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
const EXPIRY = 'dynamodb.amazonaws.com';

const removedBy = (principalId: object) => ({
  eventName: ['REMOVE'],
  userIdentity: { principalId: [principalId] },
});

/** Event patterns of the stream records that need a check. The others invoke nothing. */
const CHECKED_RECORDS: readonly Readonly<Record<string, unknown>>[] = [
  { eventName: ['MODIFY'] },
  // Two patterns, because "anything-but" does not match what is missing.
  removedBy({ exists: false }),
  removedBy({ 'anything-but': [EXPIRY] }),
  { eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: ['repeated'] } } } },
];

/** A record that cannot be checked for so long, for example after crashes, is given up. */
const MAX_RECORD_AGE = Duration.hours(12);

/**
 * Invokes a function with the stream records that need a check. It is the second reader of the
 * stream, besides the publisher: DynamoDB permits no third one.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
export function checkStream(promoEvents: ITableV2 | TableV2, checker: IFunction): void {
  checker.addEventSource(
    // The CDK's types of optional properties do not fit `exactOptionalPropertyTypes`.
    new DynamoEventSource(promoEvents as ITable, {
      // What `promo copy` did to a restored table, before it was in use, breaks no guarantee.
      startingPosition: StartingPosition.LATEST,
      filters: CHECKED_RECORDS.map((pattern) => FilterCriteria.filter({ ...pattern })),
      batchSize: 100,
      // The longest that Lambda has. It bounds the calls, and the repetitions are minutes old.
      maxBatchingWindow: Duration.minutes(5),
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      maxRecordAge: MAX_RECORD_AGE,
    }),
  );
}
