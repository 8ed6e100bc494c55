import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { codePoints } from '../core/text.ts';
import * as envelope from '../functions/http/envelope.ts';
import { functionName, type Operation } from '../functions/http/operation.ts';
import { HEADERS, type Header, type OptionalHeader } from '../functions/http/request-headers.ts';
import { HEADER_SCHEMAS } from '../functions/middlewares/check-headers.ts';
import { PROTOTYPE_KEY } from '../functions/middlewares/validate-body.ts';
import { OPERATIONS } from '../functions/operations.ts';

/** The headers that neither a security scheme nor the media type of the body describes. */
export const PARAMETERS = (Object.keys(HEADERS) as Header[]).filter(
  (header) => !['contentType', 'authorization', 'appId'].includes(header),
);

/** The schemas that the functions validate with, by name in the document. */
const SCHEMAS: Readonly<Record<string, v.GenericSchema>> = {
  ...Object.fromEntries(
    OPERATIONS.flatMap((operation) => [
      [requestSchemaName(operation), operation.request],
      [envelopeSchemaName(operation), envelope.successEnvelopeOf(operation.data)],
    ]),
  ),
  ...Object.fromEntries(OPERATIONS.flatMap(({ schemas }) => Object.entries(schemas))),
  ErrorEnvelope: envelope.ErrorEnvelope,
  UnauthorizedEnvelope: envelope.UnauthorizedEnvelope,
  ErrorData: envelope.ErrorData,
  ErrorEntry: envelope.ErrorEntry,
  ...Object.fromEntries(
    PARAMETERS.map((header) => [parameterName(header), HEADER_SCHEMAS[header]]),
  ),
};

const REQUESTS = new Set<object>(OPERATIONS.map(({ request }) => request));

/** The rule for property names in a request. */
const PROPERTY_NAMES: JsonSchema = { propertyNames: { not: { const: PROTOTYPE_KEY } } };

/**
 * The value of an undescribed property in a request. The rule for names applies at every depth; the
 * schema does not say so of lists, because generators cannot read a schema of objects and lists.
 */
const UNKNOWN_VALUE: JsonSchema = {
  description: 'The value of a property that is not described here. The service removes it.',
  ...PROPERTY_NAMES,
  additionalProperties: ref('UnknownValue'),
};

/** Names the schema of an operation's request body, such as `GetConfigRequest`. */
export function requestSchemaName(operation: Operation): string {
  return `${functionName(operation)}Request`;
}

/** Names the parameter of a header, and its schema, such as `DeviceId`. */
export function parameterName(header: Header | OptionalHeader): string {
  return `${header.charAt(0).toUpperCase()}${header.slice(1)}`;
}

/**
 * Names the schema of an operation's success response, such as `GetConfigEnvelope`. Generators have
 * a type of their own called `GetConfigResponse`.
 */
export function envelopeSchemaName(operation: Operation): string {
  return `${functionName(operation)}Envelope`;
}

/** Refers to a schema of the document. */
export function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

/** Converts the schemas that the functions validate with to the document's JSON Schemas. */
export function jsonSchemas(): Record<string, JsonSchema> {
  return { ...convert(SCHEMAS), UnknownValue: UNKNOWN_VALUE };
}

/** Returns the JSON Schema of App-Id, a header that the document describes as a security scheme. */
export function appIdSchema(): JsonSchema {
  return convert({ AppId: HEADER_SCHEMAS.appId }).AppId;
}

function convert<TSchemas extends Record<string, v.GenericSchema>>(schemas: TSchemas) {
  return toJsonSchemaDefs(schemas, {
    target: 'draft-2020-12',
    // JSON Schema cannot express these rules, so the descriptions do.
    ignoreActions: ['check', 'normalize', 'transform', 'trim'],
    overrideRef: ({ referenceId }) => ref(referenceId).$ref,
    overrideAction: ({ valibotAction, jsonSchema }) => {
      if (isCodePoints(valibotAction)) {
        return { ...jsonSchema, minLength: valibotAction.min, maxLength: valibotAction.max };
      }
      // Without a format, generated code reads an integer as 32 bits.
      return valibotAction.type === 'safe_integer' ? { ...jsonSchema, format: 'int64' } : undefined;
    },
    overrideSchema: ({ valibotSchema, jsonSchema }) => override(valibotSchema, jsonSchema),
  });
}

/** Adds what the conversion omits but generators of code and documentation need. */
function override(schema: object, jsonSchema: JsonSchema): JsonSchema | undefined {
  if (REQUESTS.has(schema)) {
    // With `additionalProperties` instead, generated code would accept any property.
    const unevaluatedProperties = ref('UnknownValue');
    return { ...jsonSchema, ...PROPERTY_NAMES, unevaluatedProperties } as JsonSchema;
  }
  if (isVariant(schema)) {
    return { ...jsonSchema, discriminator: discriminator(schema) } as JsonSchema;
  }
  if (isEmptyObject(schema)) return EMPTY_OBJECT;
  return isLiteral(schema) ? literalSchema(schema.literal) : undefined;
}

/**
 * `{}` as a map without entries. For an object without properties, a generator has no type, and
 * takes a string.
 */
const EMPTY_OBJECT: JsonSchema = {
  type: 'object',
  additionalProperties: { type: 'string' },
  maxProperties: 0,
};

/**
 * Returns the JSON Schema of a single value. Generators turn `const` into an enum with members
 * named after values, and decoders compare them as strings. So an empty string or a boolean would
 * yield code that does not compile or cannot decode.
 */
function literalSchema(literal: string | boolean): JsonSchema {
  if (typeof literal === 'boolean') return { type: 'boolean', not: { const: !literal } };
  return literal === '' ? { type: 'string', maxLength: 0 } : { type: 'string', const: literal };
}

function isCodePoints(action: object): action is ReturnType<typeof codePoints> {
  return 'type' in action && action.type === 'code_points';
}

type Variant = v.VariantSchema<string, v.VariantOptions<string>, undefined>;

function isVariant(schema: object): schema is Variant {
  return 'type' in schema && schema.type === 'variant';
}

function isEmptyObject(schema: object): boolean {
  return 'entries' in schema && Object.keys(Object(schema.entries)).length === 0;
}

function isLiteral(schema: object): schema is v.LiteralSchema<string | boolean, undefined> {
  return 'type' in schema && schema.type === 'literal';
}

/** Maps each value of a variant's key to the schema that it selects. */
function discriminator({ key, options }: Variant) {
  const names = new Map<object, string>(
    Object.entries(SCHEMAS).map(([name, schema]) => [schema, name]),
  );
  const literalOf = (option: object) =>
    (option as unknown as { entries: Record<string, { literal: string }> }).entries[key]?.literal ??
    '';
  return {
    propertyName: key,
    mapping: Object.fromEntries(
      options.map((option) => [literalOf(option), ref(names.get(option) ?? '').$ref]),
    ),
  };
}
