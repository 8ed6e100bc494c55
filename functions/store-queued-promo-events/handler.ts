import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { createDocumentClient } from '../../core/aws/document-client.ts';
import { asStored } from '../../core/promo-events/device-id.ts';
import { erasureLookup, type IsErased, isTooOld } from '../../core/promo-events/erasures.ts';
import { readPromoEvent } from '../../core/promo-events/promo-event.ts';
import { storePromoEvent } from '../../core/promo-events/promo-events-table.ts';
import { readEnvironment } from '../../core/runtime/environment.ts';
import { logger } from '../../core/runtime/logger.ts';
import { count, publishMetrics } from '../../core/runtime/metrics.ts';
import { Timeout } from '../../core/runtime/timeout.ts';
import { storeQueuedPromoEvents } from '../background-functions.ts';

const RESERVED_MS = 1000;

const environment = readEnvironment(storeQueuedPromoEvents.environment);
const documentClient = createDocumentClient(environment.DYNAMODB_ENDPOINT);
const erasures = { documentClient, tableName: environment.ERASURES_TABLE_NAME };
const table = {
  documentClient,
  tableName: environment.PROMO_EVENTS_TABLE_NAME,
  retentionDays: environment.PROMO_EVENT_RETENTION_DAYS,
};

/**
 * Stores queued promo events in the table, as `promoCode/apply` does, and drops those of erased
 * users. It reports each failed message, so that SQS redelivers only those and not the whole batch.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  using timeout = new Timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVED_MS));
  const { signal } = timeout;
  // A new one for each batch: a user who is erased now is known to the next batch.
  const isErased = erasureLookup(erasures, new Date(), signal);
  const failed = await Promise.all(Records.map((record) => isFailed(record, isErased, signal)));
  const failures = Records.filter((_, index) => failed[index]);
  publishMetrics();
  return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function isFailed(
  { messageId, body }: SQSRecord,
  isErased: IsErased,
  abortSignal: AbortSignal,
): Promise<boolean> {
  const { event, problem } = readPromoEvent(body);
  if (!event) {
    logger.error('A message is not a promo event', { messageId, problem });
    return true;
  }
  if (isTooOld(event, new Date())) {
    logger.error('A promo event is too old to be stored', { messageId });
    return true;
  }
  try {
    if (await isErased(event)) return false;
    await storePromoEvent(table, asStored(event, environment.STORE_DEVICE_IDS), abortSignal);
    return false;
  } catch (error) {
    count('ServerErrors');
    logger.error('A promo event stays in the queue', { messageId, error });
    return true;
  }
}
