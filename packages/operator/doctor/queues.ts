import { counted } from 'customer-data-api/configuration';
import { sqsClient } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { suggested } from 'customer-data-api-deployment/program';
import { describeWaiting } from '../describe-queue.ts';
import { SqsQueue } from '../promo-events/sqs-queue.ts';
import { type CheckResult, ok, problem } from './results.ts';

/** Finds promo events that were not stored or published, and changes that were not recorded. */
export async function* checkQueues(outputs: Outputs): AsyncGenerator<CheckResult> {
  using sqs = sqsClient(outputs);
  const lengthOf = (queueUrl: string) => new SqsQueue(sqs, queueUrl).length();
  const dead = await lengthOf(outputs.PromoEventsDeadLetterQueueUrl);
  const unpublished = await lengthOf(outputs.PromoEventsBusDeadLetterQueueUrl);
  const unrecorded = await lengthOf(outputs.ConfigVersionsDeadLetterQueueUrl);
  const waiting = await lengthOf(outputs.PromoEventsQueueUrl);
  if (dead > 0) {
    yield problem(
      `The dead-letter queue has ${counted(dead, 'message')}, not stored. Look at them: ${suggested('queue', 'show')}`,
      'deadLetters',
    );
  }
  if (unpublished > 0) {
    yield problem(
      `${counted(unpublished, 'dead letter')} did not reach the event bus. Look at them: ${suggested('queue', 'replay', '--dry-run')}`,
      'unpublished',
    );
  }
  if (unrecorded > 0) {
    yield problem(
      `${counted(unrecorded, 'dead letter')} of the history: changes of clients that are not recorded. Publish these clients, then remove them: ${suggested('queue', 'purge-history')}`,
      'unrecorded',
    );
  }
  if (waiting > 0) {
    yield problem(
      `${describeWaiting(waiting)} If the number does not fall: docs/runbook.md#promoeventsqueued`,
      'waiting',
    );
  }
  if (dead + unpublished + unrecorded === 0) yield ok('There are no dead letters.');
}
