import { CustomerDataField, TEXTS } from '../../packages/sdk/src/form.ts';
import {
  type AppUi,
  type Configuration,
  type FormField,
  fieldsFor,
} from '../../packages/sdk/src/index.ts';
import vectors from '../../packages/sdk/test-vectors/fields.json' with { type: 'json' };

/* What the tests of the form call in a page. */

export { CustomerDataField, TEXTS };

/** Returns the field of the test vectors that has an id. */
export function fieldOf(id: string): FormField {
  const configuration = vectors.configuration as unknown as Configuration;
  const fields = (['register', 'profile'] satisfies AppUi[]).flatMap((ui) =>
    fieldsFor(configuration, ui),
  );
  const field = fields.find((one) => one.id === id);
  if (!field) throw new Error(`There is no field ${id}.`);
  return field;
}

/** Shows a field. */
export function show(id: string, parent: Element = document.body): CustomerDataField {
  const form = new CustomerDataField();
  parent.append(form);
  form.field = fieldOf(id);
  return form;
}

/**
 * Enters the answers of the test vectors into the form. Returns the positions of
 * the inputs that it marks as wrong, for each answer.
 */
export function enterAnswers() {
  return vectors.answers.map(({ field, instances }) => {
    const form = show(field);
    form.answers = instances;
    const controls = [...form.querySelectorAll<HTMLInputElement>('input, select')];
    const isComplete = form.check();
    const wrong = controls.flatMap((control, position) =>
      control.getAttribute('aria-invalid') === 'true' ? [position] : [],
    );
    const texts = [...form.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent);
    const isFocused = document.activeElement === controls[wrong[0] ?? -1];
    form.remove();
    const found = { wrong, isComplete, isFocused, texts: texts.filter(Boolean).length };
    return { inputs: controls.length, found };
  });
}
