import type { Pluggable } from '@smithy/types';

/**
 * A plugin for an AWS SDK command: its call is not retried. It replaces the retry middleware, which
 * the client owns and which has no setting per call.
 */
export function singleAttemptPlugin<TInput extends object, TOutput extends object>(): Pluggable<
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
