import { counted } from 'customer-data-api/configuration';
import {
  documentClient,
  dynamodbClient,
  eventBridgeClient,
  sqsClient,
  streamsClient,
} from 'customer-data-api-deployment';
import { UserError } from 'customer-data-api-deployment/program';
import { describeInFlight, expectNoneRefused } from '../../../describe-queue.ts';
import { erasureLookups } from '../../erasure-lookups.ts';
import { type Replay, type ReplayOptions, type ReplayProblem, replay } from '../../replay.ts';
import { SqsQueue } from '../../sqs-queue.ts';
import type { Run } from './run.ts';

type Task = Pick<ReplayOptions, 'publishes' | 'removes'>;

/**
 * Runs `replay` for a deployment, and prints what it found and did, even if a call failed then.
 *
 * @throws UserError when a dead letter stays that was to be replayed or removed, and when the run
 *   was interrupted.
 */
export async function printReplay(
  { outputs, json, print, note, signal, showingReads }: Run,
  task: Task,
): Promise<Replay> {
  using sqs = sqsClient(outputs);
  using streams = streamsClient(outputs);
  using dynamodb = dynamodbClient(outputs);
  using documents = documentClient(outputs);
  using eventBridge = eventBridgeClient(outputs);
  const places = {
    streams,
    dynamodb,
    eventBridge,
    deadLetters: new SqsQueue(sqs, outputs.PromoEventsBusDeadLetterQueueUrl),
    tableName: outputs.PromoEventsTableName,
    busName: outputs.PromoEventsBusName,
    newLookup: await erasureLookups(documents, outputs),
  };
  const result = await showingReads((onRead) => replay(places, { ...task, signal, onRead }));
  const { read, tooManyStay, inFlightElsewhere, removed, failed, refused, failure } = result;
  if (tooManyStay !== undefined) {
    note(
      `No more were read, because ${counted(tooManyStay, 'dead letter')} stay. Publish or remove them, and run it again.`,
    );
  }
  if (inFlightElsewhere > 0) note(describeInFlight(inFlightElsewhere));
  else if (read === 0 && !failure) note('The dead-letter queue of the event bus is empty.');
  if (json) print(JSON.stringify(asJson(result, task)));
  else if (read > 0) describe(result, task).forEach(print);
  if (failure) throw failure;
  expectNoneRefused(refused);
  signal.throwIfAborted();
  const { removes = [] } = task;
  if (removed < removes.length) {
    throw new UserError(
      `Removed ${removed} of ${counted(removes.length, 'message')}.`,
      'incomplete',
    );
  }
  if (failed > 0) {
    throw new UserError(
      `Not replayed, and still there: ${counted(failed, 'dead letter')}.`,
      'incomplete',
    );
  }
  return result;
}

function describe(result: Replay, { publishes }: Task): string[] {
  const { read, publishable, noLongerStored, published, removed, problems } = result;
  return [
    ...problems.map((problem) => `Message ${problem.messageId}: ${describeProblem(problem)}`),
    publishes
      ? `Dead letters: ${read}. Events published: ${published}`
      : `Dead letters: ${read}. Events that can be published: ${publishable}`,
    ...(noLongerStored > 0
      ? [`Left out, because their items are gone or erased: ${noLongerStored}`]
      : []),
    ...(removed > 0 ? [`Removed without publishing: ${removed}`] : []),
  ];
}

function describeProblem(problem: ReplayProblem): string {
  switch (problem.kind) {
    case 'notOfThePipe':
      return 'It is not a dead letter of the pipe.';
    case 'recordsExpired':
      return `The stream no longer has its records of ${problem.arrival}. The items are in the table.`;
    case 'itemWithoutKind':
      return `The item ${problem.key} has no kind.`;
    case 'rejected':
      return `The bus rejected an event. ${problem.code}: ${problem.message}`;
  }
}

function asJson(
  { read, publishable, noLongerStored, published, removed, problems }: Replay,
  { publishes, removes }: Task,
): object {
  return {
    deadLetters: read,
    ...(publishes ? { published } : { publishable }),
    noLongerStored,
    ...(removes && { removed }),
    problems: problems.map((problem) => ({
      messageId: problem.messageId,
      problem: describeProblem(problem),
    })),
  };
}
