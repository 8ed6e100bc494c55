import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AppUi,
  checkAnswers,
  emptyAnswers,
  type FormField,
  fieldsFor,
  normalizedAnswer,
} from '../../../sdk/src/index.ts';
import vectors from '../../../sdk/test-vectors/fields.json' with { type: 'json' };
import { ANY_CHARACTER } from '../../support/any-character.ts';

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

test('any answers are checked as they will be stored, and a problem names an input', () => {
  const instance = fc.array(fc.string({ unit: ANY_CHARACTER }), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom(...fields.values()),
      fc.array(instance, { maxLength: 4 }),
      (field, instances) => {
        const problems = checkAnswers(field, instances);
        const stored = instances.map((answers) =>
          field.inputs.map((input, index) => normalizedAnswer(input, answers[index] ?? '')),
        );
        expect(checkAnswers(field, stored)).toEqual(problems);
        for (const { instance: row, input } of problems) {
          expect(row).toBeLessThan(Math.max(1, instances.length));
          expect(input).toBeLessThan(field.inputs.length);
        }
      },
    ),
  );
});
