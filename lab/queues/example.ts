import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { runKotlin } from './queues.ts';

const EXPECTED = [
  'work',
  'A: We will send this code.',
  'RETRY',
  'A: Code received.',
  'SUCCESS',
  'work',
  // After three seconds.
  'B: We will send this code.',
  // The customer signs out.
  'work',
  'IllegalStateException',
  'B: Code received.',
  'C: Code received.',
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
