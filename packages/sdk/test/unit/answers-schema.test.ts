import { Ajv2020 } from 'ajv/dist/2020.js';
import { ANY_CHARACTER } from 'customer-data-api/testing/any-character';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  casesOf,
  FIELDS,
  SCHEMAS,
  type SchemaCase,
  VECTOR_CASES,
} from '../support/schema-cases.ts';

/* lab/generated-clients runs the vectors with a validator that is not in JavaScript. */

const ajv = new Ajv2020({ strict: true, strictTuples: false });
const validators = SCHEMAS.map((schema) => ajv.compile(schema));

function expectVerdict({ screen, answers, isValid }: SchemaCase): void {
  const verdict = validators[screen]?.(answers);
  if (isValid !== undefined) expect(verdict, JSON.stringify(answers)).toBe(isValid);
}

test('of the test vectors, a schema accepts exactly what is right, in its stored form', () => {
  VECTOR_CASES.forEach(expectVerdict);
});

test('of any answers, too', () => {
  const instance = fc.array(fc.string({ unit: ANY_CHARACTER }), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom(...FIELDS),
      fc.array(instance, { maxLength: 4 }),
      (field, entered) => casesOf(field, entered).forEach(expectVerdict),
    ),
  );
});
