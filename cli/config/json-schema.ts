import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { UIS } from '../../core/configuration/advice.ts';
import {
  ComboField,
  DropField,
  DropSubField,
  Field,
  TextField,
  TextSubField,
} from '../../core/configuration/field.ts';
import { ClientId } from '../../core/identifiers.ts';

const ConfigurationFile = v.object({
  clientId: ClientId,
  base: v.optional(
    v.pipe(
      v.string(),
      v.description('Written by config pull: the configuration that this file changes.'),
    ),
  ),
  lastFieldId: v.optional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.description('The highest id that a field ever had. config publish raises it.'),
    ),
  ),
  fields: v.pipe(
    v.array(Field),
    v.description('One field per data collection component, in the order of presentation.'),
  ),
});

/** What operators leave to the service in each map of the field model, or may leave to it. */
const DERIVED: readonly {
  readonly entries: v.ObjectEntries;
  readonly always?: readonly string[];
  readonly ifMissing: readonly string[];
}[] = [
  { entries: TextField.entries, always: ['subFieldB'], ifMissing: ['id', 'addButtonText'] },
  { entries: DropField.entries, always: ['subFieldB'], ifMissing: ['id', 'addButtonText'] },
  { entries: ComboField.entries, ifMissing: ['id', 'addButtonText'] },
  {
    entries: TextSubField.entries,
    always: ['options', 'optionsArray'],
    ifMissing: ['placeHolderText'],
  },
  {
    entries: DropSubField.entries,
    always: ['options', 'alpha', 'numbers', 'symbols'],
    ifMissing: ['placeHolderText'],
  },
];

/** The JSON Schema of a configuration file, as it is checked in: editors complete and check with it. */
export function configurationFileSchema(): JsonSchema {
  return {
    title: 'Configuration of a client of customer-data-api',
    ...toJsonSchema(ConfigurationFile, {
      // Rules that JSON Schema cannot express.
      ignoreActions: ['check', 'code_points'],
      overrideSchema: ({ valibotSchema, jsonSchema }) => {
        // The only list of strings, which editors complete then.
        if (isListOfStrings(jsonSchema)) return { ...jsonSchema, items: { enum: [...UIS] } };
        return 'entries' in valibotSchema
          ? asWritten(jsonSchema, valibotSchema.entries)
          : undefined;
      },
    }),
  };
}

function isListOfStrings({ items }: JsonSchema): boolean {
  return typeof items === 'object' && 'type' in items && items.type === 'string';
}

/** The schema of a map as operators write it: without what is derived, and an unknown attribute is an error. */
function asWritten(
  { properties = {}, required = [], ...schema }: JsonSchema,
  entries: unknown,
): JsonSchema {
  const { always = [], ifMissing = [] } = DERIVED.find((one) => one.entries === entries) ?? {};
  const written = Object.entries(properties).filter(([name]) => !always.includes(name));
  return {
    ...schema,
    properties: Object.fromEntries(written),
    required: required.filter((name) => ![...always, ...ifMissing].includes(name)),
    additionalProperties: false,
  };
}
