import type { Wanted } from './draw.ts';
import type { FormField, Instance, ProblemTexts } from './fields.ts';

/* The elements of a form, as they should be in each of its states. */

type Input = FormField['inputs'][number];

/** The texts of the form for the customer. */
export interface FormTexts {
  mandatory: string;
  add: string;
  remove: string;
  choose: string;
  /** Names an input without caption and placeholder for screen readers. */
  answer: string;
  problems: ProblemTexts;
}

export interface FormState {
  readonly field: FormField;
  readonly answers: readonly Instance[];
  /** The texts of the problems of an input that are shown, '' for none. */
  readonly problemsOf: (instance: number, input: number) => string;
  readonly isDisabled: boolean;
  readonly texts: FormTexts;
  /** Begins the ids of elements, which are unique in a page. */
  readonly id: string;
  readonly add: () => void;
  readonly remove: (instance: number) => void;
}

export function formParts(state: FormState): Wanted {
  const { field, answers, texts } = state;
  const { fieldName, mandatory, allowMultiple, addButtonText } = field;
  const caption: Wanted[] = [['span', { textContent: fieldName }]];
  if (mandatory) caption.push(['small', { textContent: ` ${texts.mandatory}` }]);
  const parts: Wanted[] = answers.map((row, instance) => instanceParts(state, row, instance));
  if (allowMultiple) {
    const name = addButtonText || joined(' ', texts.add, fieldName);
    parts.push(button(addButtonText || texts.add, name, state.add));
  }
  return ['fieldset', { disabled: state.isDisabled }, ['legend', {}, ...caption], ...parts];
}

function instanceParts(state: FormState, row: Instance, instance: number): Wanted {
  const { field, answers, texts } = state;
  // Which of several answers it is, for screen readers.
  const own = joined(' ', field.fieldName, answers.length > 1 && `${instance + 1}`);
  const labels = field.inputs.map((input, index): Wanted => {
    const id = `${state.id}-${instance}-${index}`;
    const problems = state.problemsOf(instance, index);
    const [name, properties, ...children] = control(input, row[index] ?? '', texts);
    const relations = {
      'aria-label': joined(': ', own, input.placeHolderText) || texts.answer,
      'aria-required': field.mandatory && instance === 0,
      'aria-invalid': problems !== '',
      'aria-describedby': id,
    };
    return [
      'label',
      {},
      [name, { ...properties, ...relations }, ...children],
      ['span', { id, role: 'alert', textContent: problems }],
    ];
  });
  if (answers.length === 1) return ['div', {}, ...labels];
  const name = joined(': ', texts.remove, own);
  return ['div', {}, ...labels, button(texts.remove, name, () => state.remove(instance))];
}

function control(input: Input, answer: string, texts: FormTexts): Wanted {
  switch (input.subType) {
    case 'drop':
      return dropdown(input, answer, texts);
    case 'text':
      return ['input', { type: 'text', placeholder: input.placeHolderText }];
  }
}

function dropdown(
  { placeHolderText, optionsArray }: Input,
  answer: string,
  { choose }: FormTexts,
): Wanted {
  const option = (value: string, text: string, hidden = false): Wanted => [
    'option',
    { value, textContent: text, hidden, disabled: hidden },
  ];
  const options = optionsArray.map(({ value, display }) => option(value, display));
  // An answer can be of an option that there was before.
  const isKnown = answer === '' || optionsArray.some(({ value }) => value === answer);
  const gone = isKnown ? [] : [option(answer, '', true)];
  return ['select', {}, option('', placeHolderText || choose), ...options, ...gone];
}

function button(text: string, name: string, onclick: () => void): Wanted {
  return ['button', { type: 'button', textContent: text, 'aria-label': name, onclick }];
}

function joined(separator: string, ...texts: readonly (string | false)[]): string {
  return texts.filter(Boolean).join(separator);
}
