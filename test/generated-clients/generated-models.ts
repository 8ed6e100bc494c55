import { readFile } from 'node:fs/promises';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read along its paths
type Json = any;

/** How a generator writes the models of a language. */
export interface Writing {
  /** The file of the model of a schema, below the folder of the client. */
  readonly file: (schema: string) => string;
  /** Matches a property: its `name` in JSON, its `type`, and `optional` or `required`. */
  readonly property: RegExp;
  /** The types of the language, by those of the document. */
  readonly types: Readonly<Record<string, string>>;
  /** The type of the entries of a list; undefined if the type is not a list. */
  readonly list: RegExp;
  /** Matches a member of an enum: the `value` in JSON. */
  readonly member: RegExp;
  /**
   * Matches a case of a union: the `value` of the discriminator, and the `schema` that it selects.
   */
  readonly alternative: RegExp;
}

/** The generator renames the model whose name a class of its own has. */
const renamed = (schema: string, taken: string) => (schema === taken ? `Model${schema}` : schema);
const snake = (name: string) => name.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase();

/** The languages for which there is no compiler here, by the names of their generators. */
export const WRITINGS: Readonly<Record<string, Writing>> = {
  swift6: {
    file: (schema) => `Sources/OpenAPIClient/Models/${renamed(schema, 'ErrorResponse')}.swift`,
    property: /public var `?(?<name>\w+)`?: (?<type>[^?\n]+)(?<optional>\?)?$/gm,
    types: {
      ...{ string: 'String', boolean: 'Bool', integer: 'Int', int64: 'Int64' },
      object: 'JSONValue',
    },
    list: /^\[(.*)\]$/,
    member: /case \w+ = "(?<value>[^"]*)"/g,
    alternative: /case "(?<value>[^"]*)":\s+self = \.\w+\(try (?<schema>\w+)\(from: decoder\)\)/g,
  },
  'dart-dio': {
    file: (schema) => `lib/src/model/${snake(schema)}.dart`,
    property:
      /@BuiltValueField\(wireName: r'(?<name>\w+)'\)\s+(?<type>[\w<>]+)(?<optional>\?)? get /g,
    types: {
      ...{ string: 'String', boolean: 'bool', integer: 'int', int64: 'int' },
      object: 'JsonObject',
    },
    list: /^BuiltList<(.*)>$/,
    member: /@BuiltValueEnumConst\(wireName: r'(?<value>[^']*)'\)/g,
    alternative: /^ {4}r'(?<value>[^']*)': (?<schema>\w+),$/gm,
  },
  csharp: {
    file: (schema) => `src/Org.OpenAPITools/Model/${renamed(schema, 'Configuration')}.cs`,
    property:
      /\[DataMember\(Name = "(?<name>\w+)",(?<required> IsRequired = true,)?[^\]]*\)\]\s+public (?<type>[\w<>]+) \w+ \{ get; set; \}/g,
    types: {
      ...{ string: 'string', boolean: 'bool', integer: 'int', int64: 'long' },
      object: 'Object',
    },
    list: /^List<(.*)>$/,
    member: /\[EnumMember\(Value = "(?<value>[^"]*)"\)\]/g,
    alternative:
      /case "(?<value>[^"]*)":\s+new\w+ = new \w+\(JsonConvert\.DeserializeObject<(?<schema>\w+)>/g,
  },
};

/**
 * Lines about a model, such as `maxChars: int64`, `appUIs?: string[]`, `fieldType: text` or `drop:
 * DropField`.
 */
type Model = readonly string[];

/**
 * Reads the models that were generated for a document: each property with its type and whether it
 * is required, the values of enums, and which alternative of a union each value of the
 * discriminator selects. Code that is as described may still not compile.
 *
 * @param folder of the client.
 * @returns by the name of the schema, what the document describes and what the code has.
 */
export async function readModels(writing: Writing, folder: URL, document: Json) {
  const schemas: Readonly<Record<string, Json>> = document.components.schemas;
  const models: Record<string, { described: Model; generated: Model }> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (!schema.properties && !schema.oneOf) continue;
    const code = await readFile(new URL(writing.file(name), folder), 'utf8').catch(() => '');
    const [described, generated] = schema.oneOf
      ? [alternativesOf(schema, schemas), generatedAlternatives(writing, code)]
      : [propertiesOf(schema), generatedProperties(writing, code, schema)];
    models[name] = { described: described.sort(), generated: generated.sort() };
  }
  return models;
}

function propertiesOf({ properties, required }: Json): string[] {
  return Object.entries<Json>(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
}

/**
 * The type of a schema. Only strings that are not empty can be the values of an enum in every
 * language.
 */
function typeOf(schema: Json): string {
  const { $ref, type, format, items, anyOf, const: single, enum: values } = schema;
  if ($ref) return $ref.split('/').at(-1);
  if (anyOf) return typeOf(anyOf[0]);
  if (type === 'array') return `${typeOf(items ?? {})}[]`;
  const members = values ?? [single];
  const isEnum = members.every((value: unknown) => typeof value === 'string' && value !== '');
  return isEnum ? members.toSorted().join(' | ') : (format ?? type);
}

function generatedProperties(
  { member, property, list, types }: Writing,
  code: string,
  { properties }: Json,
): string[] {
  const members = [...code.matchAll(member)].map(({ groups }) => groups?.value).sort();
  const nameOf = (type: string): string => {
    const entry = list.exec(type)?.[1];
    if (entry) return `${nameOf(entry)}[]`;
    return type === 'ModelConfiguration' ? 'Configuration' : type;
  };
  return [...code.matchAll(property)].map(({ groups = {} }) => {
    const { name = '', type = '', optional, required } = groups;
    const expected = typeOf(properties[name] ?? {});
    // Several types of the document can be one type of a language.
    const isExpected = nameOf(type) === expected.replace(/^\w+/, (one) => types[one] ?? one);
    // A model has at most one enum, whose name ends with that of its property.
    const isEnum = new RegExp(`${name}(Enum)?$`, 'i').test(type);
    const isRequired = property.source.includes('<required>') ? required : !optional;
    const shown = isExpected ? expected : isEnum ? members.join(' | ') : nameOf(type);
    return `${name}${isRequired ? '' : '?'}: ${shown}`;
  });
}

/**
 * Which alternative each value of the discriminator selects: the one whose own property has this
 * value.
 */
function alternativesOf({ oneOf, discriminator }: Json, schemas: Json): string[] {
  const key = discriminator?.propertyName;
  return oneOf.map(({ $ref }: Json) => {
    const name = $ref.split('/').at(-1);
    return `${schemas[name].properties[key]?.const}: ${name}`;
  });
}

function generatedAlternatives({ alternative }: Writing, code: string): string[] {
  return [...code.matchAll(alternative)].map(({ groups }) => `${groups?.value}: ${groups?.schema}`);
}
