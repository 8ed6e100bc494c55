import { ATTRIBUTES, knownIn } from './attributes.ts';
import { entryOf, type FieldKind, type InputKind, inputsOf } from './kinds.ts';
import { isMap } from './stored-map.ts';

/*
 * Operators write fewer attributes than apps receive; `completeField` derives the others. It does
 * not validate: a value of a wrong type stays, and the field model rejects it.
 */

/** Attributes that the service always derives, by kind of field and input. Operators omit them. */
export const DERIVED = {
  field: { text: ['subFieldB'], drop: ['subFieldB'], combo: [] },
  input: {
    text: ['options', 'optionsArray'],
    drop: ['options', 'alpha', 'numbers', 'symbols', 'maxChars'],
  },
} as const satisfies {
  field: Record<FieldKind, readonly string[]>;
  input: Record<InputKind, readonly string[]>;
};

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
  const ofKind: readonly string[] | undefined = entryOf(DERIVED.input, stored.subType);
  const written = knownIn(
    stored,
    ATTRIBUTES.input.filter((name) => !ofKind?.includes(name)),
  );
  const { optionsArray } = written;
  // An input of no kind has the errors that remain if it is a dropdown.
  const names: readonly string[] = ofKind ?? DERIVED.input.drop;
  const values = Object.entries({
    alpha: false,
    numbers: false,
    symbols: false,
    options: optionLines(optionsArray),
    optionsArray: [],
  }).filter(([name]) => names.includes(name));
  return {
    ...written,
    placeHolderText: written.placeHolderText ?? '',
    ...(Array.isArray(optionsArray) && {
      optionsArray: optionsArray.map((option) => (isMap(option) ? option : null)),
    }),
    ...Object.fromEntries(values.map(([name, value]) => [name, derived(value, stored[name])])),
  };
}

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
