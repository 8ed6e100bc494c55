import { below, type Finding, warning } from '../finding.ts';
import { isBlank, strayCharacterIn } from '../stray-characters.ts';
import { shortened } from '../text.ts';
import { completeField } from './complete-field.ts';
import { notServed } from './derived-attributes.ts';
import { entryOf, type InputKind, inputsOf } from './kinds.ts';
import { attributeOf, isMap, listOf, mapIn, type StoredMap } from './stored-map.ts';
import { undecodableInteger } from './undecodable-integer.ts';

/** The UIs in which apps present fields (spec, "Field object"). */
export const UIS: readonly string[] = ['register', 'profile'];

/** Finds what deserves a warning in a stored field, which may have errors too. */
export function warningsOn(stored: unknown): Finding[] {
  const field = completeField(stored);
  if (!isMap(stored) || !isMap(field)) return [];
  return [
    ...strayCharacters(field),
    ...whereItIsShown(field),
    ...notServed(stored),
    ...inputsOf(field).flatMap((name) => {
      const input = mapIn(field, name);
      return below([name], (entryOf(WARNINGS, input.subType) ?? WARNINGS.drop)(input));
    }),
  ];
}

/** Finds texts with characters that nobody types, at any depth. */
export function strayCharacters(value: unknown, path: Finding['path'] = []): Finding[] {
  if (typeof value === 'object' && value !== null) {
    return (
      Object.entries(value)
        // `options` repeats `optionsArray`, but for those of a translation.
        .filter(([name, part]) => name !== 'options' || isMap(part))
        .flatMap(([name, part]) =>
          strayCharacters(part, [...path, Array.isArray(value) ? Number(name) : name]),
        )
    );
  }
  const place = typeof value === 'string' ? strayCharacterIn(value) : undefined;
  if (place === undefined) return [];
  return [warning('strayCharacter', path, `has characters that nobody types: ${place}`)];
}

/** A sentence names so many unknown UIs, and so much of each. */
const [MOST_NAMED, MOST_CHARACTERS] = [5, 40];

function whereItIsShown({ appUIs, mandatory }: StoredMap): Finding[] {
  // In a combo, it may be left to the app.
  if (!Array.isArray(appUIs)) return [];
  const unknown = appUIs.flatMap((ui, index): Finding[] => {
    if (typeof ui !== 'string' || UIS.includes(ui)) return [];
    const message = `apps have no UI ${shortened(ui, MOST_CHARACTERS)}; write ${UIS.join(' or ')}`;
    return [warning('unknownUi', ['appUIs', index], message)];
  });
  if (appUIs.some((ui) => UIS.includes(ui))) return unknown;
  const harm = mandatory
    ? 'the field is mandatory but shown nowhere, so customers cannot fill it in'
    : 'the field is shown nowhere';
  const message = [harm, ...unknown.slice(0, MOST_NAMED).map((one) => one.message)].join('; ');
  return [warning('shownNowhere', ['appUIs'], message)];
}

const WARNINGS: Readonly<Record<InputKind, (input: StoredMap) => Finding[]>> = {
  text: largeMaxChars,
  drop: options,
};

function largeMaxChars({ maxChars }: StoredMap): Finding[] {
  const message = typeof maxChars === 'number' ? undecodableInteger(maxChars) : undefined;
  return message === undefined ? [] : [warning('undecodable', ['maxChars'], message)];
}

/** Finds options whose choice is lost, or taken for that of another option. */
function options({ optionsArray }: StoredMap): Finding[] {
  const values = new Set<unknown>();
  return listOf(optionsArray).flatMap((option, index): Finding[] => {
    const path = ['optionsArray', index];
    const value = attributeOf(option, 'value');
    const found = ['value', 'display'].flatMap((name) =>
      separators(attributeOf(option, name), [...path, name]),
    );
    if (typeof value === 'string' && isBlank(value)) {
      const message = 'is empty, so the answer of a customer who chooses it is lost';
      found.push(warning('emptyValue', [...path, 'value'], message));
    } else if (typeof value === 'string' && values.has(value)) {
      const message =
        'is the same as in an earlier option, so nobody can tell their answers apart, and the text of this one is never translated';
      found.push(warning('duplicateOption', [...path, 'value'], message));
    }
    values.add(value);
    return found;
  });
}

/** Finds a colon in a part of an option: `options` has it between the text and the value. */
export function separators(text: unknown, path: Finding['path']): Finding[] {
  if (typeof text !== 'string' || !text.includes(':')) return [];
  return [warning('separatorInOption', path, 'has a colon; the website cuts the text there')];
}
