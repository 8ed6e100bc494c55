import {
  checkAnswers,
  emptyAnswers,
  type FormField,
  type Instance,
  PROBLEM_TEXTS,
} from './fields.ts';

/*
 * The second entry of the package, for web pages: a form for a field, as a custom element. The rest
 * of the package needs no page.
 */

type Input = FormField['inputs'][number];

/** What the form says to the customer. Replace them to translate the form. */
export const TEXTS = {
  mandatory: 'mandatory',
  add: '+',
  remove: 'Remove',
  choose: 'Please choose',
  /** Names an input without caption and placeholder for screen readers. */
  answer: 'Answer',
  problems: PROBLEM_TEXTS,
};

/**
 * A field of the configuration as a form: `field` and `answers` are its properties. It dispatches
 * `answers` when the customer changes one. It has no styles of its own.
 */
export class CustomerDataField extends HTMLElement {
  #field: FormField | undefined;
  #answers: string[][] = [];
  /** Whether empty inputs are shown as problems. Others are shown while the customer types. */
  #isChecked = false;

  /** Keeps the answers if it is the same field, such as in another language. */
  set field(field: FormField) {
    const { id, inputs } = this.#field ?? {};
    const isSame = id === field.id && inputs?.length === field.inputs.length;
    this.#field = field;
    this.answers = isSame ? this.#answers : emptyAnswers(field);
  }

  /** The answers, a row for each instance. */
  get answers(): readonly Instance[] {
    return this.#answers;
  }

  set answers(answers: readonly Instance[]) {
    const rows = answers.length > 0 || !this.#field ? answers : emptyAnswers(this.#field);
    this.#answers = rows.map((row) => [...row]);
    this.#draw();
  }

  /** Shows all problems, and moves the focus to the first. Returns true if there is none. */
  check(): boolean {
    this.#isChecked = true;
    this.#showProblems();
    const first = this.querySelector<HTMLElement>('[aria-invalid=true]');
    first?.focus();
    return first === null;
  }

  #controls(): NodeListOf<HTMLElement> {
    return this.querySelectorAll<HTMLElement>('input, select');
  }

  #draw(): void {
    const field = this.#field;
    if (!field) return;
    const caption = element('legend', {}, field.fieldName);
    if (field.mandatory) caption.append(' ', element('small', {}, TEXTS.mandatory));
    const rows = this.#answers.map((row, instance) => this.#drawInstance(field, row, instance));
    const group = element('fieldset', {}, caption, ...rows);
    if (field.allowMultiple) {
      group.append(
        this.#button(field.addButtonText || TEXTS.add, () => {
          this.#change([...this.#answers, field.inputs.map(() => '')]);
          [...this.#controls()].at(-field.inputs.length)?.focus();
        }),
      );
    }
    // A text without a translation can have another direction than the page.
    this.dir ||= 'auto';
    this.replaceChildren(group);
    this.#showProblems();
  }

  #drawInstance(field: FormField, row: readonly string[], instance: number): HTMLElement {
    const inputs = field.inputs.map((input, index) => {
      const control = controlOf(input);
      const name =
        [field.fieldName, input.placeHolderText].filter(Boolean).join(': ') || TEXTS.answer;
      control.setAttribute('aria-label', name);
      control.value = row[index] ?? '';
      control.addEventListener('input', () => {
        (this.#answers[instance] as string[])[index] = control.value;
        this.#showProblems();
        this.dispatchEvent(new CustomEvent('answers'));
      });
      return element('label', {}, control, element('span', { role: 'alert' }));
    });
    const line = element('div', {}, ...inputs);
    if (this.#answers.length > 1) {
      const others = () => this.#answers.filter((_, at) => at !== instance);
      line.append(this.#button(TEXTS.remove, () => this.#change(others())));
    }
    return line;
  }

  #button(label: string, onClick: () => void): HTMLElement {
    const button = element('button', { type: 'button' }, label);
    button.addEventListener('click', onClick);
    return button;
  }

  #change(answers: readonly Instance[]): void {
    this.answers = answers;
    this.dispatchEvent(new CustomEvent('answers'));
  }

  #showProblems(): void {
    const field = this.#field;
    if (!field) return;
    const problems = checkAnswers(field, this.#answers);
    for (const [position, control] of this.#controls().entries()) {
      const [instance, input] = [
        Math.floor(position / field.inputs.length),
        position % field.inputs.length,
      ];
      const texts = problems
        .filter((one) => one.instance === instance && one.input === input)
        .filter(({ code }) => this.#isChecked || code !== 'missing')
        .map(({ code }) => {
          const answer = this.#answers[instance]?.[input] ?? '';
          return TEXTS.problems[code](field.inputs[input] as Input, answer);
        });
      control.setAttribute('aria-invalid', String(texts.length > 0));
      if (control.nextElementSibling) control.nextElementSibling.textContent = texts.join(' ');
    }
  }
}

function controlOf(input: Input): HTMLInputElement | HTMLSelectElement {
  switch (input.subType) {
    case 'drop':
      return dropdown(input);
    case 'text':
      return element('input', { type: 'text', placeholder: input.placeHolderText });
  }
}

function dropdown({ placeHolderText, optionsArray }: Input): HTMLSelectElement {
  const none = element('option', { value: '' }, placeHolderText || TEXTS.choose);
  return element(
    'select',
    {},
    none,
    ...optionsArray.map(({ value, display }) => element('option', { value }, display)),
  );
}

/** Makes an element. Texts become text, never markup. */
function element<TName extends keyof HTMLElementTagNameMap>(
  name: TName,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[TName] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

const NAME = 'customer-data-field';
// A page may load the module twice, such as after a change during development.
if (!customElements.get(NAME)) customElements.define(NAME, CustomerDataField);
