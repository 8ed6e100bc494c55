import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read along its paths
type Json = any;

/** The document that is checked in. */
export const DOCUMENT: Json = JSON.parse(readFileSync('openapi.json', 'utf8'));

const ID = 'openapi.json';
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(closed(DOCUMENT), ID);

/**
 * Closes every object of the document: clients must ignore properties that they do not know, but the service must not
 * send one that is not described.
 */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, closed(child)]),
  );
  return copy.type === 'object' && copy.properties
    ? { ...copy, additionalProperties: false }
    : copy;
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

/** Fails the test when a response is none that the document describes: for a path that it lacks, "not found". */
export function expectDescribed(path: string, status: number | undefined, body: unknown): void {
  const responses = DOCUMENT.paths[path]?.post.responses ?? {
    400: { $ref: '#/components/responses/BadRequest' },
    404: { $ref: '#/components/responses/NotFound' },
  };
  expect(Object.keys(responses)).toContain(String(status));
  const { $ref } = responses[String(status)];
  const pointer = $ref?.slice(1) ?? `/paths/${path.replaceAll('/', '~1')}/post/responses/${status}`;
  const validate = validatorAt(`${pointer}/content/application~1json/schema`);
  validate(body);
  expect(validate.errors ?? []).toEqual([]);
}
