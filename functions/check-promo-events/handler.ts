import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
} from 'aws-lambda';
import { createDocumentClient } from '../../core/aws/document-client.ts';
import { type Breach, breachFinder } from '../../core/promo-events/breaches.ts';
import { readEnvironment } from '../../core/runtime/environment.ts';
import { logger } from '../../core/runtime/logger.ts';
import { count, publishMetrics } from '../../core/runtime/metrics.ts';
import { Timeout } from '../../core/runtime/timeout.ts';
import { checkPromoEvents } from '../background-functions.ts';

const RESERVED_MS = 1000;
/** Remembered records. An alarm that is on says no more with another one. */
const MAX_REPORTED = 1000;

const environment = readEnvironment(checkPromoEvents.environment);
const documentClient = createDocumentClient(environment.DYNAMODB_ENDPOINT);
const tables = {
  promoEvents: { documentClient, tableName: environment.PROMO_EVENTS_TABLE_NAME },
  erasures: { documentClient, tableName: environment.ERASURES_TABLE_NAME },
};

/** The records that were reported: Lambda can deliver one again. */
const reported = new Set<string>();

/**
 * Reports stream records that break a guarantee about promo codes. A repetition whose application
 * is missing is looked at again until its record is `CHECK_AFTER_SECONDS` old. Nothing is reported
 * before all reads have succeeded: if one fails, Lambda counts an error and delivers all again.
 */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context: Context,
): Promise<DynamoDBBatchResponse> {
  using timeout = new Timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVED_MS));
  const breachOf = breachFinder(tables, new Date(), timeout.signal);
  const found = await Promise.all(
    Records.map(async (record) => {
      const { eventName, dynamodb: { Keys } = {} } = record;
      const [clientId = '', eventId = ''] = [Keys?.clientId?.S, Keys?.eventId?.S];
      return { record, breach: await breachOf({ eventName, clientId, eventId }) };
    }),
  );
  for (const { record, breach } of found) {
    if (!breach) continue;
    if (breach === 'applicationMissing' && isYoung(record)) {
      publishMetrics();
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
    }
    report(record, breach);
  }
  publishMetrics();
  return { batchItemFailures: [] };
}

function isYoung({ dynamodb }: DynamoDBRecord): boolean {
  const writtenAt = dynamodb?.ApproximateCreationDateTime ?? 0;
  return Date.now() / 1000 - writtenAt < environment.CHECK_AFTER_SECONDS;
}

/** Counts and logs a breach once, without the key of the item: it has the user and the code. */
function report({ eventID = '', dynamodb }: DynamoDBRecord, breach: Breach): void {
  if (reported.has(eventID)) return;
  if (reported.size >= MAX_REPORTED) reported.clear();
  reported.add(eventID);
  const { Keys, NewImage, SequenceNumber, ApproximateCreationDateTime = 0 } = dynamodb ?? {};
  count('GuaranteeBroken');
  logger.error('A guarantee about promo codes is broken', {
    breach,
    clientId: Keys?.clientId?.S,
    receivedAt: NewImage?.receivedAt?.S,
    writtenAt: new Date(ApproximateCreationDateTime * 1000).toISOString(),
    sequenceNumber: SequenceNumber,
  });
}
