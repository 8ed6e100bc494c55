import { type ApiError, UnauthorizedError } from '../../../functions/api/errors.ts';

// As in functions/api/envelope.ts, which would bring our schemas into the peers' bundles.

/** The body of a success. */
export function success(data: unknown, warnings: readonly string[] = []) {
  return { errors: [], warnings, notices: [], data };
}

/** The body of an error. */
export function failure(error: ApiError, warnings: readonly string[] = []) {
  const { message, code, statusCode, retryable, problems } = error;
  return {
    errors: problems.map((problem) => ({ code, ...problem })),
    warnings,
    notices: [],
    data: { message, code, statusCode, retryable },
    ...(error instanceof UnauthorizedError && { message }),
  };
}
