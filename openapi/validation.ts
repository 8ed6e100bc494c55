import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read along its paths
type Json = any;

/** The checked-in document. */
export const DOCUMENT: Json = JSON.parse(
  readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'),
);

const ID = 'openapi.json';
// `int64` is for generators; schemas have the bounds of integers.
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int64: true } });
ajv.addSchema(closed(DOCUMENT), ID);

/**
 * Forbids undescribed properties unless an object has a rule for them. Apps must ignore unknown
 * properties, but the service must not send any.
 */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, closed(child)]),
  );
  const isOpen = copy.type === 'object' && copy.properties && !copy.unevaluatedProperties;
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

/** Returns a validator for the schema at a JSON Pointer of the document. */
export function validatorAt(pointer: string): ValidateFunction {
  const $ref = `${ID}#${pointer}`;
  return ajv.getSchema($ref) ?? ajv.compile({ $ref });
}

/**
 * Lists deviations of a response from the document. An unknown path must be "not found", or 400 or
 * 415 if the gateway cannot read the request.
 */
export function responseDeviations(
  path: string,
  status: number | undefined,
  body: unknown,
): string[] {
  const responses = DOCUMENT.paths[path]?.post.responses ?? {
    400: { $ref: '#/components/responses/BadRequest' },
    404: { $ref: '#/components/responses/NotFound' },
    415: { $ref: '#/components/responses/UnsupportedMediaType' },
  };
  const response = responses[String(status)];
  if (!response)
    return [`the status is ${status}, not one of ${Object.keys(responses).join(', ')}`];
  const pointer =
    response.$ref?.slice(1) ?? `/paths/${path.replaceAll('/', '~1')}/post/responses/${status}`;
  const validate = validatorAt(`${pointer}/content/application~1json/schema`);
  validate(body);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  );
}
