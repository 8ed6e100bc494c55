import { closestName } from '../closest-name.ts';
import type { Finding } from '../finding.ts';
import { isInCurlyQuotes, withoutCurlyQuotes } from '../text.ts';
import { completeField, isMap, type StoredMap } from './complete-field.ts';
import { undecodableInteger } from './released-apps.ts';

/** A probable mistake in a field. Its path starts at the field. */
export type Warning = Pick<Finding, 'code' | 'path' | 'message'>;

/** The UIs in which apps present fields (spec, "Field object"). */
export const UIS: readonly string[] = ['register', 'profile'];

/** Finds probable mistakes in a stored field, which may have errors too. */
export function warningsOn(stored: unknown): Warning[] {
  const field = completeField(stored);
  if (!isMap(stored) || !isMap(field)) return [];
  return [
    ...unintendedTexts(field),
    ...caption(field),
    ...buttonText(stored),
    ...whereItIsShown(field),
    ...sameQuestionTwice(field),
    ...below('subFieldA', warningsOnSubField(field.subFieldA)),
    ...(field.fieldType === 'combo' ? below('subFieldB', warningsOnSubField(field.subFieldB)) : []),
  ];
}

function below(name: string, warnings: readonly Warning[]): Warning[] {
  return warnings.map((warning) => ({ ...warning, path: [name, ...warning.path] }));
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function caption({ fieldName }: StoredMap): Warning[] {
  if (!isBlank(fieldName)) return [];
  return [
    { code: 'empty', path: ['fieldName'], message: 'is empty, so the customer sees no caption' },
  ];
}

function buttonText({ allowMultiple, addButtonText = null }: StoredMap): Warning[] {
  const isMissing = addButtonText === null;
  if (allowMultiple !== true || !(isMissing || isBlank(addButtonText))) return [];
  const message = `is ${isMissing ? 'missing' : 'empty'}. With allowMultiple, it is the text of the button that adds another one`;
  return [{ code: 'empty', path: ['addButtonText'], message }];
}

/** Finds texts, at any depth, that an editor or a conversion has changed. */
function unintendedTexts(value: unknown, path: Warning['path'] = []): Warning[] {
  if (typeof value === 'object' && value !== null) {
    return (
      Object.entries(value)
        // `options` repeats `optionsArray`.
        .filter(([name]) => name !== 'options')
        .flatMap(([name, part]) =>
          unintendedTexts(part, [...path, Array.isArray(value) ? Number(name) : name]),
        )
    );
  }
  if (typeof value !== 'string') return [];
  if (value.includes('\ufffd')) {
    const message = 'has a character that could not be read (\ufffd); write the text again';
    return [{ code: 'wrongEncoding', path, message }];
  }
  if (!isInCurlyQuotes(value)) return [];
  const message = `is in curly quotes, which belong to the text; write ${withoutCurlyQuotes(value)}`;
  return [{ code: 'curlyQuotes', path, message }];
}

function whereItIsShown({ appUIs, mandatory }: StoredMap): Warning[] {
  // In a combo, it may be left to the app.
  if (!Array.isArray(appUIs)) return [];
  const unknown = appUIs.flatMap((ui, index): Warning[] => {
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
export function isShownNowhere({ appUIs }: StoredMap): boolean {
  return Array.isArray(appUIs) && !appUIs.some((ui) => UIS.includes(ui));
}

/** Finds the UI meant by a longer form, such as `registration`. */
function beginningLike(ui: string): string | undefined {
  return UIS.find((known) => ui.toLowerCase().startsWith(known.slice(0, 6)));
}

function sameQuestionTwice({ subFieldA, subFieldB }: StoredMap): Warning[] {
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

function warningsOnSubField(subField: unknown): Warning[] {
  if (!isMap(subField)) return [];
  return subField.subType === 'text'
    ? [...placeholder(subField), ...largeMaxChars(subField)]
    : options(subField);
}

function placeholder({ placeHolderText, maxChars }: StoredMap): Warning[] {
  if (typeof placeHolderText !== 'string' || typeof maxChars !== 'number') return [];
  if ([...placeHolderText].length <= maxChars) return [];
  const message = `the placeholder is longer than the longest answer (${maxChars}); customers may see it cut off`;
  return [{ code: 'placeholderTooLong', path: ['placeHolderText'], message }];
}

function largeMaxChars({ maxChars }: StoredMap): Warning[] {
  const message = typeof maxChars === 'number' ? undecodableInteger(maxChars) : undefined;
  return message === undefined ? [] : [{ code: 'undecodable', path: ['maxChars'], message }];
}

function options({ optionsArray }: StoredMap): Warning[] {
  const list: readonly unknown[] = Array.isArray(optionsArray) ? optionsArray : [];
  return (['value', 'display'] as const).flatMap((name) => {
    /** Earlier texts by their lower-case form. */
    const earlier = new Map<string, string>();
    return list.flatMap((option, index) => {
      const path = ['optionsArray', index, name];
      const text = isMap(option) ? option[name] : undefined;
      if (typeof text !== 'string') return [];
      const warnings: Warning[] = [];
      if (/[:\n]/.test(text)) {
        const message = 'has a colon or a line feed; the website cuts the text there';
        warnings.push({ code: 'separatorInOption', path, message });
      }
      const same = earlier.get(text.toLowerCase());
      if (same === undefined) earlier.set(text.toLowerCase(), text);
      else {
        const difference = same === text ? 'is the same as in' : 'differs only in case from';
        const message = `${difference} an earlier option`;
        warnings.push({ code: 'duplicateOption', path, message });
      }
      return warnings;
    });
  });
}
