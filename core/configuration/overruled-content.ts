import type { FieldFinding } from '../finding.ts';
import { isBlank } from '../invisible-characters.ts';
import { counted, shortened } from '../text.ts';
import { optionLines } from './complete-field.ts';
import { attributeOf, isMap, listOf, type StoredMap } from './stored-map.ts';

/** What a message has at most of lost lines, and of a line. */
const [MAX_LINES, LINE_CHARACTERS] = [3, 40];

/**
 * Finds content that somebody wrote into a field and that apps do not get, because the rest of the
 * field decides what they get. What merely repeats that is not found.
 */
export function overruledContent(field: StoredMap): FieldFinding[] {
  const { fieldType, subFieldA, subFieldB } = field;
  const hasOneInput = fieldType === 'text' || fieldType === 'drop';
  const isFilled = isMap(subFieldB) && Object.keys(subFieldB).length > 0;
  return [
    ...(hasOneInput && isFilled && subFieldA !== undefined
      ? [{ code: 'overruled' as const, path: ['subFieldB'], message: secondInput(fieldType) }]
      : []),
    ...(hasOneInput ? ['subFieldA'] : ['subFieldA', 'subFieldB']).flatMap((name) =>
      overruledIn(field[name]).map(([attribute, reason]) => {
        return { code: 'overruled' as const, path: [name, attribute], message: reason };
      }),
    ),
  ];
}

function secondInput(fieldType: string): string {
  return `is not served: with fieldType ${fieldType}, apps get {}. To keep this input, write fieldType: combo`;
}

type Reason = readonly [attribute: string, message: string];

function overruledIn(input: unknown): Reason[] {
  if (!isMap(input)) return [];
  const { subType, options, optionsArray } = input;
  if (subType === 'text') {
    const message =
      'is not served: a text input has no options. To keep them, write subType: drop and optionsArray';
    const hasOptions = typeof options === 'string' && !isBlank(options);
    const hasList = Array.isArray(optionsArray) && optionsArray.length > 0;
    return [...(hasOptions ? ['options'] : []), ...(hasList ? ['optionsArray'] : [])].map(
      (attribute) => [attribute, message],
    );
  }
  if (subType !== 'drop') return [];
  const lost = typeof options === 'string' ? linesWithoutOption(options, optionsArray) : [];
  const shown = lost
    .slice(0, MAX_LINES)
    .map((line) => JSON.stringify(shortened(line, LINE_CHARACTERS)));
  const others = lost.length - shown.length;
  const lostLines = [...shown, ...(others > 0 ? [counted(others, 'more line')] : [])].join(', ');
  const message = `is not served: apps get the lines of optionsArray, without ${lostLines}. To keep what is missing, add it to optionsArray`;
  const permissions = ['alpha', 'numbers', 'symbols'].filter((name) => input[name] === true);
  return [
    ...permissions.map((name): Reason => [name, 'is not served: of a dropdown, apps get false']),
    ...(lost.length > 0 ? [['options', message] as const] : []),
  ];
}

/** The lines whose values no option has. One with another text is out of date. */
function linesWithoutOption(lines: string, optionsArray: unknown): string[] {
  const options = listOf(optionsArray);
  const served = new Set(optionLines(optionsArray).split('\n'));
  const values = new Set(options.map((option) => attributeOf(option, 'value')));
  return lines.split('\n').filter((line) => {
    const value = line.slice(line.lastIndexOf(':') + 1).trim();
    return line.trim() !== '' && !served.has(line) && !values.has(value);
  });
}
