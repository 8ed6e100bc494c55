import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { readField, withoutDerived } from 'customer-data-api/configuration';
import { PIZZA, wireField } from 'customer-data-api/testing/configurations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configurationFileSchema } from '../../../commands/json-schema.ts';

test('the schema that the editors of operators use is that of the field model', async () => {
  const made = `${JSON.stringify(await configurationFileSchema(), null, 2)}\n`;
  await expect(made).toMatchFileSnapshot(SCHEMA);
});

const SCHEMA = resolve('examples/configuration.schema.json');

const warnings: unknown[] = [];
const keyword = {
  keyword: 'deprecationMessage',
  validate: (message: string) => warnings.push(message) > 0,
};
const validate = new Ajv({ keywords: [keyword] }).compile(
  JSON.parse(await readFile(SCHEMA, 'utf8')),
);
/** True if a file with a field is valid, and whether editors warn of derived attributes. */
function check(field: unknown, change: object = {}) {
  warnings.length = 0;
  const isValid = validate({ clientId: 'pizza', lastFieldId: 1, fields: [field], ...change });
  return { isValid, isDerived: warnings.length > 0 };
}

test('the examples and the good file are valid, and the examples name the schema', async () => {
  expect(validate(parse(PIZZA))).toBe(true);
  const examples = (await readdir('examples')).filter((file) => file.endsWith('.yaml'));
  expect(examples.length).toBeGreaterThan(0);
  for (const file of examples) {
    const text = await readFile(`examples/${file}`, 'utf8');
    expect(validate(parse(text)), file).toBe(true);
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/configuration\.schema\.json\n/);
  }
});

test('a field is valid as operators write it, and editors warn only of what is derived', () => {
  fc.assert(
    fc.property(wireField, fc.boolean(), (field, hasId) => {
      const { id, ...rest } = withoutDerived(field) as { id: string };
      const written = hasId ? { id, ...rest } : rest;
      expect(check(written)).toEqual({ isValid: true, isDerived: false });
      expect(check(field).isValid).toBe(true);
    }),
  );
  const text = parse(PIZZA).fields[1];
  expect(check({ ...text, subFieldB: {} })).toEqual({ isValid: true, isDerived: true });
});

test('what the service would leave out is not valid', () => {
  const part = fc.constantFrom('', 'subFieldA', 'subFieldB');
  const change = fc
    .tuple(wireField, part, fc.nat(), fc.constantFrom(0, 'x', null))
    .map(([stored, at, index, value]) => {
      const field = withoutDerived(stored) as Record<string, object>;
      const target: object = field[at] ?? field;
      const name = Object.keys(target)[index % Object.keys(target).length] ?? '';
      const changed = { ...target, [name]: value };
      return target === field ? changed : { ...field, [at]: changed };
    });
  fc.assert(
    fc.property(change, (field) => {
      fc.pre(readField(field).error !== undefined);
      expect(check(field).isValid).toBe(false);
    }),
  );
});

test.each([
  { owner: 'marketing' },
  { appIds: ['key'] },
  { lastFieldId: '3' },
  { clientId: 7 },
  { fields: undefined },
])('a file with %j is not valid', (change) => {
  const file = JSON.parse(JSON.stringify({ ...parse(PIZZA), ...change }));
  expect(validate(file)).toBe(false);
});
