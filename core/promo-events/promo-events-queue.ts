import { messageSender } from '../aws/message-sender.ts';
import { messageGroupOf, type PromoEvent } from './promo-event.ts';

/**
 * Creates the function that queues a promo event until the table accepts writes again. It throws if
 * SQS refuses the message or cannot be reached before `abortSignal` aborts.
 */
export function promoEventsQueue(queueUrl: string) {
  const send = messageSender(queueUrl);
  return (event: PromoEvent, abortSignal: AbortSignal): Promise<void> =>
    send(event, abortSignal, messageGroupOf(event));
}
