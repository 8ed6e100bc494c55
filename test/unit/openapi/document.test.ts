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
    if (schema.oneOf && !schema.discriminator) found.push(`${path} has no discriminator`);
    if (schema.type === 'array' && !schema.items) found.push(`${path} has no items`);
    for (const [key, child] of Object.entries(schema)) visit(child, `${path}/${key}`);
  };
  visit(DOCUMENT.components.schemas, '');
  expect(found).toEqual([]);
});
