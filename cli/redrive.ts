import { sqsClient } from './aws-clients.ts';
import { Messages, type ReceivedMessage } from './messages.ts';
import type { Outputs } from './outputs.ts';

export interface RedriveOptions {
  /** Moves what is shown back into the queue. */
  readonly move: boolean;
  readonly print: (line: string) => void;
}

/**
 * Shows what lies in the dead-letter queue, and moves it back into the queue if that is wanted. An event is sent before
 * it is deleted here: a run that breaks off between the two has it stored once all the same. What is no promo event
 * would only come back, and stays.
 *
 * @throws what the SQS client throws.
 */
export async function redrive(outputs: Outputs, { move, print }: RedriveOptions): Promise<void> {
  const sqs = sqsClient(outputs);
  const queue = new Messages(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl);
  const seen: ReceivedMessage[] = [];
  const staying: ReceivedMessage[] = [];
  try {
    for await (const batch of deadLetters.receive()) {
      seen.push(...batch);
      const events = move ? batch.filter(({ event }) => event) : [];
      staying.push(...batch.filter((one) => !events.includes(one)));
      await queue.send(events);
      await deadLetters.delete(events);
    }
  } finally {
    await deadLetters.release(staying);
  }
  for (const line of described(seen, move)) print(line);
  const { waiting, inFlight } = await queue.count();
  print(`In the queue, waiting to be stored: about ${waiting + inFlight}.`);
  sqs.destroy();
}

function described(seen: readonly ReceivedMessage[], move: boolean): string[] {
  if (seen.length === 0) return ['The dead-letter queue is empty.'];
  const events = seen.flatMap(({ event }) => event ?? []);
  const unreadable = seen.filter(({ problem }) => problem);
  const byClient = Map.groupBy(events, ({ clientId }) => clientId);
  return [
    `Promo events ${move ? 'moved back from' : 'in'} the dead-letter queue: ${events.length}`,
    ...[...byClient].map(([clientId, its]) => {
      const taken = its.map(({ receivedAt }) => receivedAt).sort();
      return `  ${String(its.length).padStart(6)}  ${clientId}, taken ${taken[0]} to ${taken.at(-1)}`;
    }),
    ...unreadable.map(
      ({ message, problem }) =>
        `Message ${message.MessageId} is no promo event and stays there: ${problem}`,
    ),
    ...(events.length > 0 && !move
      ? ['Move them back with --move, once what kept them from being stored is mended.']
      : []),
  ];
}
