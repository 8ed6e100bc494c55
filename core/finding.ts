import { shortened } from './text.ts';

/** The codes of findings, by which programs tell them apart. A code never changes its meaning. */
export const FINDING_CODES = [
  ...['admitsNobody', 'commentInText', 'curlyQuotes', 'derivedAttribute', 'duplicateAttribute'],
  ...['duplicateCaption', 'duplicateId', 'duplicateInput', 'duplicateOption', 'empty'],
  ...['invalidValue', 'lastFieldIdTooLow', 'misplacedAttribute', 'missing', 'misspelledAttribute'],
  ...['noCharacters', 'oneString', 'placeholderTooLong', 'separatorInKey', 'separatorInOption'],
  ...['shownNowhere', 'syntax', 'tooLarge', 'tooSmall', 'undecodable', 'unknownAttribute'],
  ...['unknownUi', 'wrongEncoding', 'wrongType'],
] as const;

/** The longest caption in a sentence. */
const CAPTION_CHARACTERS = 40;

/** What is wrong with a configuration, or probably wrong. */
export interface Finding {
  /** `error`: the service does not serve it. `warning`: it does, and it is probably a mistake. */
  readonly severity: 'error' | 'warning';
  readonly code: (typeof FINDING_CODES)[number];
  /**
   * The attribute, as keys and indexes below the client's item. An attribute that is missing ends
   * the path.
   */
  readonly path: readonly (string | number)[];
  /** The caption of the field that it is about, if that has one. */
  readonly fieldName?: string;
  /**
   * What is wrong and what would be right, without a full stop. It follows the name of the
   * attribute.
   */
  readonly message: string;
}

/** Adds to each finding the caption of its field. */
export function withFieldNames<TFinding extends Finding>(
  findings: readonly TFinding[],
  fields: unknown,
): TFinding[] {
  return findings.map((finding) => {
    const [list, index] = finding.path;
    if (list !== 'fields' || typeof index !== 'number' || !Array.isArray(fields)) return finding;
    const { fieldName } = Object(fields[index]);
    return typeof fieldName === 'string' && fieldName.trim() !== ''
      ? { ...finding, fieldName }
      : finding;
  });
}

/** A finding as a sentence: `fields[1].subFieldA.maxChars (Favourite shop): must be at least 1.` */
export function findingText({
  path,
  fieldName,
  message,
}: Pick<Finding, 'path' | 'fieldName' | 'message'>): string {
  const caption = fieldName === undefined ? '' : ` (${shortened(fieldName, CAPTION_CHARACTERS)})`;
  const name = `${attributePath(path)}${caption}`;
  return `${name && `${name}: `}${message}${/[.?]$/.test(message) ? '' : '.'}`;
}

/**
 * An attribute below a client's item, as operators write it. The name of the item itself is empty.
 */
export function attributePath(path: Finding['path']): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}
