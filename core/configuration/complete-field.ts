import { ATTRIBUTES, knownIn } from './attributes.ts';
import { entryOf, type InputKind, inputsOf } from './kinds.ts';
import { isMap, type StoredMap } from './stored-map.ts';

/*
 * Operators write fewer attributes than apps receive; `completeField` derives the others. It does
 * not validate: a value of a wrong type stays, and the field model rejects it.
 */

/**
 * Returns the known attributes of a stored field with all derivable ones; null if it is not a map.
 */
export function completeField(stored: unknown): unknown {
  if (!isMap(stored)) return null;
  const field = knownIn(stored, ATTRIBUTES.field);
  const { appUIs, allowMultiple, ...others } = field;
  return {
    ...others,
    // NULL, which a console may leave behind, counts as absent.
    ...(isPresent(appUIs) && { appUIs: appUIs instanceof Set ? [...appUIs] : appUIs }),
    ...(isPresent(allowMultiple) && { allowMultiple }),
    addButtonText: field.addButtonText ?? '',
    subFieldA: completeSubField(field.subFieldA),
    subFieldB: inputsOf(field).includes('subFieldB')
      ? completeSubField(field.subFieldB)
      : derived({}, field.subFieldB),
  };
}

function completeSubField(stored: unknown): unknown {
  if (stored === undefined) return undefined;
  if (!isMap(stored)) return null;
  const { maxChars, ...known } = knownIn(stored, ATTRIBUTES.input);
  const derive = entryOf(DERIVED, stored.subType) ?? DERIVED.drop;
  return {
    ...known,
    ...((entryOf(HAS_LENGTH, stored.subType) ?? true) && maxChars !== undefined && { maxChars }),
    placeHolderText: known.placeHolderText ?? '',
    ...derive(stored),
  };
}

/** True for the kinds of input of which apps get `maxChars`. */
const HAS_LENGTH: Readonly<Record<InputKind, boolean>> = { text: true, drop: false };

/** The attributes that the service derives for each kind of input. */
const DERIVED: Readonly<Record<InputKind, (stored: StoredMap) => StoredMap>> = {
  text: ({ options, optionsArray }) => ({
    options: derived('', options),
    optionsArray: derived([], optionsArray),
  }),
  drop: ({ alpha, numbers, symbols, options, ...stored }) => {
    const optionsArray = Array.isArray(stored.optionsArray)
      ? stored.optionsArray.map((option) => (isMap(option) ? option : null))
      : stored.optionsArray;
    return {
      alpha: derived(false, alpha),
      numbers: derived(false, numbers),
      symbols: derived(false, symbols),
      options: derived(optionLines(optionsArray), options),
      optionsArray,
    };
  },
};

/** Returns `options`: a line `<display>:<value>` per option (spec, "SubField object"). */
export function optionLines(optionsArray: unknown): string {
  if (!Array.isArray(optionsArray)) return '';
  const lines: string[] = [];
  for (const option of optionsArray) {
    if (typeof option?.display !== 'string' || typeof option.value !== 'string') continue;
    lines.push(`${option.display}:${option.value}`);
  }
  return lines.join('\n');
}

/** Replaces a stored value with the derived one, unless its type is wrong: that gets reported. */
function derived(value: unknown, stored: unknown): unknown {
  if (stored === undefined || stored === null) return value;
  if (Array.isArray(value)) return Array.isArray(stored) ? value : stored;
  if (isMap(value)) return isMap(stored) ? value : null;
  return typeof stored === typeof value ? value : stored;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
