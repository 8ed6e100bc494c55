import type { Field } from 'customer-data-api/configuration';
import { printable, wrap } from 'customer-data-api-deployment/program';
import { type AppUi, type FormField, fieldsFor } from 'customer-data-api-sdk/src/fields';

type Input = FormField['inputs'][number];

/** The width of a screen, and that of the text in an input. */
const COLUMNS = 80;
const INPUT_COLUMNS = 40;

const TITLES: Readonly<Record<AppUi, string>> = { register: 'Registration', profile: 'Profile' };
const UIS = Object.keys(TITLES) as AppUi[];

/**
 * Draws the screens of an app as text, each with the fields that it shows: lines of at most 80
 * characters.
 */
export function screens(fields: readonly Field[]): string[] {
  const drawn = UIS.flatMap((ui) => {
    const shown = fieldsFor({ fields: [...fields] }, ui);
    return [
      TITLES[ui],
      '='.repeat(COLUMNS),
      '',
      ...(shown.length > 0 ? shown.flatMap(drawField) : ['No fields.', '']),
      ...(shown.some(({ mandatory }) => mandatory) ? ['* required', ''] : []),
    ];
  });
  return [...drawn, ...onNoScreen(fields)];
}

/** The captions of the fields that are on no screen, so that nobody takes them for removed. */
function onNoScreen(fields: readonly Field[]): string[] {
  const isShown = (field: Field) => UIS.some((ui) => fieldsFor({ fields: [field] }, ui).length > 0);
  const hidden = fields.filter((field) => !isShown(field));
  if (hidden.length === 0) return [];
  return [
    'On no screen',
    '='.repeat(COLUMNS),
    '',
    ...hidden.flatMap((field) => wrap(captionOf(field), COLUMNS)),
    `(appUIs names neither ${UIS.join(' nor ')})`,
    '',
  ];
}

function captionOf({ fieldName, mandatory }: Pick<FormField, 'fieldName' | 'mandatory'>): string {
  return `${fieldName || '(no caption)'}${mandatory ? ' *' : ''}`;
}

function drawField(field: FormField): string[] {
  const { allowMultiple, addButtonText, inputs } = field;
  return [
    ...wrap(captionOf(field), COLUMNS),
    ...inputs.flatMap((input) => drawInput(input, allowMultiple)),
    ...(allowMultiple ? wrap(`( + ${addButtonText} )`.replace('  ', ' '), COLUMNS, '  ') : []),
    '',
  ];
}

function drawInput(input: Input, isRepeatable: boolean): string[] {
  const different = isRepeatable && !input.allowCopies ? ['values must be unique'] : [];
  switch (input.subType) {
    case 'drop':
      return [
        `  [ ${placeholder(input, ' v')} v ]`,
        ...input.optionsArray.flatMap(({ display }) => wrap(`- ${display}`, COLUMNS, '      ')),
        ...different.map((rule) => `  (${rule})`),
      ];
    case 'text': {
      const { alpha, numbers, symbols, maxChars } = input;
      const kinds = [alpha && 'letters', numbers && 'digits', symbols && 'symbols'];
      const permitted = kinds.filter((kind) => typeof kind === 'string');
      const allowed = new Intl.ListFormat('en-GB').format(permitted);
      const rules = [allowed, `at most ${maxChars}`, ...different];
      return [`  [ ${placeholder(input, '')} ]`, `  (${rules.join(', ')})`];
    }
  }
}

/** The placeholder in the width of an input without what stands behind it. */
function placeholder({ placeHolderText }: Input, behind: string): string {
  const width = INPUT_COLUMNS - behind.length;
  const characters = [...printable(placeHolderText)];
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`;
  return characters.join('').padEnd(width);
}
