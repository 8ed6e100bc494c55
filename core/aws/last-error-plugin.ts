import type {
  FinalizeHandler,
  FinalizeHandlerArguments,
  FinalizeRequestMiddleware,
  Pluggable,
} from '@smithy/types';

/**
 * A plugin for an AWS SDK client that keeps the last attempt's error. When a signal ends a backoff,
 * the AWS SDK's `AbortError` hides whether the call was throttled or lost its connection.
 */
export function lastErrorPlugin<TInput extends object, TOutput extends object>(): Pluggable<
  TInput,
  TOutput
> {
  // By the arguments of a call, which are the same for each of its attempts.
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
