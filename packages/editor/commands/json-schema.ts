import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import {
  ClientId,
  DERIVED,
  Field,
  SubField,
  Translation,
  UIS,
} from 'customer-data-api/configuration';
import * as v from 'valibot';

const ConfigurationFile = v.object({
  clientId: ClientId,
  base: v.optional(
    v.pipe(
      v.string(),
      v.description('Written by config show: the configuration that this file changes.'),
    ),
  ),
  lastFieldId: v.optional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.description('The highest id that a field ever had. config publish raises it.'),
    ),
  ),
  language: v.optional(
    v.pipe(
      v.string(),
      v.description('The language of the texts outside translations: a tag, such as en.'),
    ),
  ),
  fields: v.pipe(
    v.array(Field),
    v.description('One field per data collection component, in the order of presentation.'),
  ),
});

const Translations = v.pipe(
  v.record(v.string(), Translation),
  v.description('The texts that customers read, by language tag, such as de. Others stay.'),
);

/**
 * The attributes that the service derives in each map of the field model, whatever operators write.
 */
const ALWAYS_DERIVED = new Map<unknown, readonly string[]>([
  ...Field.options.map(
    ({ entries }) => [entries, DERIVED.field[entries.fieldType.literal]] as const,
  ),
  ...SubField.options.map(
    ({ entries }) => [entries, DERIVED.input[entries.subType.literal]] as const,
  ),
]);
/** The attributes that the service adds if operators leave them out. */
const ADDED = ['id', 'addButtonText', 'placeHolderText'];

/**
 * The JSON Schema of a configuration file, as it is checked in: editors complete and check with it.
 */
export function configurationFileSchema(): JsonSchema {
  const { $schema: _, ...translations } = schemaOf(Translations);
  return {
    title: 'Configuration of a client of customer-data-api',
    ...schemaOf(ConfigurationFile),
    definitions: { translations },
  };
}

function schemaOf(schema: v.GenericSchema): JsonSchema {
  return toJsonSchema(schema, {
    // Rules that JSON Schema cannot express.
    ignoreActions: ['check', 'code_points'],
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      // The only list of strings, which editors complete then.
      if (isListOfStrings(jsonSchema)) return { ...jsonSchema, items: { enum: [...UIS] } };
      return 'entries' in valibotSchema ? asWritten(jsonSchema, valibotSchema.entries) : undefined;
    },
  });
}

function isListOfStrings({ items }: JsonSchema): boolean {
  return typeof items === 'object' && 'type' in items && items.type === 'string';
}

/**
 * The schema of a map as operators write it: an unknown attribute is an error. What is derived is
 * permitted, because it does no harm, and editors strike it through.
 */
function asWritten(
  { properties = {}, required = [], ...schema }: JsonSchema,
  entries: unknown,
): JsonSchema {
  const always = ALWAYS_DERIVED.get(entries) ?? [];
  const written = Object.entries(properties).map(([name, property]) =>
    always.includes(name) && typeof property === 'object'
      ? [name, derived(property)]
      : [name, property],
  );
  return {
    ...schema,
    properties: {
      ...Object.fromEntries(written),
      ...('fieldType' in properties && { translations: { $ref: '#/definitions/translations' } }),
    },
    required: required.filter((name) => ![...always, ...ADDED].includes(name)),
    additionalProperties: false,
  };
}

/**
 * Any value of the right type: the service replaces it. The keyword is that of editors for YAML and
 * JSON.
 */
function derived({ type, const: only, description }: JsonSchema) {
  const deprecationMessage = 'This is derived by the service; remove it.';
  return { type: type ?? typeof only, description, deprecated: true, deprecationMessage };
}
