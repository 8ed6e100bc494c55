import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Pluggable } from '@smithy/types';
import { logger } from '../../core/runtime/logger.ts';
import { Timeout } from '../../core/runtime/timeout.ts';

/**
 * Timeout per task, ten times its usual duration: a caller may be waiting for the initialisation,
 * and Lambda aborts it after ten seconds.
 */
const LIMIT_MS = 1000;

/**
 * Runs the warm-up while the function initialises. Lambda then provides more CPU than during calls,
 * and often starts a function before there is a call. Never throws: work that fails or takes too
 * long is logged once and left to the first call.
 *
 * @param work by name, for the log. Each must end when its signal aborts.
 */
export async function beforeFirstCall(
  work: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>,
): Promise<void> {
  await Promise.all(
    Object.entries(work).map(async ([name, run]) => {
      using timeout = new Timeout(LIMIT_MS);
      try {
        await run(timeout.signal);
      } catch (error) {
        logger.warn('The first call was not prepared', { work: name, error });
      }
    }),
  );
}

/** A client that no request can name: `ClientId` refuses control characters. */
export const NO_CLIENT = '\u0000';

/**
 * Makes the cheapest signed read: it finds no item and costs half a read unit. It opens the
 * connection and runs the AWS SDK's code once, which the first call would otherwise wait for. No
 * retry: when a fleet starts during an outage, each function adds a single attempt.
 *
 * @throws the AWS SDK's errors, unchanged.
 */
export async function readEarly(
  dynamodb: Pick<DynamoDBClient, 'send'>,
  tableName: string,
  abortSignal: AbortSignal,
): Promise<void> {
  const read = new GetItemCommand({ TableName: tableName, Key: { clientId: { S: NO_CLIENT } } });
  read.middlewareStack.use(singleAttemptPlugin());
  await dynamodb.send(read, { abortSignal });
}

/**
 * A plugin for an AWS SDK command: its call is not retried. It replaces the retry middleware, which
 * the client owns and which has no setting per call.
 */
function singleAttemptPlugin<TInput extends object, TOutput extends object>(): Pluggable<
  TInput,
  TOutput
> {
  return {
    applyToStack: (stack) => {
      stack.add((next) => next, {
        name: 'retryMiddleware',
        step: 'finalizeRequest',
        priority: 'high',
        override: true,
      });
    },
  };
}
