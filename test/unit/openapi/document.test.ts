import { expect, test } from 'vitest';
import { openApiDocument } from '../../../openapi/document.ts';
import { DOCUMENT, validatorAt } from '../../../openapi/validation.ts';

test('openapi.json is up to date', async () => {
  expect(DOCUMENT).toEqual(JSON.parse(JSON.stringify(await openApiDocument())));
});

test('every row of the error table is a response with an example', () => {
  const rows = Object.values<{ content: Record<string, { examples: object }> }>(
    DOCUMENT.components.responses,
  )
    .flatMap(({ content }) => Object.values(content['application/json']?.examples ?? {}))
    .map(({ value }) => `${value.data.statusCode} ${value.data.code} ${value.data.retryable}`);
  expect([...new Set(rows)].sort()).toEqual([
    '400 NotAuthorizedException false',
    '400 ValidationException false',
    '401 Unauthorized false',
    '403 ForbiddenException false',
    '404 ResourceNotFoundException false',
    '405 MethodNotAllowedException false',
    '413 PayloadTooLargeException false',
    '429 ThrottlingException true',
    '500 InternalServerError true',
    '503 ServiceUnavailableException true',
  ]);
});

test('every example is valid against its schema', () => {
  const examples: { pointer: string; value: unknown }[] = [];
  const collect = (node: Record<string, Record<string, never>>, pointer: string) => {
    if (typeof node !== 'object' || node === null) return;
    const media = node['application/json'];
    const at = `${pointer}/application~1json/schema`;
    const { example, examples: named = {} } = media ?? {};
    if (example !== undefined) examples.push({ pointer: at, value: example });
    for (const { value } of Object.values<{ value: unknown }>(named))
      examples.push({ pointer: at, value });
    for (const [key, child] of Object.entries(node)) {
      collect(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  };
  collect(DOCUMENT, '');
  expect(examples.length).toBeGreaterThan(10);
  for (const { pointer, value } of examples) {
    const validate = validatorAt(pointer);
    validate(value);
    expect([pointer, validate.errors ?? []]).toEqual([pointer, []]);
  }
});

test('the limits are those that the functions check', () => {
  const { ApplyPromoCodeRequest, TextSubField } = DOCUMENT.components.schemas;
  expect(ApplyPromoCodeRequest.properties.promoCode).toMatchObject({ minLength: 1, maxLength: 10 });
  expect(ApplyPromoCodeRequest.properties.source).toMatchObject({ minLength: 1, maxLength: 64 });
  expect(TextSubField.properties.maxChars).toMatchObject({ type: 'integer', minimum: 1 });
});

test('subType and fieldType discriminate the alternatives', () => {
  const { Field, SubField } = DOCUMENT.components.schemas;
  expect([Field.discriminator.propertyName, Object.keys(Field.discriminator.mapping)]).toEqual([
    'fieldType',
    ['text', 'drop', 'combo'],
  ]);
  expect([
    SubField.discriminator.propertyName,
    Object.keys(SubField.discriminator.mapping),
  ]).toEqual(['subType', ['text', 'drop']]);
});

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

test('integers that can exceed 32 bits say so', () => {
  const { Configuration, TextSubField } = DOCUMENT.components.schemas;
  expect(Configuration.properties.lastFieldId.format).toBe('int64');
  expect(TextSubField.properties.maxChars.format).toBe('int64');
});
