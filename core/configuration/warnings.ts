import { closestName } from '../closest-name.ts';
import { decodedText, leftOverIn, withoutMarkup } from '../encoded-text.ts';
import type { FieldFinding } from '../finding.ts';
import { invisibleIn, isBlank, withoutInvisible } from '../invisible-characters.ts';
import { excerpt, isInCurlyQuotes, withoutCurlyQuotes } from '../text.ts';
import { completeField } from './complete-field.ts';
import { overruledContent } from './overruled-content.ts';
import { attributeOf, isMap, listOf, type StoredMap } from './stored-map.ts';
import { undecodableInteger } from './undecodable-integer.ts';

/** The UIs in which apps present fields (spec, "Field object"). */
export const UIS: readonly string[] = ['register', 'profile'];

/** Finds probable mistakes in a stored field, which may have errors too. */
export function warningsOn(stored: unknown): FieldFinding[] {
  const field = completeField(stored);
  if (!isMap(stored) || !isMap(field)) return [];
  const warnings = [
    ...caption(field),
    ...buttonText(stored),
    ...whereItIsShown(field),
    ...sameQuestionTwice(field),
    ...overruledContent(stored),
    ...below('subFieldA', warningsOnSubField(field.subFieldA)),
    ...(field.fieldType === 'combo' ? below('subFieldB', warningsOnSubField(field.subFieldB)) : []),
  ];
  const empty = warnings.filter(({ code }) => code === 'empty' || code === 'emptyValue');
  const paths = new Set(empty.map(({ path }) => path.join()));
  const texts = unintendedTexts(field).filter(({ path }) => !paths.has(path.join()));
  return [...texts, ...warnings];
}

function below(name: string, warnings: readonly FieldFinding[]): FieldFinding[] {
  return warnings.map((warning) => ({ ...warning, path: [name, ...warning.path] }));
}

function isBlankText(value: unknown): boolean {
  return typeof value === 'string' && isBlank(value);
}

function caption({ fieldName }: StoredMap): FieldFinding[] {
  if (!isBlankText(fieldName)) return [];
  return [
    { code: 'empty', path: ['fieldName'], message: 'is empty, so the customer sees no caption' },
  ];
}

function buttonText({ allowMultiple, addButtonText = null }: StoredMap): FieldFinding[] {
  const isMissing = addButtonText === null;
  if (allowMultiple !== true || !(isMissing || isBlankText(addButtonText))) return [];
  const message = `is ${isMissing ? 'missing' : 'empty'}, so the button that adds another answer has no text`;
  return [{ code: 'empty', path: ['addButtonText'], message }];
}

/** Finds texts, at any depth, that an editor or a conversion has changed. */
export function unintendedTexts(value: unknown, path: FieldFinding['path'] = []): FieldFinding[] {
  if (typeof value === 'object' && value !== null) {
    return (
      Object.entries(value)
        // `options` repeats `optionsArray`, but for those of a translation.
        .filter(([name, part]) => name !== 'options' || isMap(part))
        .flatMap(([name, part]) =>
          unintendedTexts(part, [...path, Array.isArray(value) ? Number(name) : name]),
        )
    );
  }
  return typeof value === 'string'
    ? unintended(value).map(({ code, message }) => ({ code, path, message }))
    : [];
}

/** The longest text that a message has whole. */
const TEXT_CHARACTERS = 80;

function unintended(text: string): Omit<FieldFinding, 'path'>[] {
  const decoded = decodedText(text);
  const plain = withoutMarkup(decoded);
  // Half of a character that was read wrongly can be one that nobody sees.
  const unseen = invisibleIn(decoded);
  const right = withoutInvisible(withoutCurlyQuotes(plain ?? decoded));
  const write = `write ${right === '' ? 'the text again' : corrected(text, right)}`;
  const warnings: Omit<FieldFinding, 'path'>[] = [];
  const lost = lostIn(text, decoded);
  if (lost !== undefined) {
    const message = `has characters as another program writes them (${lost}); write the text again`;
    warnings.push({ code: 'wrongEncoding', message });
  } else if (decoded !== text) {
    const message = `has characters as another program writes them; ${write}`;
    warnings.push({ code: 'wrongEncoding', message });
  }
  if (plain !== undefined) {
    const message = `has tags of HTML, which apps show as they are; ${write}`;
    warnings.push({ code: 'markup', message });
  }
  if (unseen !== undefined) {
    const message = `has characters that nobody sees: ${unseen}; ${write}`;
    warnings.push({ code: 'invisibleCharacter', message });
  }
  if (isInCurlyQuotes(text)) {
    const message = `is in curly quotes, which belong to the text; write ${withoutCurlyQuotes(text)}`;
    warnings.push({ code: 'curlyQuotes', message });
  }
  return warnings;
}

/** Returns the place of what nobody can decode; undefined if a text can be told. */
function lostIn(text: string, decoded: string): string | undefined {
  const at = decoded.indexOf('\ufffd');
  if (at !== -1) return excerpt(decoded, at, at + 1);
  const place = leftOverIn(decoded);
  if (place !== undefined) return place;
  // Half of a character in the text itself is an error.
  const isHalf = text.isWellFormed() && !decoded.isWellFormed();
  return isHalf || decodedText(decoded) !== decoded ? shownAt(text, decoded) : undefined;
}

