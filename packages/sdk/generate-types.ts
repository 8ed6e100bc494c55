/** Writes `src/openapi.ts`: types of the schemas in `openapi.json`, and of its paths. */
import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

const { components, paths } = JSON.parse(
  await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'),
  (_key, value) => (isEmptyObject(value) ? { ...value, tsType: 'Record<string, never>' } : value),
);
components.schemas.Path = { type: 'string', enum: Object.keys(paths) };
const oneOf = Object.entries<object>(components.schemas).map(([title, schema]) => {
  // Without a title, the type is named after the property that has it first.
  Object.assign(schema, { title });
  return { $ref: `#/components/schemas/${title}` };
});
const types = await compile({ components, oneOf } as object, 'Schema', {
  // Otherwise, a type accepts any property, and the compiler finds no typing error.
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
});
await writeFile(new URL('src/openapi.ts', import.meta.url), types);

/** True for the schema of `{}`, whose type would accept any value. */
function isEmptyObject(schema: unknown): boolean {
  const { type, properties = {} } = Object(schema);
  return type === 'object' && Object.keys(properties).length === 0;
}
