import * as z from 'zod';

/** The field model of the specification as a zod schema. */

const subField = { placeHolderText: z.string(), allowCopies: z.boolean() };

const TextSubField = z
  .object({
    subType: z.literal('text'),
    ...subField,
    alpha: z.boolean(),
    numbers: z.boolean(),
    symbols: z.boolean(),
    maxChars: z.int().min(1),
    options: z.literal(''),
    optionsArray: z.tuple([]),
  })
  .refine(({ alpha, numbers, symbols }) => alpha || numbers || symbols);

const DropSubField = z.object({
  subType: z.literal('drop'),
  ...subField,
  alpha: z.literal(false),
  numbers: z.literal(false),
  symbols: z.literal(false),
  options: z.string(),
  optionsArray: z.array(z.object({ value: z.string(), display: z.string() })).min(1),
});

const SubField = z.discriminatedUnion('subType', [TextSubField, DropSubField]);

const field = {
  id: z.string().min(1),
  mandatory: z.boolean(),
  fieldName: z.string(),
  addButtonText: z.string(),
};
const shown = { appUIs: z.array(z.string()), allowMultiple: z.boolean() };
const subFieldB = z.strictObject({});

const Field = z.discriminatedUnion('fieldType', [
  z.object({
    fieldType: z.literal('text'),
    ...field,
    ...shown,
    subFieldA: TextSubField,
    subFieldB,
  }),
  z.object({
    fieldType: z.literal('drop'),
    ...field,
    ...shown,
    subFieldA: DropSubField,
    subFieldB,
  }),
  z.object({
    fieldType: z.literal('combo'),
    ...field,
    appUIs: shown.appUIs.optional(),
    allowMultiple: shown.allowMultiple.optional(),
    subFieldA: SubField,
    subFieldB: SubField,
  }),
]);

/**
 * Returns a field in the shape of the specification, or undefined if it does not have that shape.
 */
export function parseField(stored: unknown): unknown {
  return Field.safeParse(stored).data;
}