/** Quotes a text as it would be right, or what would be right at the first place of a long one. */
function corrected(text: string, right: string): string {
  if (right.length <= TEXT_CHARACTERS) return JSON.stringify(right);
  const at = firstDifference(right, text);
  return excerpt(right, at, at, JSON.stringify);
}

function shownAt(text: string, other: string): string {
  const at = firstDifference(text, other);
  return excerpt(text, at, at);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function whereItIsShown({ appUIs, mandatory }: StoredMap): FieldFinding[] {
  // In a combo, it may be left to the app.
  if (!Array.isArray(appUIs)) return [];
  const unknown = appUIs.flatMap((ui, index): FieldFinding[] => {
    if (typeof ui !== 'string' || UIS.includes(ui)) return [];
    const meant = closestName(ui, UIS, 1 / 2) ?? beginningLike(ui) ?? UIS.join(' or ');
    const message = `apps have no UI ${ui}; write ${meant}`;
    return [{ code: 'unknownUi', path: ['appUIs', index], message }];
  });
  if (!isShownNowhere({ appUIs })) return unknown;
  const harm = mandatory
    ? 'the field is mandatory but shown nowhere, so customers cannot fill it in'
    : 'the field is shown nowhere';
  const message = [harm, ...unknown.map((one) => one.message)].join('; ');
  return [{ code: 'shownNowhere', path: ['appUIs'], message }];
}

/** True for a field that is on no screen. Without `appUIs`, it is on each. */
function isShownNowhere({ appUIs }: StoredMap): boolean {
  return Array.isArray(appUIs) && !appUIs.some((ui) => UIS.includes(ui));
}

/** Finds the UI meant by a longer form, such as `registration`. */
function beginningLike(ui: string): string | undefined {
  return UIS.find((known) => ui.toLowerCase().startsWith(known.slice(0, 6)));
}

function sameQuestionTwice({ subFieldA, subFieldB }: StoredMap): FieldFinding[] {
  const [one, other] = [subFieldA, subFieldB].map(sorted);
  if (!isMap(subFieldA) || JSON.stringify(one) !== JSON.stringify(other)) return [];
  const placeholder = subFieldA.placeHolderText ? 'the same one' : 'no placeholder either';
  const message = `asks for the same as the first input, with ${placeholder}; customers cannot tell them apart`;
  return [{ code: 'duplicateInput', path: ['subFieldB'], message }];
}

/** Returns the attributes of a map in one order. */
function sorted(map: unknown): unknown {
  return isMap(map) ? Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)) : undefined;
}

/** Finds probable mistakes in an input. */
export function warningsOnSubField(subField: unknown): FieldFinding[] {
  if (!isMap(subField)) return [];
  return subField.subType === 'text'
    ? [...placeholder(subField), ...largeMaxChars(subField)]
    : options(subField);
}

function placeholder({ placeHolderText, maxChars }: StoredMap): FieldFinding[] {
  if (typeof placeHolderText !== 'string' || typeof maxChars !== 'number') return [];
  if ([...placeHolderText].length <= maxChars) return [];
  const message = `the placeholder is longer than the longest answer (${maxChars}); customers may see it cut off`;
  return [{ code: 'placeholderTooLong', path: ['placeHolderText'], message }];
}

function largeMaxChars({ maxChars }: StoredMap): FieldFinding[] {
  const message = typeof maxChars === 'number' ? undecodableInteger(maxChars) : undefined;
  return message === undefined ? [] : [{ code: 'undecodable', path: ['maxChars'], message }];
}

function options({ optionsArray }: StoredMap): FieldFinding[] {
  const list = listOf(optionsArray);
  return (['value', 'display'] as const).flatMap((name) => {
    /** The earlier texts, and what customers tell apart of them. */
    const [earlier, alike] = [new Set<string>(), new Set<string>()];
    return list.flatMap((option, index) => {
      const path = ['optionsArray', index, name];
      const text = attributeOf(option, name);
      if (typeof text !== 'string') return [];
      if (isBlank(text)) return [{ ...BLANK_OPTION[name], path }];
      const warnings: FieldFinding[] = [];
      const read = comparable(text);
      if (text.includes(':')) {
        const message = 'has a colon; the website cuts the text there';
        warnings.push({ code: 'separatorInOption', path, message });
      }
      if (earlier.has(text)) {
        const effect = name === 'value' ? ', so the text of this one is never translated' : '';
        const message = `is the same as in an earlier option${effect}`;
        warnings.push({ code: 'duplicateOption', path, message });
      } else if (alike.has(read)) {
        const message = 'differs only in case, spaces or width from an earlier option';
        warnings.push({ code: 'duplicateOption', path, message });
      }
      earlier.add(text);
      alike.add(read);
      return warnings;
    });
  });
}

const BLANK_OPTION = {
  value: {
    code: 'emptyValue',
    message: 'is empty, so the answer of a customer who chooses it is lost',
  },
  display: { code: 'empty', message: 'is empty, so the customer sees an empty line' },
} as const;

/** Returns a text without what customers, or people who paste, do not tell apart. */
export function comparable(text: string): string {
  return withoutInvisible(text.normalize('NFKC')).replaceAll(/ +/g, ' ').toLowerCase();
}
