import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read along its paths
type Json = any;

/** The document that is checked in. */
export const DOCUMENT: Json = JSON.parse(
  readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'),
);

const ID = 'openapi.json';
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(closed(DOCUMENT), ID);

/**
 * Closes every object that says nothing of further properties: clients must ignore properties that they do not know, but the service must not
 * send one that is not described.
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

/** Validates against the schema at a JSON Pointer of the document. */
export function validatorAt(pointer: string): ValidateFunction {
  const $ref = `${ID}#${pointer}`;
  return ajv.getSchema($ref) ?? ajv.compile({ $ref });
}

/** The statuses that the document allows as answers to a path. */
export function describedStatuses(path: string): string[] {
  return Object.keys(DOCUMENT.paths[path].post.responses);
}

/**
 * What in a response the document does not describe, a text for each; nothing when it is one of those that it has. Of a
 * path that it lacks, "not found" is the answer.
 */
export function undescribed(path: string, status: number | undefined, body: unknown): string[] {
  const responses = DOCUMENT.paths[path]?.post.responses ?? {
    400: { $ref: '#/components/responses/BadRequest' },
    404: { $ref: '#/components/responses/NotFound' },
  };
  const response = responses[String(status)];
  if (!response) return [`status ${status} is none of ${Object.keys(responses).join(', ')}`];
  const pointer =
    response.$ref?.slice(1) ?? `/paths/${path.replaceAll('/', '~1')}/post/responses/${status}`;
  const validate = validatorAt(`${pointer}/content/application~1json/schema`);
  validate(body);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  );
}
