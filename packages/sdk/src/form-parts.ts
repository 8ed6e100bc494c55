import type { Wanted } from './draw.ts';
import type { FormField } from './fields.ts';
import type { FormTexts, ShownForm, ShownInput } from './form-state.ts';

/* The elements of a form, as they should be in each of its states. */

type Input = FormField['inputs'][number];

/** All that the elements are drawn from. */
export interface Drawing extends ShownForm {
  readonly field: FormField;
  readonly isDisabled: boolean;
  readonly texts: FormTexts;
  /** Begins the ids of elements, which are unique in a page. */
  readonly id: string;
  readonly add: () => void;
  readonly remove: (instance: number) => void;
}

export function formParts(drawing: Drawing): Wanted {
  const { field, isDisabled, texts, instances, addButton, add, remove } = drawing;
  const { fieldName, mandatory, allowMultiple } = field;
  // In its own direction, beside what is written in that of the app.
  const caption: Wanted[] = [['bdi', { textContent: fieldName }]];
  if (mandatory) caption.push(['small', { textContent: ` ${texts.mandatory}` }]);
  const parts = instances.map(({ inputs, name }, instance): Wanted => {
    const labels = inputs.map((shown, input) => {
      const isRequired = mandatory && instance === 0;
      return label(shown, texts, isRequired, `${drawing.id}-${instance}-${input}`);
    });
    if (instances.length > 1) labels.push(button(texts.remove, name, () => remove(instance)));
    return ['div', {}, ...labels];
  });
  if (allowMultiple) parts.push(button(...addButton, add));
  return ['fieldset', { disabled: isDisabled }, ['legend', {}, ...caption], ...parts];
}

function label(
  { input, answer, name, problem }: ShownInput,
  texts: FormTexts,
  isRequired: boolean,
  id: string,
): Wanted {
  const [element, properties, ...children]: Wanted =
    input.subType === 'drop'
      ? dropdown(input, answer, texts)
      : // With another kind of input, this does not compile.
        ['input', { type: input.subType satisfies 'text', placeholder: input.placeHolderText }];
  const relations = {
    'aria-label': name,
    'aria-required': isRequired,
    'aria-invalid': problem !== '',
    'aria-describedby': id,
  };
  return [
    'label',
    {},
    [element, { ...properties, ...relations }, ...children],
    ['span', { id, role: 'alert', textContent: problem }],
  ];
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
