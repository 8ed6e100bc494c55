import type * as v from 'valibot';
import type { Field, SubField } from '../../../core/configuration/field.ts';
import { UIS } from '../../../core/configuration/warnings.ts';
import { printable } from '../../../core/text.ts';
import { wrap } from '../../terminal/wrap-text.ts';

type Input = v.InferOutput<typeof SubField>;

/** The width of a screen, and that of the text in an input. */
const COLUMNS = 80;
const INPUT_COLUMNS = 40;

const TITLES: Readonly<Record<string, string>> = { register: 'Registration', profile: 'Profile' };

/**
 * Draws the screens of an app as text, each with the fields that it shows: lines of at most 80
 * characters.
 */
export function screens(fields: readonly Field[]): string[] {
  const drawn = UIS.flatMap((ui) => {
    // If a combo does not say where it is shown, the app decides.
    const shown = fields.filter(({ appUIs }) => appUIs?.includes(ui) ?? true);
    const title = TITLES[ui] ?? ui;
    return [
      ...[title, '='.repeat(COLUMNS), ''],
      ...(shown.length > 0 ? shown.flatMap(drawField) : ['No fields.', '']),
      ...(shown.some(({ mandatory }) => mandatory) ? ['* required', ''] : []),
    ];
  });
  return [...drawn, ...onNoScreen(fields)];
}

/** The captions of the fields that are on no screen, so that nobody takes them for removed. */
function onNoScreen(fields: readonly Field[]): string[] {
  const hidden = fields.filter(({ appUIs }) => appUIs && !appUIs.some((ui) => UIS.includes(ui)));
  if (hidden.length === 0) return [];
  return [
    ...['On no screen', '='.repeat(COLUMNS), ''],
    ...hidden.flatMap((field) => wrap(captionOf(field), COLUMNS)),
    ...[`(appUIs names neither ${UIS.join(' nor ')})`, ''],
  ];
}

function captionOf({ fieldName, mandatory }: Field): string {
  return `${fieldName || '(no caption)'}${mandatory ? ' *' : ''}`;
}

function drawField(field: Field): string[] {
  const { appUIs, allowMultiple, addButtonText, subFieldA, subFieldB } = field;
  const isRepeatable = allowMultiple === true;
  const inputs = field.fieldType === 'combo' ? [subFieldA, subFieldB as Input] : [subFieldA];
  return [
    ...wrap(captionOf(field), COLUMNS),
    ...inputs.flatMap((input) => drawInput(input, isRepeatable)),
    ...(isRepeatable ? wrap(`( + ${addButtonText} )`.replace('  ', ' '), COLUMNS, '  ') : []),
    ...(appUIs ? [] : ['  (the app decides where to show it)']),
    '',
  ];
}

function drawInput(input: Input, isRepeatable: boolean): string[] {
  const different = isRepeatable && !input.allowCopies ? ['values must be unique'] : [];
  if (input.subType === 'drop') {
    return [
      `  [ ${placeholder(input, ' v')} v ]`,
      ...input.optionsArray.flatMap(({ display }) => wrap(`- ${display}`, COLUMNS, '      ')),
      ...different.map((rule) => `  (${rule})`),
    ];
  }
  const { alpha, numbers, symbols, maxChars } = input;
  const kinds = [
    ...(alpha ? ['letters'] : []),
    ...(numbers ? ['digits'] : []),
    ...(symbols ? ['symbols'] : []),
  ];
  const rules = [listed(kinds), `at most ${maxChars}`, ...different];
  return [`  [ ${placeholder(input, '')} ]`, `  (${rules.join(', ')})`];
}

/** The placeholder in the width of an input without what stands behind it. */
function placeholder({ placeHolderText }: Input, behind: string): string {
  const width = INPUT_COLUMNS - behind.length;
  const characters = [...printable(placeHolderText)];
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`;
  return characters.join('').padEnd(width);
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
