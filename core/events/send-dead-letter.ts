import type { messageSender } from '../aws/message-sender.ts';
import type { DeadLetter } from './dead-letter.ts';
import type { BusEvent } from './put-events.ts';

/** The longest reason, in characters. */
const REASON_CHARACTERS = 1000;

/** Returns the dead letter of an event. */
export function deadLetterOf(event: BusEvent, reason: string): DeadLetter {
  return { ...event, reason: reason.slice(0, REASON_CHARACTERS) };
}

/**
 * Creates the function that sends a dead letter to a queue. It throws if SQS refuses the message or
 * cannot be reached before `abortSignal` aborts.
 */
export function deadLetterSender(queueUrl: string) {
  let send: ReturnType<typeof messageSender> | undefined;
  return async (letter: DeadLetter, abortSignal: AbortSignal): Promise<void> => {
    // Loaded on demand: it is hardly ever needed.
    const { messageSender } = await import('../aws/message-sender.ts');
    send ??= messageSender(queueUrl);
    await send(letter, abortSignal);
  };
}
