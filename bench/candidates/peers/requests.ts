import * as z from 'zod';
import { type Problem, ValidationError } from '../../../functions/api/errors.ts';
import { prototypeKeyIn, removedWarning } from './json.ts';

/** The request bodies, with zod: what comes out is the request, and what is to be remarked about it. */

const string = () =>
  z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') });

const printable = (value: string) => value.isWellFormed() && !/\p{Cc}/u.test(value);
const PRINTABLE = 'must not contain control characters or lone surrogates';

const BEYOND_16_BITS = /[\u{10000}-\u{10ffff}]/gu;
const between = (min: number, max: number) => (value: string) => {
  const length = value.length - (value.match(BEYOND_16_BITS)?.length ?? 0);
  return min <= length && length <= max;
};

const text = (min: number, max: number) =>
  string()
    .refine(printable, PRINTABLE)
    .refine(between(min, max), `must have ${min} to ${max} characters`);

const identifier = text(1, 255).refine(
  (value) => Buffer.byteLength(value) <= 255,
  'must have at most 255 bytes in UTF-8',
);

export const GetConfigRequest = request({ clientId: identifier });

export const ApplyPromoCodeRequest = request({
  clientId: identifier,
  promoCode: string()
    .trim()
    .normalize('NFC')
    .refine(printable, PRINTABLE)
    .refine(between(1, 10), 'must have 1 to 10 characters'),
  userId: identifier,
  promoCodeToken: text(0, 4096)
    .nullish()
    .transform((token) => token || undefined),
  eventType: text(1, 64),
  source: text(1, 64),
});

function request<TShape extends z.ZodRawShape>(shape: TShape) {
  const known = z.object(shape);
  return z
    .unknown()
    .refine((body) => !prototypeKeyIn(body), 'has a property name that is not allowed')
    .pipe(z.looseObject(shape))
    .transform((body) => ({
      request: Object.fromEntries(
        Object.entries(body).filter(([name]) => Object.hasOwn(shape, name)),
      ) as z.output<typeof known>,
      warnings: removedWarning(Object.keys(body).filter((name) => !Object.hasOwn(shape, name))),
    }));
}

/** @throws ValidationError */
export function parsed<TSchema extends z.ZodType>(schema: TSchema, body: unknown) {
  const result = schema.safeParse(body);
  if (!result.success) throw toValidationError(result.error.issues);
  return result.data;
}

/** What zod has found, as the answer says it. */
export function toValidationError(issues: readonly z.core.$ZodIssue[]): ValidationError {
  const [first = { message: '' }, ...others] = issues.map(({ path, message }): Problem => {
    const property = path.length > 0 ? String(path[0]) : 'The request body';
    const pointer = path.length > 0 ? `/${property}` : '';
    return { message: `${property} ${message}.`, pointer };
  });
  return new ValidationError([first, ...others]);
}
