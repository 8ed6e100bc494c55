/** Requests and fields as JSON Schemas for Fastify's validation. */

/** Text without control characters and lone surrogates. */
const text = (minLength: number, maxLength: number) => ({
  type: 'string',
  minLength,
  maxLength,
  pattern: '^[^\\p{Cc}\\p{Cs}]*$',
});

const identifier = { ...text(1, 255), maxBytes: 255 };

/** A schema keyword that limits the length in bytes of UTF-8. */
export const maxBytes = {
  keyword: 'maxBytes',
  type: 'string',
  validate: (max: number, value: string) => Buffer.byteLength(value) <= max,
  error: { message: 'must have fewer bytes in UTF-8' },
} as const;

export const GetConfigRequest = {
  type: 'object',
  required: ['clientId'],
  additionalProperties: false,
  properties: { clientId: identifier },
} as const;

export const ApplyPromoCodeRequest = {
  type: 'object',
  required: ['clientId', 'promoCode', 'userId', 'eventType', 'source'],
  additionalProperties: false,
  properties: {
    clientId: identifier,
    promoCode: text(1, 10),
    userId: identifier,
    promoCodeToken: { ...text(0, 4096), type: ['string', 'null'] },
    eventType: text(1, 64),
    source: text(1, 64),
  },
} as const;

const string = { type: 'string' };
const boolean = { type: 'boolean' };

/** An object whose properties are required, except those in `optional`. */
function object(properties: object, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, additionalProperties: false, properties };
}

const subField = { placeHolderText: string, allowCopies: boolean };
const permits = (characters: string) => ({ properties: { [characters]: { const: true } } });

const TextSubField = {
  ...object({
    subType: { const: 'text' },
    ...subField,
    alpha: boolean,
    numbers: boolean,
    symbols: boolean,
    maxChars: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    options: { const: '' },
    optionsArray: { type: 'array', maxItems: 0 },
  }),
  anyOf: ['alpha', 'numbers', 'symbols'].map(permits),
};

const DropSubField = object({
  subType: { const: 'drop' },
  ...subField,
  alpha: { const: false },
  numbers: { const: false },
  symbols: { const: false },
  options: string,
  optionsArray: { type: 'array', minItems: 1, items: object({ value: string, display: string }) },
});

const SubField = {
  type: 'object',
  required: ['subType'],
  if: { properties: { subType: { const: 'text' } } },
  // biome-ignore lint/suspicious/noThenProperty: this is a keyword of JSON Schema
  then: TextSubField,
  else: DropSubField,
};

const field = {
  id: { type: 'string', minLength: 1 },
  mandatory: boolean,
  fieldName: string,
  addButtonText: string,
  appUIs: { type: 'array', items: string },
  allowMultiple: boolean,
};
const subFieldB = { type: 'object', maxProperties: 0 };

/** The schemas of fields by `fieldType`. */
export const FIELDS: Readonly<Record<string, object>> = {
  text: object({ fieldType: string, ...field, subFieldA: TextSubField, subFieldB }),
  drop: object({ fieldType: string, ...field, subFieldA: DropSubField, subFieldB }),
  combo: object({ fieldType: string, ...field, subFieldA: SubField, subFieldB: SubField }, [
    'appUIs',
    'allowMultiple',
  ]),
};
