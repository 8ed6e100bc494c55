/** The codes of findings, by which programs tell them apart. A code never changes its meaning. */
export const FINDING_CODES = [
  ...['admitsNobody', 'commentInText', 'curlyQuotes', 'derivedAttribute', 'duplicateAttribute'],
  ...['duplicateCaption', 'duplicateId', 'duplicateInput', 'duplicateOption', 'empty'],
  ...['invalidValue', 'lastFieldIdTooLow', 'misplacedAttribute', 'missing', 'misspelledAttribute'],
  ...['noCharacters', 'oneString', 'placeholderTooLong', 'separatorInKey', 'separatorInOption'],
  ...['shownNowhere', 'syntax', 'tooLarge', 'tooSmall', 'undecodable', 'unknownAttribute'],
  ...['unknownUi', 'wrongEncoding', 'wrongType'],
] as const;

/** What is wrong with a configuration, or probably wrong. */
export interface Finding {
  /** `error`: the service does not serve it. `warning`: it does, and it is probably a mistake. */
  readonly severity: 'error' | 'warning';
  readonly code: (typeof FINDING_CODES)[number];
  /** The attribute, as keys and indexes below the client's item. An attribute that is missing ends the path. */
  readonly path: readonly (string | number)[];
  /** What is wrong and what would be right, without a full stop. It follows the name of the attribute. */
  readonly message: string;
}

/** A finding as a sentence: `fields[1].subFieldA.maxChars: must be at least 1.` */
export function findingText({ path, message }: Pick<Finding, 'path' | 'message'>): string {
  const name = attributePath(path);
  return `${name && `${name}: `}${message}${/[.?]$/.test(message) ? '' : '.'}`;
}

/** An attribute below a client's item, as operators write it. The name of the item itself is empty. */
export function attributePath(path: Finding['path']): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}
