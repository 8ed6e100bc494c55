import type * as v from 'valibot';
import { closestName } from '../closest-name.ts';
import type { Finding } from '../finding.ts';
import type { Field, SubField } from './field.ts';
import { undecodableInteger } from './released-apps.ts';

/** A probable mistake in a field that is served. Its path starts at the field. */
export type Warning = Pick<Finding, 'code' | 'path' | 'message'>;

type AnySubField = v.InferOutput<typeof SubField>;
type TextInput = Extract<AnySubField, { subType: 'text' }>;
type Dropdown = Extract<AnySubField, { subType: 'drop' }>;

/** The UIs in which apps present fields (spec, "Field object"). */
export const UIS: readonly string[] = ['register', 'profile'];

/** Finds probable mistakes in a field that is served. */
export function warningsOn(field: Field): Warning[] {
  return [
    ...unintendedTexts(field),
    ...caption(field),
    ...buttonText(field),
    ...whereItIsShown(field),
    ...sameQuestionTwice(field),
    ...below('subFieldA', warningsOnSubField(field.subFieldA)),
    ...(field.fieldType === 'combo' ? below('subFieldB', warningsOnSubField(field.subFieldB)) : []),
  ];
}

function below(name: string, warnings: readonly Warning[]): Warning[] {
  return warnings.map((warning) => ({ ...warning, path: [name, ...warning.path] }));
}

function caption({ fieldName }: Field): Warning[] {
  if (fieldName.trim() !== '') return [];
  return [
    { code: 'empty', path: ['fieldName'], message: 'is empty, so the customer sees no caption' },
  ];
}

function buttonText({ allowMultiple, addButtonText }: Field): Warning[] {
  if (!allowMultiple || addButtonText.trim() !== '') return [];
  const message = 'is empty, so the button that adds another instance has no text';
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
  if (!/^[“”„‘’‚].*[“”‘’]$/s.test(value)) return [];
  const message = `is in curly quotes, which belong to the text; write ${value.slice(1, -1)}`;
  return [{ code: 'curlyQuotes', path, message }];
}

function whereItIsShown({ appUIs, mandatory }: Field): Warning[] {
  // In a combo, it may be left to the app.
  if (!appUIs) return [];
  const unknown = appUIs.flatMap((ui, index): Warning[] => {
    if (UIS.includes(ui)) return [];
    const meant = closestName(ui, UIS, 1 / 2) ?? beginningLike(ui) ?? UIS.join(' or ');
    const message = `apps have no UI ${ui}; write ${meant}`;
    return [{ code: 'unknownUi', path: ['appUIs', index], message }];
  });
  if (appUIs.some((ui) => UIS.includes(ui))) return unknown;
  const message = mandatory
    ? 'the field is mandatory but shown nowhere, so customers cannot fill it in'
    : 'the field is shown nowhere';
  return [...unknown, { code: 'shownNowhere', path: ['appUIs'], message }];
}

/** Finds the UI meant by a longer form, such as `registration`. */
function beginningLike(ui: string): string | undefined {
  return UIS.find((known) => ui.toLowerCase().startsWith(known.slice(0, 6)));
}

function sameQuestionTwice({ subFieldA, subFieldB }: Field): Warning[] {
  // The field model puts the attributes of both in the same order.
  if (JSON.stringify(subFieldA) !== JSON.stringify(subFieldB)) return [];
  const placeholder = subFieldA.placeHolderText === '' ? 'no placeholder either' : 'the same one';
  const message = `asks for the same as the first input, with ${placeholder}; customers cannot tell them apart`;
  return [{ code: 'duplicateInput', path: ['subFieldB'], message }];
}

function warningsOnSubField(subField: AnySubField): Warning[] {
  return subField.subType === 'text'
    ? [...placeholder(subField), ...largeMaxChars(subField)]
    : options(subField);
}

function placeholder({ placeHolderText, maxChars }: TextInput): Warning[] {
  if ([...placeHolderText].length <= maxChars) return [];
  const message = `the placeholder is longer than the longest answer (${maxChars}); customers may see it cut off`;
  return [{ code: 'placeholderTooLong', path: ['placeHolderText'], message }];
}

function largeMaxChars({ maxChars }: TextInput): Warning[] {
  const message = undecodableInteger(maxChars);
  return message === undefined ? [] : [{ code: 'undecodable', path: ['maxChars'], message }];
}

function options({ optionsArray }: Dropdown): Warning[] {
  return (['value', 'display'] as const).flatMap((name) => {
    /** Earlier texts by their lower-case form. */
    const earlier = new Map<string, string>();
    return optionsArray.flatMap((option, index) => {
      const path = ['optionsArray', index, name];
      const text = option[name];
      const warnings: Warning[] = [];
      if (/[:\n]/.test(text)) {
        const message = 'has a colon or a line feed; the website cuts the text there';
        warnings.push({ code: 'separatorInOption', path, message });
      }
      const same = earlier.get(text.toLowerCase());
      if (same === undefined) earlier.set(text.toLowerCase(), text);
      else {
        const difference = same === text ? 'equals' : 'differs only in case from';
        const message = `${difference} that of an earlier option`;
        warnings.push({ code: 'duplicateOption', path, message });
      }
      return warnings;
    });
  });
}
