import * as v from 'valibot';

/**
 * The field model of the spec ("Field object", "SubField object", "Option object"), exactly as it goes over the wire.
 * Apps decode it into fixed types: what does not have this shape is not sent.
 */

const Option = v.object({ value: v.string(), display: v.string() });

const subField = {
  placeHolderText: v.string(),
  allowCopies: v.boolean(),
};

const TextSubField = v.pipe(
  v.object({
    subType: v.literal('text'),
    ...subField,
    alpha: v.boolean(),
    numbers: v.boolean(),
    symbols: v.boolean(),
    maxChars: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    options: v.literal(''),
    optionsArray: v.tuple([]),
  }),
  v.check(
    ({ alpha, numbers, symbols }) => alpha || numbers || symbols,
    'permits no character: alpha, numbers and symbols are all false',
  ),
);

const DropSubField = v.object({
  subType: v.literal('drop'),
  ...subField,
  alpha: v.literal(false),
  numbers: v.literal(false),
  symbols: v.literal(false),
  options: v.string(),
  optionsArray: v.pipe(v.array(Option), v.minLength(1, 'a dropdown needs at least one option')),
});

const SubField = v.variant('subType', [TextSubField, DropSubField]);

const field = {
  id: v.pipe(v.string(), v.minLength(1, 'must not be empty')),
  mandatory: v.boolean(),
  fieldName: v.string(),
  addButtonText: v.string(),
};

const appUIs = v.array(v.string());
const allowMultiple = v.boolean();
const NoSubField = v.strictObject({});

const TextField = v.object({
  ...field,
  fieldType: v.literal('text'),
  appUIs,
  allowMultiple,
  subFieldA: TextSubField,
  subFieldB: NoSubField,
});

const DropField = v.object({
  ...field,
  fieldType: v.literal('drop'),
  appUIs,
  allowMultiple,
  subFieldA: DropSubField,
  subFieldB: NoSubField,
});

const ComboField = v.object({
  ...field,
  fieldType: v.literal('combo'),
  appUIs: v.exactOptional(appUIs),
  allowMultiple: v.exactOptional(allowMultiple),
  subFieldA: SubField,
  subFieldB: SubField,
});

/** One data collection component: a text box, a dropdown menu, or a combination of two of them. */
export const Field = v.variant('fieldType', [TextField, DropField, ComboField]);
export type Field = v.InferOutput<typeof Field>;
