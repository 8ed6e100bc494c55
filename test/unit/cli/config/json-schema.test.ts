import { readdir, readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configurationFileSchema } from '../../../../cli/config/json-schema.ts';
import { readField } from '../../../../core/configuration/read-field.ts';
import { withoutDerived } from '../../../../core/configuration/without-derived.ts';
import schema from '../../../../examples/configuration.schema.json' with { type: 'json' };
import { PIZZA, wireField } from '../../../support/configurations.ts';

const isValid = new Ajv({ keywords: ['deprecationMessage'] }).compile(schema);
const withField = (field: unknown) => ({ clientId: 'pizza', lastFieldId: 1, fields: [field] });

test('the schema that is checked in is up to date', () => {
  expect(JSON.parse(JSON.stringify(configurationFileSchema()))).toEqual(schema);
});

test('the examples and the good file are valid, and name the schema', async () => {
  expect(isValid(parse(PIZZA))).toBe(true);
  const examples = (await readdir('examples')).filter((file) => file.endsWith('.yaml'));
  expect(examples.length).toBeGreaterThan(0);
  for (const file of examples) {
    const text = await readFile(`examples/${file}`, 'utf8');
    expect(isValid(parse(text)), file).toBe(true);
    expect(text.startsWith('# yaml-language-server: $schema=./configuration.schema.json\n')).toBe(
      true,
    );
  }
});

test('a field is valid as operators write it, also without an id', () => {
  fc.assert(
    fc.property(wireField, fc.boolean(), (field, hasId) => {
      const { id, ...rest } = withoutDerived(field) as { id: string };
      expect(isValid(withField(hasId ? { id, ...rest } : rest))).toBe(true);
    }),
  );
});

test('an attribute that the service derives is valid, and editors advise against it', () => {
  const advised: unknown[] = [];
  const keyword = {
    keyword: 'deprecationMessage',
    validate: (message: string) => advised.push(message) > 0,
  };
  const check = new Ajv({ keywords: [keyword] }).compile(schema);
  fc.assert(
    fc.property(wireField, (field) => {
      expect(check(withField(field))).toBe(true);
      advised.length = 0;
      check(withField(withoutDerived(field)));
      expect(advised).toEqual([]);
    }),
  );
  check(withField({ ...parse(PIZZA).fields[1], subFieldB: {} }));
  expect(advised).toContain('This is derived by the service; leave it out.');
});

test('what the service would leave out is not valid', () => {
  const change = fc
    .tuple(
      wireField,
      fc.constantFrom('', 'subFieldA', 'subFieldB'),
      fc.nat(),
      fc.constantFrom(0, 'x', null),
    )
    .map(([stored, part, index, value]) => {
      const field = withoutDerived(stored) as Record<string, object>;
      const target: object = part === '' ? field : (field[part] ?? field);
      const name = Object.keys(target)[index % Object.keys(target).length] ?? '';
      const changed = { ...target, [name]: value };
      return target === field ? changed : { ...field, [part]: changed };
    });
  fc.assert(
    fc.property(change, (field) => {
      fc.pre(readField(field).errors !== undefined);
      expect(isValid(withField(field))).toBe(false);
    }),
  );
});

test.each([
  ['an unknown attribute', { owner: 'marketing' }],
  ['keys', { appIds: ['key'] }],
  ['a lastFieldId that is not an integer', { lastFieldId: '3' }],
  ['a client id that is not a string', { clientId: 7 }],
  ['no fields', { fields: undefined }],
])('%s', (_, change) => {
  expect(isValid(JSON.parse(JSON.stringify({ ...parse(PIZZA), ...change })))).toBe(false);
});
