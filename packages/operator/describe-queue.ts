import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { counted } from 'customer-data-api/configuration';
import { printable, suggested, UserError } from 'customer-data-api-deployment/program';

/** Says what to do if there are too many dead letters to search. */
export function tooManyDeadLetters(): string {
  return `The dead-letter queue has too many messages to be searched. Move them back, and run it again when they are stored: ${suggested('queue', 'redrive')}`;
}

/** Says what to do if a search may have missed messages that somebody else has received. */
export function inFlightElsewhere(): string {
  return 'Messages in use elsewhere were not searched. Run it again in ten minutes.';
}

/** A line about requests in the queue, which has those that the table did not store. */
export function describeWaiting(count: number): string {
  if (count === 0) return 'No promo code waits in the queue.';
  const [they, them, are] = count === 1 ? ['It', 'it', 'is'] : ['They', 'them', 'are'];
  const requests = counted(count, 'request for a promo code', 'requests for promo codes');
  return `${requests} ${count === 1 ? 'waits' : 'wait'} in the queue, because the table did not store ${them}. ${they} ${are} tried again every two minutes.`;
}

/** A line about dead letters that nobody else can receive, for an operator who received none. */
export function describeInFlight(deadLetters: number): string {
  const are = deadLetters === 1 ? 'is' : 'are';
  return `${counted(deadLetters, 'dead letter')} ${are} in flight elsewhere. Look again in ten minutes.`;
}

/** The error of a run of which SQS refused messages; undefined if it refused none. */
export function refusedMessages(refused: readonly BatchResultErrorEntry[]): UserError | undefined {
  if (refused.length === 0) return undefined;
  return new UserError(`${describeRefused(refused)} Nothing is lost: run it again.`, 'incomplete');
}

/** A line about messages that SQS refused, for an operator. */
function describeRefused([first, ...others]: readonly BatchResultErrorEntry[]): string {
  const refusal = printable(`${first?.Code}: ${first?.Message}`);
  return `SQS refused ${counted(1 + others.length, 'message')}. ${refusal}`;
}
