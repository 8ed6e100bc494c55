import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
} from 'aws-lambda';
import { createDynamoDbClient } from '../../core/aws/dynamodb-client.ts';
import { createEventBridgeClient } from '../../core/aws/eventbridge-client.ts';
import { canSucceedLater } from '../../core/aws/or-unavailable.ts';
import { accessRules } from '../../core/clients/client-access.ts';
import { effectText } from '../../core/effects/effect.ts';
import { type BusEvent, putEvents } from '../../core/events/put-events.ts';
import { deadLetterOf, deadLetterSender } from '../../core/events/send-dead-letter.ts';
import { findingText } from '../../core/finding.ts';
import { configurationChanged } from '../../core/history/configuration-changed.ts';
import { type RecordedChange, recordChange } from '../../core/history/record-change.ts';
import { readEnvironment } from '../../core/runtime/environment.ts';
import { logger } from '../../core/runtime/logger.ts';
import { count, publishMetrics } from '../../core/runtime/metrics.ts';
import { Timeout } from '../../core/runtime/timeout.ts';
import { shortened } from '../../core/text.ts';
import { recordConfigurationVersions } from '../background-functions.ts';
import { readStreamRecord } from './read-stream-record.ts';

const RESERVED_MS = 1000;
/** The milliseconds for which a bus that fails may hold up an invocation. */
const FAILING_BUS_MS = 1000;
/** Limits of a log line: sentences, and characters per sentence. An item can have thousands. */
const LOGGED_SENTENCES = 20;
const LOGGED_CHARACTERS = 300;

const environment = readEnvironment(recordConfigurationVersions.environment);
const table = {
  dynamodb: createDynamoDbClient(environment.DYNAMODB_ENDPOINT),
  versionsTableName: environment.CONFIG_VERSIONS_TABLE_NAME,
};
const bus = {
  eventBridge: createEventBridgeClient(environment.EVENTBRIDGE_ENDPOINT),
  name: environment.PROMO_EVENTS_BUS_NAME,
};
const sendLetter = deadLetterSender(environment.PROMO_EVENTS_BUS_DEAD_LETTER_QUEUE_URL);

/** The names of a change in a log line. */
type Named = Readonly<Record<'clientId' | 'eventId', string | undefined>>;

/**
 * Records each change of a client as a version, in the order of the stream, and then publishes the
 * news of it. After an error that may pass, Lambda delivers the change and all later ones again.
 * Changes that always fail are skipped.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context: Context,
): Promise<DynamoDBBatchResponse> {
  using timeout = new Timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVED_MS));
  const failed = await firstFailure(Records, timeout.signal);
  publishMetrics();
  const itemIdentifier = failed?.dynamodb?.SequenceNumber;
  return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
}

async function firstFailure(
  records: readonly DynamoDBRecord[],
  abortSignal: AbortSignal,
): Promise<DynamoDBRecord | undefined> {
  const publish = publisher(abortSignal);
  for (const record of records) {
    const names = { clientId: record.dynamodb?.Keys?.clientId?.S, eventId: record.eventID };
    let news: BusEvent | undefined;
    try {
      const recorded = await recordAndReport(record, abortSignal);
      // Also of a version that an earlier delivery recorded: it may have died before this.
      news = recorded && configurationChanged(recorded);
    } catch (error) {
      const values = { ...names, error };
      count('ServerErrors');
      if (canSucceedLater(error)) {
        logger.error('A change of a client is not recorded yet', values);
        return record;
      }
      // It would fail every time, and block the changes of other clients.
      count('ChangeSkipped');
      logger.error('A change of a client cannot be recorded', values);
    }
    try {
      if (news) await publish(news, names);
    } catch (error) {
      count('ServerErrors');
      logger.error('The news of a change is not published yet', { ...names, error });
      return record;
    }
  }
  return undefined;
}

/**
 * Creates the function that puts news on the bus or, if the bus does not take it, into the
 * dead-letter queue. It throws if that fails, too. A bus that fails has less time for later news.
 */
function publisher(abortSignal: AbortSignal) {
  let failingBusMs = FAILING_BUS_MS;
  return async (event: BusEvent, names: Named): Promise<void> => {
    const start = performance.now();
    using timeout = new Timeout(Math.max(0, failingBusMs), abortSignal);
    const [put] = await putEvents(bus, [event], timeout.signal);
    if (!put || put.kind === 'published') return;
    failingBusMs -= performance.now() - start;
    const reason =
      put.kind === 'refused' ? put.reason : `The bus did not take it: ${String(put.error)}`;
    await sendLetter(deadLetterOf(event, reason), abortSignal);
    logger.error('The news of a change is a dead letter', { ...names, reason });
  };
}

async function recordAndReport(
  record: DynamoDBRecord,
  abortSignal: AbortSignal,
): Promise<RecordedChange | undefined> {
  const recorded = await recordChange(table, readStreamRecord(record), {
    rules: accessRules(environment),
    abortSignal,
  });
  if (!recorded) return undefined;
  const { clientId, version, source, by, isTooLarge } = recorded.version;
  if (recorded.isNew) reportErrors(recorded);
  if (recorded.isNew && isTooLarge) {
    count('ServerErrors');
    logger.error('A change of a client is recorded without its content', { clientId, version });
  }
  if (source === 'manualEdit') count('ManualEdit');
  if (recorded.harm.length > 0) {
    count('ClientHarmed');
    const harm = loggable(recorded.harm.map((one) => effectText(one, true)));
    logger.warn('A change harmed a client', { clientId, version, source, by, harm });
  }
  return recorded;
}

/**
 * Logs what an operator has to correct: one line per version, however often its record is
 * delivered. An invocation that ends after writing the version loses the line. The history still
 * counts the findings, and `FieldsLeftOut` the responses that omit fields.
 */
function reportErrors({ version: { clientId, version }, findings }: RecordedChange): void {
  const errors = findings.filter(({ severity }) => severity === 'error').map(findingText);
  if (errors.length === 0) return;
  logger.error('Configuration to correct', {
    clientId,
    version,
    errors: errors.length,
    findings: loggable(errors),
  });
}

function loggable(sentences: readonly string[]): string[] {
  return sentences.slice(0, LOGGED_SENTENCES).map((one) => shortened(one, LOGGED_CHARACTERS));
}
