import * as z from 'zod';
import { hasPrototypeKey, removedWarning } from './request-body.ts';

/** The request bodies as zod schemas. Each one yields the request and the warnings about it. */

const string = () =>
  z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') });

const isPrintable = (value: string) => value.isWellFormed() && !/\p{Cc}/u.test(value);
const PRINTABLE = 'must not contain control characters or lone surrogates';

const BEYOND_16_BITS = /[\u{10000}-\u{10ffff}]/gu;
/** Lengths are counted in code points. */
const hasLength = (min: number, max: number) => (value: string) => {
  const length = value.length - (value.match(BEYOND_16_BITS)?.length ?? 0);
  return min <= length && length <= max;
};

const text = (min: number, max: number) =>
  string()
    .refine(isPrintable, PRINTABLE)
    .refine(hasLength(min, max), `must have ${min} to ${max} characters`);

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
    .refine(isPrintable, PRINTABLE)
    .refine(hasLength(1, 10), 'must have 1 to 10 characters'),
  userId: identifier,
  promoCodeToken: text(0, 4096)
    .nullish()
    .transform((token) => token || undefined),
  eventType: text(1, 64),
  source: text(1, 64),
});

/** Removes properties that the shape does not have, with a warning. */
function request<TShape extends z.ZodRawShape>(shape: TShape) {
  const known = z.object(shape);
  return z
    .unknown()
    .refine((body) => !hasPrototypeKey(body), 'has a property name that is not allowed')
    .pipe(z.looseObject(shape))
    .transform((body) => ({
      request: Object.fromEntries(
        Object.entries(body).filter(([name]) => Object.hasOwn(shape, name)),
      ) as z.output<typeof known>,
      warnings: removedWarning(Object.keys(body).filter((name) => !Object.hasOwn(shape, name))),
    }));
}
