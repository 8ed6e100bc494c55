import { escapeInvisible } from './stray-characters.ts';
import { shortened } from './text.ts';

/** The codes by which programs tell findings apart. A code never changes its meaning. */
export const FINDING_CODES = [
  'acceptsAllAppClients',
  'deletedClient',
  'duplicateId',
  'duplicateOption',
  'editedRule',
  'empty',
  'emptyValue',
  'foreignAppClients',
  'halfCharacter',
  'invalidLanguage',
  'invalidRollout',
  'invalidValue',
  'lastFieldIdTooHigh',
  'lastFieldIdTooLow',
  'lockedOut',
  'misplacedAttribute',
  'missing',
  'missingLanguage',
  'misspelledAttribute',
  'noCharacters',
  'notServed',
  'notTranslated',
  'separatorInOption',
  'shownNowhere',
  'strayCharacter',
  'syntax',
  'tooLarge',
  'tooLargeToRestore',
  'tooSmall',
  'undecodable',
  'unknownAttribute',
  'unknownUi',
  'wrongType',
] as const;

/** The longest caption in a sentence. */
const CAPTION_CHARACTERS = 40;

/** An error or a warning about a client's item. */
export interface Finding {
  /** `error`: not served, or open to others. `warning`: served. */
  readonly severity: 'error' | 'warning';
  readonly code: (typeof FINDING_CODES)[number];
  /** Keys and indexes below the client's item. A missing attribute ends the path. */
  readonly path: readonly (string | number)[];
  /** The caption of the field, if it has one. */
  readonly fieldName?: string;
  /** States the problem and the fix, without a full stop; follows the name of the attribute. */
  readonly message: string;
}

/** Makes an error. */
export function error(code: Finding['code'], path: Finding['path'], message: string): Finding {
  return { severity: 'error', code, path, message };
}

/** Makes a warning. */
export function warning(code: Finding['code'], path: Finding['path'], message: string): Finding {
  return { severity: 'warning', code, path, message };
}

/** Returns the findings in a part of an item, such as a field, as findings in the whole. */
export function below(path: Finding['path'], findings: readonly Finding[]): Finding[] {
  return findings.map((one) => ({ ...one, path: [...path, ...one.path] }));
}

/** Counts the errors and the warnings. */
export function countFindings(findings: readonly Finding[]) {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}

/** Adds the caption of its field to each finding. */
export function withFieldNames<TFinding extends Finding>(
  findings: readonly TFinding[],
  fields: unknown,
): TFinding[] {
  return findings.map((finding) => {
    const [list, index] = finding.path;
    if (list !== 'fields' || typeof index !== 'number' || !Array.isArray(fields)) return finding;
    const { fieldName } = Object(fields[index]);
    const isNamed = typeof fieldName === 'string' && fieldName.trim() !== '';
    // Not in a copy: a configuration can have a hundred thousand.
    if (isNamed) (finding as { fieldName?: string }).fieldName = fieldName;
    return finding;
  });
}

/** Writes a finding: `fields[1].subFieldA.maxChars (Favourite shop): must be at least 1.` */
export function findingText({
  path,
  fieldName,
  message,
}: Pick<Finding, 'path' | 'fieldName' | 'message'>): string {
  const caption =
    fieldName === undefined
      ? ''
      : ` (${shortened(escapeInvisible(fieldName), CAPTION_CHARACTERS)})`;
  const name = `${attributePath(path)}${caption}`;
  return `${name && `${name}: `}${message}${/[.?]$/.test(message) ? '' : '.'}`;
}

function keyText(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  // Otherwise, nobody sees what is wrong with it.
  const shown = escapeInvisible(key);
  return shown === key.trim() ? `.${key}` : `["${shown}"]`;
}

/** Writes the path of an attribute for operators; empty for the item itself. */
export function attributePath(path: Finding['path']): string {
  return path.map(keyText).join('').replace(/^\./, '');
}
