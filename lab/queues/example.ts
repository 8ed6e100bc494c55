import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { runKotlin } from './queues.ts';

const EXPECTED = [
  'work',
  'A: We will send this code.',
  'RETRY',
  // The worker is in backoff.
  'work',
  'A: Code received.',
  'B: Code received.',
  'SUCCESS',
  'A promo code has 1 to 10 characters.',
  'A promo code has 1 to 10 characters.',
  'work',
  'PIZZA2026: Code received.',
  // The service refuses it.
  'work',
  'C: We will send this code.',
  'SUCCESS',
  'work',
  // After three seconds.
  'D: We will send this code.',
  // The customer signs out.
  'work',
  'SUCCESS',
  'work',
  'C: Code received.',
  'D: Code received.',
  'E: Code received.',
  'SUCCESS',
  'SUCCESS',
];

/**
 * Runs the app in Kotlin of the documents, with its worker.
 *
 * @throws UserError if the customer reads something else.
 */
export async function runExample(): Promise<void> {
  const printed = (await runKotlin('CustomerKt')).trim().split('\n');
  if (!isDeepStrictEqual(printed, EXPECTED)) throw new UserError(printed.join('\n'));
}
