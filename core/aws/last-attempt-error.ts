import type {
  FinalizeHandler,
  FinalizeHandlerArguments,
  FinalizeRequestMiddleware,
  Pluggable,
} from '@smithy/types';

/**
 * A plugin for an SDK client. If a signal ends a backoff, the SDK throws an `AbortError` that hides
 * why it had to retry. With the plugin it throws the error of the last attempt, so that the log
 * tells throttling from a lost connection.
 */
export function lastErrorPlugin<TInput extends object, TOutput extends object>(): Pluggable<
  TInput,
  TOutput
> {
  // By the arguments of a call, which the SDK's retries pass on to each attempt.
  const lastErrors = new WeakMap<FinalizeHandlerArguments<TInput>, unknown>();
  const onError =
    (handle: (args: FinalizeHandlerArguments<TInput>, error: unknown) => unknown) =>
    (next: FinalizeHandler<TInput, TOutput>): FinalizeHandler<TInput, TOutput> =>
    (args) =>
      // Not awaited: each await takes one of the ten lines of a stack trace.
      next(args).catch((error) => {
        throw handle(args, error);
      });
  const keep: FinalizeRequestMiddleware<TInput, TOutput> = onError((args, error) => {
    lastErrors.set(args, error);
    return error;
  });
  const restore: FinalizeRequestMiddleware<TInput, TOutput> = onError(
    (args, error) => lastErrors.get(args) ?? error,
  );
  return {
    applyToStack: (stack) => {
      const toMiddleware = 'retryMiddleware';
      stack.addRelativeTo(restore, { relation: 'before', toMiddleware });
      stack.addRelativeTo(keep, { relation: 'after', toMiddleware });
    },
  };
}
