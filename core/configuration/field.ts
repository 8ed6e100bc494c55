import * as v from 'valibot';

/**
 * The field model of the spec ("Field object", "SubField object", "Option object"), exactly as apps
 * receive it. They decode it into fixed types, so a field of another shape is not sent.
 */

/** One entry of a dropdown. */
export const Option = v.object({
  value: v.pipe(v.string(), v.description('Value of the selected entry.')),
  display: v.pipe(v.string(), v.description('Text shown in the menu.')),
});

const subField = {
  placeHolderText: v.pipe(
    v.string(),
    v.description("Shown while the input is empty; replaced by the customer's input."),
  ),
  allowCopies: v.pipe(
    v.boolean(),
    v.description('If false, several instances must not have the same value.'),
  ),
};

const permits = (characters: string) =>
  v.pipe(v.boolean(), v.description(`Whether ${characters} are permitted.`));
const notApplicable = v.pipe(
  v.literal(false),
  v.description('Always false: not applicable to a dropdown.'),
);

/** A text input. */
export const TextSubField = v.pipe(
  v.object({
    subType: v.pipe(v.literal('text'), v.description('The kind of input.')),
    ...subField,
    alpha: permits('alphabetical characters'),
    numbers: permits('digits'),
    symbols: permits('symbols'),
    maxChars: v.pipe(
      v.number(),
      v.safeInteger('must be an integer'),
      v.minValue(1, 'must be at least 1'),
      v.description('Maximum number of characters the customer may enter.'),
    ),
    options: v.pipe(v.literal(''), v.description('Empty: a text input has no options.')),
    optionsArray: v.pipe(
      v.array(Option),
      v.maxLength(0),
      v.description('Empty: a text input has no options.'),
    ),
  }),
  v.check(
    ({ alpha, numbers, symbols }) => alpha || numbers || symbols,
    'permits no characters: alpha, numbers and symbols are all false',
  ),
  v.description('A text input. At least one of alpha, numbers and symbols is true.'),
);

/** A dropdown menu. */
export const DropSubField = v.pipe(
  v.object({
    subType: v.pipe(v.literal('drop'), v.description('The kind of input.')),
    ...subField,
    alpha: notApplicable,
    numbers: notApplicable,
    symbols: notApplicable,
    options: v.pipe(
      v.string(),
      v.description(
        'optionsArray as a string, with a line <display>:<value> per entry. For the website; apps ignore it.',
      ),
    ),
    optionsArray: v.pipe(
      v.array(Option),
      v.minLength(1, 'a dropdown needs at least one option'),
      v.description('The menu entries, in the order of the menu.'),
    ),
  }),
  v.description('A dropdown menu.'),
);

/** One interactive element of a field. */
export const SubField = v.pipe(
  v.variant('subType', [TextSubField, DropSubField]),
  v.description('One interactive element: a text input or a dropdown menu.'),
);

export type SubField = v.InferOutput<typeof SubField>;

const field = {
  id: v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.description('Identifies the field.'),
  ),
  mandatory: v.pipe(
    v.boolean(),
    v.description('If true, the field cannot be left empty and the app must prevent submission.'),
  ),
  fieldName: v.pipe(v.string(), v.description('Caption of the component.')),
  addButtonText: v.pipe(
    v.string(),
    v.description('Label of the button that adds another instance when allowMultiple is true.'),
  ),
};

const appUIs = v.pipe(
  v.array(v.string()),
  v.description('The UIs in which the field is presented: register, profile.'),
  v.examples([['register', 'profile']]),
);
const allowMultiple = v.pipe(
  v.boolean(),
  v.description('If true, the customer can add further instances of the component.'),
);
const NoSubField = v.pipe(
  v.strictObject({}),
  v.description('Always {}: there is no second input.'),
);

/** A field with one text input. */
export const TextField = v.object({
  ...field,
  fieldType: v.pipe(v.literal('text'), v.description('The kind of component.')),
  appUIs,
  allowMultiple,
  subFieldA: TextSubField,
  subFieldB: NoSubField,
});

/** A field with one dropdown menu. */
export const DropField = v.object({
  ...field,
  fieldType: v.pipe(v.literal('drop'), v.description('The kind of component.')),
  appUIs,
  allowMultiple,
  subFieldA: DropSubField,
  subFieldB: NoSubField,
});

/** A field with two inputs. */
export const ComboField = v.object({
  ...field,
  fieldType: v.pipe(v.literal('combo'), v.description('The kind of component.')),
  appUIs: v.exactOptional(appUIs),
  allowMultiple: v.exactOptional(allowMultiple),
  subFieldA: SubField,
  subFieldB: SubField,
});

/** One data collection component: a text box, a dropdown menu, or a combination of two of them. */
export const Field = v.pipe(
  v.variant('fieldType', [TextField, DropField, ComboField]),
  v.description(
    'One data collection component: a text box, a dropdown menu, or a combination of two of them.',
  ),
);
export type Field = v.InferOutput<typeof Field>;

const translated = v.optional(v.string());

/** The texts of an input in another language. */
export const TranslatedInput = v.object({
  placeHolderText: translated,
  options: v.optional(
    v.pipe(v.record(v.string(), v.string()), v.description('Texts of the menu, by value.')),
  ),
});

/** The texts of a field in another language, as operators write them. Apps never receive it. */
export const Translation = v.object({
  fieldName: translated,
  addButtonText: translated,
  subFieldA: v.optional(TranslatedInput),
  subFieldB: v.optional(TranslatedInput),
});
