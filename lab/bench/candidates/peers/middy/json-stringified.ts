import * as z from 'zod';

/** Like `JSONStringified` of Powertools, which imports all of zod. */
export function jsonStringified<TSchema extends z.ZodType>(schema: TSchema) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'Invalid JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}
