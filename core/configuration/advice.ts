import type * as v from 'valibot';
import { closestName } from '../closest-name.ts';
import { undecodableInteger } from './apps-in-the-field.ts';
import type { Field, SubField } from './field.ts';

/** Something that the service serves, and that is probably a mistake. */
export interface Advice {
  /** The attribute, as keys and indexes below the field. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type AnySubField = v.InferOutput<typeof SubField>;
type TextInput = Extract<AnySubField, { subType: 'text' }>;
type Dropdown = Extract<AnySubField, { subType: 'drop' }>;

/** The UIs in which apps present fields (spec, "Field object"). */
export const UIS: readonly string[] = ['register', 'profile'];

/** Finds probable mistakes in a field that the service serves. */
export function adviceOn(field: Field): Advice[] {
  return [
    ...caption(field),
    ...whereItIsShown(field),
    ...sameQuestionTwice(field),
    ...below('subFieldA', adviceOnSubField(field.subFieldA)),
    ...(field.fieldType === 'combo' ? below('subFieldB', adviceOnSubField(field.subFieldB)) : []),
  ];
}

function below(name: string, advice: readonly Advice[]): Advice[] {
  return advice.map(({ path, message }) => ({ path: [name, ...path], message }));
}

function caption({ fieldName }: Field): Advice[] {
  if (fieldName.trim() !== '') return [];
  return [{ path: ['fieldName'], message: 'is empty, so the customer sees no caption' }];
}

function whereItIsShown({ appUIs, mandatory }: Field): Advice[] {
  // A combo may leave it to the app.
  if (!appUIs) return [];
  const unknown = appUIs.flatMap((ui, index) => {
    if (UIS.includes(ui)) return [];
    const meant = closestName(ui, UIS, 1 / 2) ?? UIS.join(' or ');
    return [{ path: ['appUIs', index], message: `apps have no UI ${ui}; write ${meant}` }];
  });
  if (appUIs.some((ui) => UIS.includes(ui))) return unknown;
  const message = mandatory
    ? 'the field is mandatory, but shown nowhere: customers cannot fill it in'
    : 'the field is shown nowhere';
  return [...unknown, { path: ['appUIs'], message }];
}

function sameQuestionTwice({ subFieldA, subFieldB }: Field): Advice[] {
  // The field model has put the attributes of both in the same order.
  if (JSON.stringify(subFieldA) !== JSON.stringify(subFieldB)) return [];
  return [{ path: ['subFieldB'], message: 'asks for the same as subFieldA' }];
}

function adviceOnSubField(subField: AnySubField): Advice[] {
  return subField.subType === 'text'
    ? [...placeholder(subField), ...largeMaxChars(subField)]
    : options(subField);
}

function placeholder({ placeHolderText, ...rules }: TextInput): Advice[] {
  const path = ['placeHolderText'];
  const { alpha, numbers, symbols, maxChars } = rules;
  const length = [...placeHolderText].length;
  const advice: Advice[] = [];
  if (length > maxChars) {
    const message = `has ${length} characters, and the customer may enter ${maxChars}`;
    advice.push({ path, message });
  }
  const kinds = [
    { permitted: alpha, kind: /\p{L}/u, name: 'letters', flag: 'alpha' },
    { permitted: numbers, kind: /\p{N}/u, name: 'digits', flag: 'numbers' },
    { permitted: symbols, kind: /[\p{P}\p{S}]/u, name: 'symbols', flag: 'symbols' },
  ];
  for (const { permitted, kind, name, flag } of kinds) {
    if (permitted || !kind.test(placeHolderText)) continue;
    advice.push({ path, message: `has ${name}, which ${flag} does not permit the customer` });
  }
  return advice;
}

function largeMaxChars({ maxChars }: TextInput): Advice[] {
  const message = undecodableInteger(maxChars);
  return message === undefined ? [] : [{ path: ['maxChars'], message }];
}

function options({ optionsArray }: Dropdown): Advice[] {
  return (['value', 'display'] as const).flatMap((name) => {
    /** The texts so far, by their lower-case form. */
    const earlier = new Map<string, string>();
    return optionsArray.flatMap((option, index) => {
      const path = ['optionsArray', index, name];
      const text = option[name];
      const advice: Advice[] = [];
      if (/[:\n]/.test(text)) {
        const message =
          'has a colon or a line feed, which the website takes for the end of the text in options';
        advice.push({ path, message });
      }
      const same = earlier.get(text.toLowerCase());
      if (same === undefined) earlier.set(text.toLowerCase(), text);
      else {
        const difference = same === text ? 'equals' : 'differs only in case from';
        advice.push({ path, message: `${difference} that of an earlier option` });
      }
      return advice;
    });
  });
}
