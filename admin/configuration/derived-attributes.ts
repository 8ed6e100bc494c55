import { completeField, isMap, type StoredMap } from '../../core/configuration/complete-field.ts';
import { isEqual } from './is-equal.ts';

/** Attributes that the service always derives, by kind of field and input. Operators omit them. */
export const DERIVED = {
  field: { text: ['subFieldB'], drop: ['subFieldB'], combo: [] },
  input: { text: ['options', 'optionsArray'], drop: ['options', 'alpha', 'numbers', 'symbols'] },
} as const;

/** The message to an operator about such an attribute, after its name. */
export const IS_DERIVED = 'is derived by the service; remove it';

/** Finds the attributes of a field that the service derives, as paths below the field. */
export function derivedAttributes(field: unknown): string[][] {
  if (!isMap(field)) return [];
  const ofField = presentOf(field, namesOf(DERIVED.field, field.fieldType));
  const inputs = ['subFieldA', 'subFieldB'].filter((name) => !ofField.includes(name));
  return [
    ...ofField.map((name) => [name]),
    ...inputs.flatMap((input) => {
      const stored = field[input];
      if (!isMap(stored)) return [];
      const names = presentOf(stored, namesOf(DERIVED.input, stored.subType));
      return names.map((name) => [input, name]);
    }),
  ];
}

function namesOf(kinds: Readonly<Record<string, readonly string[]>>, kind: unknown) {
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) ? (kinds[kind] ?? []) : [];
}

function presentOf(map: object, names: readonly string[]): string[] {
  return names.filter((name) => Object.hasOwn(map, name));
}

/**
 * Removes what the service derives from a stored field: operators need not write it, and cannot
 * change it. The result is the same field to the service. Values other than maps stay as they are.
 */
export function withoutDerived(stored: unknown): unknown {
  if (!isMap(stored)) return stored;
  const completed = completeField(stored);
  const completesTheSame = (field: StoredMap) => isEqual(completeField(field), completed);
  let field = withoutEach(stored, completesTheSame);
  for (const name of ['subFieldA', 'subFieldB']) {
    const subField = field[name];
    if (!isMap(subField)) continue;
    const lean = withoutEach(subField, (rest) => completesTheSame({ ...field, [name]: rest }));
    field = { ...field, [name]: lean };
  }
  return field;
}

/** Removes each attribute whose removal passes the test. */
function withoutEach(map: StoredMap, passes: (rest: StoredMap) => boolean): StoredMap {
  return Object.keys(map).reduce((current, name) => {
    const { [name]: _, ...rest } = current;
    return passes(rest) ? rest : current;
  }, map);
}
