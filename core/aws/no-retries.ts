import type { Pluggable } from '@smithy/types';

/**
 * A plugin for a command of the SDK: its call is made once and not retried. It takes the place of
 * the SDK's retries, which are a middleware of the client and have no setting for a single call.
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
