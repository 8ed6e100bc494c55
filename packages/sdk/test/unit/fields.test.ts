import { ANY_CHARACTER } from 'customer-data-api/testing/any-character';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AppUi,
  answersToStore,
  checkAnswers,
  emptyAnswers,
  type FormField,
  fieldsFor,
  PROBLEM_TEXTS,
  type SubField,
} from '../../src/index.ts';
import vectors from '../../test-vectors/fields.json' with { type: 'json' };

/* The vectors are also run by the example apps in other languages. */

// Fields of kinds that only later releases know.
const configuration = vectors.configuration as unknown as Parameters<typeof fieldsFor>[0];
const shown = (ui: AppUi) => fieldsFor(configuration, ui);
const fields = new Map([...shown('register'), ...shown('profile')].map((one) => [one.id, one]));
const fieldOf = (id: string) => fields.get(id) as FormField;

test.each(Object.entries(vectors.shown))('%s shows its fields in order', (ui, ids) => {
  expect(shown(ui as AppUi).map(({ id }) => id)).toEqual(ids);
});

test.each(vectors.answers)('$field: $why: $instances', ({ field, instances, problems }) => {
  expect(checkAnswers(fieldOf(field), instances)).toEqual(problems);
});

test('a new form has as many inputs as the field, and only mandatory ones are missing', () => {
  for (const field of fields.values()) {
    const empty = emptyAnswers(field);
    expect(empty).toEqual([field.inputs.map(() => '')]);
    const codes = checkAnswers(field, empty).map(({ code }) => code);
    expect(codes).toEqual(field.mandatory ? field.inputs.map(() => 'missing') : []);
  }
});

test('any answers are checked as they will be stored, and a problem names an input and has a text', () => {
  const instance = fc.array(fc.string({ unit: ANY_CHARACTER }), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom(...fields.values()),
      fc.array(instance, { maxLength: 4 }),
      (field, instances) => {
        const problems = checkAnswers(field, instances);
        const stored = answersToStore(field, instances);
        expect(answersToStore(field, stored)).toEqual(stored);
        const codes = problems.map(({ code, input }) => ({ code, input }));
        expect(checkAnswers(field, stored)).toMatchObject(codes);
        for (const answers of stored) {
          expect(answers).toHaveLength(field.inputs.length);
          expect(answers.join('')).not.toBe('');
        }
        for (const { code, instance: row, input } of problems) {
          expect(row).toBeLessThan(Math.max(1, instances.length));
          const text = PROBLEM_TEXTS[code](
            field.inputs[input] as SubField,
            instances[row]?.[input] ?? '',
          );
          expect(text).not.toBe('');
        }
      },
    ),
  );
});

test('of any stored data, the fields that are well formed are shown', () => {
  const [good] = configuration?.fields ?? [];
  /** Properties of a field and of its input, each with another value. */
  const damaged = fc
    .tuple(
      fc.constantFrom('id', 'fieldType', 'fieldName', 'appUIs', 'addButtonText', 'subFieldA'),
      fc.jsonValue(),
    )
    .map(([name, value]) => ({ ...good, [name]: value }));
  const damagedInput = fc
    .tuple(
      fc.constantFrom('subType', 'maxChars', 'placeHolderText'),
      fc.constantFrom(null, [], {}, true),
    )
    .map(([name, value]) => ({ ...good, subFieldA: { ...good?.subFieldA, [name]: value } }));
  const damagedOptions = fc.jsonValue().map((optionsArray) => ({
    ...good,
    fieldType: 'drop',
    subFieldA: { subType: 'drop', placeHolderText: '', optionsArray },
  }));
  const any = fc.oneof(damaged, damagedInput, damagedOptions, fc.jsonValue());
  fc.assert(
    fc.property(fc.oneof(fc.array(any), fc.jsonValue()), fc.boolean(), (fields, isWhole) => {
      const list = isWhole && Array.isArray(fields) ? [...fields, good] : fields;
      for (const field of fieldsFor({ fields: list } as never, 'register')) {
        expect(checkAnswers(field, answersToStore(field, [['x', 'y']]))).toBeInstanceOf(Array);
      }
      if (list !== fields)
        expect(fieldsFor({ fields: list } as never, 'register').length).toBeGreaterThan(0);
      expect(fieldsFor(fields as never, 'profile')).toEqual([]);
    }),
  );
  expect([null, undefined].map((none) => fieldsFor(none, 'register'))).toEqual([[], []]);
});
