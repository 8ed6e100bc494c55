import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { DOCUMENT } from '../../../openapi/validation.ts';

/** Types that generators of clients make of their own, in any case of letters. */
const OWN_TYPES = [
  'apiClient',
  'apiError',
  'apiResponse',
  'client',
  'configuration',
  'error',
  'handler',
  'json',
  'option',
  'optional',
  'response',
  'server',
  'type',
  ...OPERATIONS.flatMap(({ operationId }) =>
    ['', 'Params', 'Res', 'Response', 'Result'].map((end) => operationId + end),
  ),
  ...Object.keys(DOCUMENT.components.responses),
].map((name) => name.toLowerCase());

test('the document has nothing that generators of code are known to stumble over', () => {
  const found: string[] = [];
  const visit = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return;
    const schema = node as Record<string, unknown>;
    const values = [schema.const, ...(Array.isArray(schema.enum) ? schema.enum : [])];
    const isForbidden = path.endsWith('/not');
    if (!isForbidden && values.some((value) => value === '' || typeof value === 'boolean')) {
      found.push(`${path} has an enum that cannot be named`);
    }
    const { mapping = {} } = Object(schema.discriminator);
    if (Object.keys(mapping).length !== Object(schema.oneOf ?? []).length) {
      found.push(`${path} does not say what each value of the discriminator selects`);
    }
    if (schema.type === 'array' && !schema.items) found.push(`${path} has no items`);
    if (schema.type === 'object' && !schema.additionalProperties) {
      const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
      if (isEmpty) found.push(`${path} is an object of no type`);
    }
    if (schema.items && schema.additionalProperties) found.push(`${path} is a list and an object`);
    for (const [key, child] of Object.entries(schema)) visit(child, `${path}/${key}`);
  };
  visit(DOCUMENT.components.schemas, '');
  for (const name of Object.keys(DOCUMENT.components.schemas)) {
    if (OWN_TYPES.includes(name.toLowerCase())) found.push(`${name} is a type of generators`);
  }
  expect(found).toEqual([]);
});
