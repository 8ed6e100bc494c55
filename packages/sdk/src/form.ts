import { type Drawn, draw } from './draw.ts';
import {
  answersToStore,
  emptyAnswers,
  type FormField,
  type Instance,
  withInputs,
} from './fields.ts';
import { formParts } from './form-parts.ts';
import {
  canShareInputs,
  FORM_TEXTS,
  type FormState,
  type FormTexts,
  NO_FORM,
  reset,
  shownForm,
  withAnswers,
  withEntered,
  withField,
} from './form-state.ts';

/*
 * The second entry of the package, for web pages: a form for a field, as a custom element. The rest
 * of the package needs no page.
 */

type Control = HTMLInputElement | HTMLSelectElement;

const NAME = 'customer-data-field';

/** A server that renders pages has no elements. */
const PageElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

let elements = 0;

class FieldElement extends PageElement {
  static readonly formAssociated = true;
  static readonly texts: FormTexts = FORM_TEXTS;

  /** Older browsers have none, and the simulated pages of unit tests not all of it. */
  readonly #internals: Partial<ElementInternals> | undefined = this.attachInternals?.();
  readonly #id = `${NAME}-${++elements}`;
  #drawn: Drawn[] = [];
  #state: FormState = NO_FORM;
  /** True if the app has just set answers: they are also those of the field that it sets next. */
  #isJustSet = false;
  /** True if controls are being drawn: one that is removed with the focus dispatches `change`. */
  #isDrawing = false;

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
    return this.#state.field;
  }

  /** Keeps the answers if it is the same field, such as in another language. */
  set field(field: FormField | undefined) {
    const before = this.#state;
    this.#state = withField(before, field, this.#isJustSet);
    if (!canShareInputs(before.field, field)) {
      this.#redraw(() => this.replaceChildren());
      this.#internals?.setFormValue?.(null);
      this.#internals?.setValidity?.({});
    }
    this.#draw();
  }

  /** The answers, a row for each instance. Each change makes a new value. */
  get answers(): readonly Instance[] {
    return this.#state.answers;
  }

  set answers(answers: readonly Instance[] | undefined) {
    this.#isJustSet = true;
    queueMicrotask(() => {
      this.#isJustSet = false;
    });
    const before = this.#state;
    this.#state = withAnswers(before, answers);
    if (this.#state.answers !== before.answers) this.#draw();
  }

  /** Shows all problems, and moves the focus to the first. Returns true if there is none. */
  check(): boolean {
    this.#state = { ...this.#state, isChecked: true };
    this.#read();
    const first = this.querySelector<HTMLElement>('[aria-invalid=true]');
    first?.focus();
    return !first;
  }

  formResetCallback(): void {
    this.#change(reset(this.#state));
  }

  formDisabledCallback(): void {
    this.#draw();
  }

  /** Takes over what the customer has entered, or the browser for them. */
  #read(): void {
    if (this.#isDrawing) return;
    const entries = this.#state.answers.map((row, instance) =>
      withInputs(
        row,
        this.#controls(instance).map((control, input) => entered(control, row[input] ?? '')),
      ),
    );
    this.#change(withEntered(this.#state, entries));
  }

  #change(state: FormState): void {
    const { answers } = this.#state;
    this.#state = state;
    this.#draw();
    if (state.answers !== answers)
      this.dispatchEvent(new CustomEvent('answers', { bubbles: true }));
  }

  /** Returns the inputs of an instance. */
  #controls(instance: number): Control[] {
    const { length = 0 } = this.field?.inputs ?? [];
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
    const state = this.#state;
    const { field, answers } = state;
    if (!field) return;
    const isDisabled = this.matches(':disabled');
    const shown = shownForm(state, field, FieldElement.texts, isDisabled);
    const hadFocus = this.matches(':focus-within');
    const parts = formParts({
      ...shown,
      field,
      isDisabled,
      texts: FieldElement.texts,
      id: this.#id,
      add: () => {
        this.#change({ ...state, answers: [...answers, ...emptyAnswers(field)] });
        this.#focus(answers.length);
      },
      remove: (instance) => {
        this.#controls(instance)[0]?.closest('div')?.remove();
        this.#change({ ...state, answers: answers.filter((_, at) => at !== instance) });
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
    const [first] = shown.problems;
    // A form submits it if the element has a name.
    this.#internals?.setFormValue?.(JSON.stringify(answersToStore(field, answers)));
    this.#internals?.setValidity?.(
      { customError: Boolean(first) },
      first?.text,
      first && this.#controls(first.instance)[first.input],
    );
  }
}

/** Returns what a control has of an answer that was put into it, or what has replaced that. */
function entered({ value }: Control, answer: string): string {
  // No input of one line has line breaks.
  return value === answer.replace(/[\r\n]/g, '') ? answer : value;
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
