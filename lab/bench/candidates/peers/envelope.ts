import { type ApiError, UnauthorizedError } from '../../../../functions/http/errors.ts';

// functions/http/envelope.ts would bring our schemas into the bundles of the peers.

/** The body of a successful response. */
export function success(data: unknown, warnings: readonly string[] = []) {
  return { errors: [], warnings, notices: [], data };
}

/** The body of an error response. */
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
