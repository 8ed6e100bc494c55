import { describe, expect, test } from 'vitest';
import {
  FORM_TEXTS,
  type FormState,
  NO_FORM,
  reset,
  shownForm,
  withAnswers,
  withEntered,
  withField,
} from '../../src/form-state.ts';
import { type AppUi, checkAnswers, type FormField, fieldsFor } from '../../src/index.ts';
import vectors from '../../test-vectors/fields.json' with { type: 'json' };

/* The form without a view, which web pages and React Native draw. */

const configuration = vectors.configuration as unknown as Parameters<typeof fieldsFor>[0];
const fields = new Map(
  (['register', 'profile'] satisfies AppUi[]).flatMap((ui) =>
    fieldsFor(configuration, ui).map((field) => [field.id, field] as const),
  ),
);
const fieldOf = (id: string) => fields.get(id) as FormField;

/** A form with answers of the app. */
const formOf = (id: string, answers?: readonly (readonly string[])[]): FormState =>
  withField(withAnswers(NO_FORM, answers), fieldOf(id), true);

/** The form as it is drawn. */
const shownOf = (form: FormState, isDisabled = false) =>
  shownForm(form, form.field as FormField, FORM_TEXTS, isDisabled);

/** The texts of the problems that the inputs show, a row for each instance. */
const problemsOf = (form: FormState, isDisabled?: boolean) =>
  shownOf(form, isDisabled).instances.map(({ inputs }) => inputs.map(({ problem }) => problem));

describe('a form shows', () => {
  test.each(vectors.answers)('$field: $why: $instances', ({ field, instances, problems }) => {
    const form = formOf(field, instances);
    const inputsWith = (wanted: (code: string) => boolean) =>
      form.answers.map((_, instance) =>
        fieldOf(field).inputs.map((_, input) =>
          problems.some(
            (one) => one.instance === instance && one.input === input && wanted(one.code),
          ),
        ),
      );
    const areShown = (shown: FormState) =>
      problemsOf(shown).map((row) => row.map((text) => text !== ''));
    expect(areShown({ ...form, isChecked: true })).toEqual(inputsWith(() => true));
    // Nobody is told off for an input that is still empty.
    expect(areShown(form)).toEqual(inputsWith((code) => code !== 'missing'));
    expect(shownOf(form).problems).toMatchObject(checkAnswers(fieldOf(field), form.answers));
    expect(
      problemsOf({ ...form, isChecked: true }, true)
        .flat()
        .join(''),
    ).toBe('');
  });
});

test('a field in another language keeps what was entered and which problems are shown', () => {
  const entered = withEntered(formOf('name', [['Ann']]), [['']]);
  const translated = { ...fieldOf('name'), fieldName: 'Name' };
  const form = withField({ ...entered, isChecked: true }, translated, false);
  expect(form).toEqual({ ...entered, field: translated, isChecked: true });
  expect(reset(form)).toMatchObject({ answers: [['Ann']], isChecked: false });
});

test('another field begins with no answers, or with those that the app has set for it', () => {
  const checked = { ...formOf('name', [['Ann']]), isChecked: true };
  const empty = { answers: [['']], initial: [['']], isChecked: false };
  expect(withField(checked, fieldOf('letters'), false)).toMatchObject(empty);
  expect(withField(checked, { ...fieldOf('car'), id: 'name' }, false).answers).toEqual([['', '']]);
  const answered = withAnswers(checked, [['Bob']]);
  expect(withField(answered, fieldOf('letters'), true)).toMatchObject({
    answers: [['Bob']],
    initial: [['Bob']],
    isChecked: false,
  });
});

test('answers of the app replace those that were entered, and a reset returns to them', () => {
  const entered = withEntered(formOf('children', [['Ann']]), [['Ann'], ['Bob']]);
  const set = withAnswers(entered, [['Ann'], ['Bob']]);
  // Whoever compares the values sees no change.
  expect(set.answers).toBe(entered.answers);
  expect(reset(withEntered(set, [['']])).answers).toEqual([['Ann'], ['Bob']]);
  expect(withAnswers(entered, undefined)).toMatchObject({ answers: [['']], initial: [['']] });
  expect(withEntered(set, [['Ann'], ['Bob']])).toBe(set);
});

test('screen readers get a name for each input and button', () => {
  const namesOf = (form: FormState) => {
    const { instances, addButton } = shownOf(form);
    return [
      ...instances.flatMap((one) => [...one.inputs.map(({ name }) => name), one.name]),
      addButton,
    ];
  };
  expect(namesOf(formOf('children', [['Ann'], ['Bob']]))).toEqual([
    'children 1',
    'Remove: children 1',
    'children 2',
    'Remove: children 2',
    ['Add a child', 'Add a child'],
  ]);
  const [input] = fieldOf('sizes').inputs;
  const inputs = [{ ...input, placeHolderText: 'Size' }] as FormField['inputs'];
  expect(namesOf(withField(NO_FORM, { ...fieldOf('sizes'), inputs }, false))).toEqual([
    'sizes: Size',
    'Remove: sizes',
    ['+', '+ sizes'],
  ]);
  const nameless = { ...fieldOf('letters'), fieldName: '' };
  expect(namesOf(withField(NO_FORM, nameless, false))[0]).toBe('Answer');
});
