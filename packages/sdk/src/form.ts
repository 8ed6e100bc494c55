import { type Drawn, draw } from './draw.ts';
import {
  answersToStore,
  checkAnswers,
  emptyAnswers,
  type FormField,
  type Instance,
  PROBLEM_TEXTS,
} from './fields.ts';
import { type FormTexts, formParts } from './form-parts.ts';

/*
 * The second entry of the package, for web pages: a form for a field, as a custom element. The rest
 * of the package needs no page.
 */

type Input = FormField['inputs'][number];
type Control = HTMLInputElement | HTMLSelectElement;

const NAME = 'customer-data-field';

/** A server that renders pages has no elements. */
const PageElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

let elements = 0;

class FieldElement extends PageElement {
  static readonly formAssociated = true;
  static readonly texts: FormTexts = {
    mandatory: 'mandatory',
    add: '+',
    remove: 'Remove',
    choose: 'Please choose',
    answer: 'Answer',
    problems: PROBLEM_TEXTS,
  };

  /** Older browsers have none, and the simulated pages of unit tests not all of it. */
  readonly #internals: Partial<ElementInternals> | undefined = this.attachInternals?.();
  readonly #id = `${NAME}-${++elements}`;
  #drawn: Drawn[] = [];
  #field: FormField | undefined;
  #answers: readonly Instance[] = [];
  /** The answers that the app has set last, to which a reset returns. */
  #initial: readonly Instance[] = [];
  /** True if the app has just set answers: they are also those of the field that it sets next. */
  #isJustSet = false;
  /** True if controls are being drawn: one that is removed with the focus dispatches `change`. */
  #isDrawing = false;
  /** True if empty inputs are shown as problems. Others are shown while the customer types. */
  #isChecked = false;

  constructor() {
    super();
    for (const type of ['input', 'change']) this.addEventListener(type, () => this.#read());
    // The app may have set them before the element was defined.
    for (const name of ['field', 'answers'] as const) {
      if (!Object.hasOwn(this, name)) continue;
      const early = { [name]: this[name] };
      Reflect.deleteProperty(this, name);
      Object.assign(this, early);
    }
  }

  get field(): FormField | undefined {
    return this.#field;
  }

  /** Keeps the answers if it is the same field, such as in another language. */
  set field(field: FormField | undefined) {
    const before = this.#field;
    this.#field = field;
    if (before?.id !== field?.id || before?.inputs.length !== field?.inputs.length) {
      this.#redraw(() => this.replaceChildren());
      this.#isChecked = false;
      this.#internals?.setFormValue?.(null);
      this.#internals?.setValidity?.({});
      if (before && !this.#isJustSet) this.#answers = this.#initial = [];
    }
    this.#draw();
  }

  /** The answers, a row for each instance. Each change makes a new value. */
  get answers(): readonly Instance[] {
    return this.#answers;
  }

  set answers(answers: readonly Instance[] | undefined) {
    this.#isJustSet = true;
    queueMicrotask(() => {
      this.#isJustSet = false;
    });
    const rows = answers?.map((row) => [...row]) ?? [];
    this.#initial = rows;
    if (isEqual(rows, this.#answers)) return;
    this.#answers = rows;
    this.#draw();
  }

  /** Shows all problems, and moves the focus to the first. Returns true if there is none. */
  check(): boolean {
    this.#isChecked = true;
    this.#read();
    const first = this.querySelector<HTMLElement>('[aria-invalid=true]');
    first?.focus();
    return first === null;
  }

  formResetCallback(): void {
    this.#isChecked = false;
    this.#change(this.#initial);
  }

  formDisabledCallback(): void {
    this.#draw();
  }

  /** Takes over what the customer has entered, or the browser for them. */
  #read(): void {
    if (this.#isDrawing) return;
    this.#change(
      this.#answers.map((row, instance) =>
        this.#controls(instance).map((control, input) => entered(control, row[input] ?? '')),
      ),
    );
  }

  #change(answers: readonly Instance[]): void {
    const isOther = !isEqual(answers, this.#answers);
    if (isOther) this.#answers = answers;
    this.#draw();
    if (isOther) this.dispatchEvent(new CustomEvent('answers', { bubbles: true }));
  }

  /** Returns the inputs of an instance. */
  #controls(instance: number): Control[] {
    const { length = 0 } = this.#field?.inputs ?? [];
    const all = [...this.querySelectorAll<Control>('input, select')];
    return all.slice(instance * length, (instance + 1) * length);
  }

  #focus(instance: number): void {
    this.#controls(instance)[0]?.focus();
  }

