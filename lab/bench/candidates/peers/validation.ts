import type * as z from 'zod';
import { type Problem, ValidationError } from '../../../../functions/http/errors.ts';

/**
 * Validates a request body.
 *
 * @throws ValidationError
 */
export function validate<TSchema extends z.ZodType>(
  schema: TSchema,
  body: unknown,
): z.output<TSchema> {
  const result = schema.safeParse(body);
  if (!result.success) throw toValidationError(result.error.issues);
  return result.data;
}

/** Turns zod's issues into the error that the API returns. */
export function toValidationError(issues: readonly z.core.$ZodIssue[]): ValidationError {
  const [first = { message: '' }, ...others] = issues.map(({ path, message }): Problem => {
    const property = path.length > 0 ? String(path[0]) : 'The request body';
    const pointer = path.length > 0 ? `/${property}` : '';
    return { message: `${property} ${message}.`, pointer };
  });
  return new ValidationError([first, ...others]);
}
