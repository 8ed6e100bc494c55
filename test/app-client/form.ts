import { CustomerDataField } from '../../examples/apps/web/customer-data-form.ts';
import { type AppUi, type Configuration, fieldsFor } from '../../sdk/src/index.ts';
import vectors from '../../sdk/test-vectors/fields.json' with { type: 'json' };

/*
 * Enters the answers of the test vectors into the form of the web example, and reports the inputs
 * that it marks as wrong: a list for each answer.
 */

const configuration = vectors.configuration as unknown as Configuration;
const fields = (['register', 'profile'] satisfies AppUi[]).flatMap((ui) =>
  fieldsFor(configuration, ui),
);

const results = vectors.answers.map(({ field: id, instances }) => {
  const form = new CustomerDataField();
  document.body.append(form);
  const field = fields.find((one) => one.id === id);
  if (!field) throw new Error(`There is no field ${id}.`);
  form.field = field;
  form.answers = instances;
  const controls = [...form.querySelectorAll<HTMLInputElement>('input, select')];
  // What cannot be entered is not there: an option that is gone, a line break.
  const entered = controls.map(({ value }) => value);
  const isComplete = form.check();
  const wrong = controls.flatMap((control, position) =>
    control.getAttribute('aria-invalid') === 'true' ? [position] : [],
  );
  const texts = [...form.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent);
  const isFocused = document.activeElement === controls[wrong[0] ?? -1];
  form.remove();
  return { entered, wrong, isComplete, isFocused, texts: texts.filter(Boolean).length };
});

const added = new CustomerDataField();
document.body.append(added);
const children = fields.find(({ id }) => id === 'children');
if (children) added.field = children;
const buttons = () => [...added.querySelectorAll('button')];
let events = 0;
added.addEventListener('answers', () => events++);
buttons()[0]?.click();
const input = document.activeElement as HTMLInputElement;
input.value = '<b>Ann</b>';
input.dispatchEvent(new Event('input'));
const labels = buttons().map(({ textContent }) => textContent);
const answers = structuredClone(added.answers);
buttons()[0]?.click();
const report = { results, labels, answers, left: added.answers, events };
await fetch('/results', { method: 'POST', body: JSON.stringify(report) });