  #redraw(change: () => void): void {
    this.#isDrawing = true;
    change();
    this.#isDrawing = false;
  }

  #draw(): void {
    const field = this.#field;
    if (!field) return;
    if (this.#answers.length === 0) this.#answers = this.#initial = emptyAnswers(field);
    const answers = this.#answers;
    const isDisabled = this.matches(':disabled');
    // Nobody can correct what is disabled.
    const problems = isDisabled ? [] : checkAnswers(field, answers);
    const textOf = ({ code, instance, input }: (typeof problems)[number]) =>
      FieldElement.texts.problems[code](
        field.inputs[input] as Input,
        answers[instance]?.[input] ?? '',
      );
    const hadFocus = this.matches(':focus-within');
    const parts = formParts({
      field,
      answers,
      isDisabled,
      texts: FieldElement.texts,
      id: this.#id,
      problemsOf: (instance, input) =>
        problems
          .filter((one) => one.instance === instance && one.input === input)
          .filter(({ code }) => this.#isChecked || code !== 'missing')
          .map(textOf)
          .join(' '),
      add: () => {
        this.#change([...answers, ...emptyAnswers(field)]);
        this.#focus(answers.length);
      },
      remove: (instance) => {
        this.#controls(instance)[0]?.closest('div')?.remove();
        this.#change(answers.filter((_, at) => at !== instance));
        this.#focus(Math.min(instance, answers.length - 2));
      },
    });
    this.#redraw(() => {
      this.#drawn = draw(this, this.#drawn, [parts]);
    });
    for (const [instance, row] of answers.entries()) {
      for (const [input, control] of this.#controls(instance).entries()) {
        const answer = row[input] ?? '';
        if (entered(control, answer) !== answer) control.value = answer;
      }
    }
    if (hadFocus && !this.matches(':focus-within')) this.#focus(answers.length - 1);
    // A text without a translation can have another direction than the page.
    this.dir ||= 'auto';
    const [first] = problems;
    // A form submits it if the element has a name.
    this.#internals?.setFormValue?.(JSON.stringify(answersToStore(field, answers)));
    this.#internals?.setValidity?.(
      { customError: first !== undefined },
      first && textOf(first),
      first && this.#controls(first.instance)[first.input],
    );
  }
}

/** Returns what a control has of an answer that was put into it, or what has replaced that. */
function entered({ value }: Control, answer: string): string {
  // No input of one line has line breaks.
  return value === answer.replace(/[\r\n]/g, '') ? answer : value;
}

function isEqual(some: readonly Instance[], others: readonly Instance[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

/**
 * A field of the configuration as a form: `field` and `answers` are its properties. It dispatches
 * `answers`, which bubbles, when the customer or a reset changes one. It has no styles of its own.
 * A page that loads this module twice, such as after a change during development, gets the same
 * element.
 */
export const CustomerDataField =
  (globalThis.customElements?.get(NAME) as typeof FieldElement | undefined) ?? FieldElement;
export type CustomerDataField = FieldElement;

/** The words of the form. Assign to the properties to translate it. */
export const TEXTS: FormTexts = CustomerDataField.texts;

if (CustomerDataField === FieldElement) {
  globalThis.customElements?.define(NAME, FieldElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'customer-data-field': FieldElement;
  }
}
