import type * as v from 'valibot';
import { closestName } from '../closest-name.ts';
import type { Finding } from '../finding.ts';
import type { Field, SubField } from './field.ts';
import { undecodableInteger } from './released-apps.ts';

/** A probable mistake in a field that the service serves. Its path is below the field. */
export type Warning = Pick<Finding, 'code' | 'path' | 'message'>;

type AnySubField = v.InferOutput<typeof SubField>;
type TextInput = Extract<AnySubField, { subType: 'text' }>;
type Dropdown = Extract<AnySubField, { subType: 'drop' }>;

/** The UIs in which apps present fields (spec, "Field object"). */
export const UIS: readonly string[] = ['register', 'profile'];

/** Finds probable mistakes in a field that the service serves. */
export function warningsOn(field: Field): Warning[] {
  return [
    ...caption(field),
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

function whereItIsShown({ appUIs, mandatory }: Field): Warning[] {
  // A combo may leave it to the app.
  if (!appUIs) return [];
  const unknown = appUIs.flatMap((ui, index): Warning[] => {
    if (UIS.includes(ui)) return [];
    const meant = closestName(ui, UIS, 1 / 2) ?? UIS.join(' or ');
    const message = `apps have no UI ${ui}; write ${meant}`;
    return [{ code: 'unknownUi', path: ['appUIs', index], message }];
  });
  if (appUIs.some((ui) => UIS.includes(ui))) return unknown;
  const message = mandatory
    ? 'the field is mandatory but shown nowhere, so customers cannot fill it in'
    : 'the field is shown nowhere';
  return [...unknown, { code: 'shownNowhere', path: ['appUIs'], message }];
}

function sameQuestionTwice({ subFieldA, subFieldB }: Field): Warning[] {
  // The field model has put the attributes of both in the same order.
  if (JSON.stringify(subFieldA) !== JSON.stringify(subFieldB)) return [];
  return [
    {
      code: 'duplicateInput',
      path: ['subFieldB'],
      message: 'has the same placeholder as subFieldA',
    },
  ];
}

function warningsOnSubField(subField: AnySubField): Warning[] {
  return subField.subType === 'text'
    ? [...placeholder(subField), ...largeMaxChars(subField)]
    : options(subField);
}

function placeholder({ placeHolderText, ...rules }: TextInput): Warning[] {
  const path = ['placeHolderText'];
  const { alpha, numbers, symbols, maxChars } = rules;
  const length = [...placeHolderText].length;
  const warnings: Warning[] = [];
  if (length > maxChars) {
    const message = `has ${length} characters, and the customer may enter ${maxChars}`;
    warnings.push({ code: 'placeholderTooLong', path, message });
  }
  const kinds = [
    { permitted: alpha, kind: /\p{L}/u, name: 'letters', flag: 'alpha' },
    { permitted: numbers, kind: /\p{N}/u, name: 'digits', flag: 'numbers' },
    { permitted: symbols, kind: /[\p{P}\p{S}]/u, name: 'symbols', flag: 'symbols' },
  ];
  for (const { permitted, kind, name, flag } of kinds) {
    if (permitted || !kind.test(placeHolderText)) continue;
    const message = `has ${name}, but customers cannot type ${name} here (${flag} is false)`;
    warnings.push({ code: 'placeholderNotPermitted', path, message });
  }
  return warnings;
}

function largeMaxChars({ maxChars }: TextInput): Warning[] {
  const message = undecodableInteger(maxChars);
  return message === undefined ? [] : [{ code: 'undecodable', path: ['maxChars'], message }];
}

function options({ optionsArray }: Dropdown): Warning[] {
  return (['value', 'display'] as const).flatMap((name) => {
    /** The texts so far, by their lower-case form. */
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
