import { expect, test } from 'vitest';
import { DOCUMENT } from '../../../openapi/validation.ts';

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
    for (const [key, child] of Object.entries(schema)) visit(child, `${path}/${key}`);
  };
  visit(DOCUMENT.components.schemas, '');
  expect(found).toEqual([]);
});
