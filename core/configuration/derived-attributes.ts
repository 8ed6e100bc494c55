import { type Finding, warning } from '../finding.ts';
import { ATTRIBUTES, INPUTS, knownIn } from './attributes.ts';
import { completeField, DERIVED } from './complete-field.ts';
import { isEqual } from './is-equal.ts';
import { entryOf } from './kinds.ts';
import { attributeOf, isMap, mapOf, type StoredMap } from './stored-map.ts';

/** Finds the attributes of a field that the service derives, as paths below the field. */
function derivedAttributes(field: unknown): string[][] {
  if (!isMap(field)) return [];
  const ofField = presentOf(field, entryOf(DERIVED.field, field.fieldType) ?? []);
  const inputs = INPUTS.filter((name) => !ofField.includes(name));
  return [
    ...ofField.map((name) => [name]),
    ...inputs.flatMap((input) => {
      const stored = field[input];
      if (!isMap(stored)) return [];
      const names = presentOf(stored, entryOf(DERIVED.input, stored.subType) ?? []);
      return names.map((name) => [input, name]);
    }),
  ];
}

/** Removes what the service derives from a field, also what differs: apps do not get it. */
export function withoutOverruled(field: StoredMap): StoredMap {
  return derivedAttributes(field).reduce(withoutPath, field);
}

function withoutPath(map: StoredMap, [name = '', ...rest]: readonly string[]): StoredMap {
  const { [name]: part, ...others } = map;
  return rest.length === 0 ? others : { ...others, [name]: withoutPath(mapOf(part), rest) };
}

function presentOf(map: object, names: readonly string[]): string[] {
  return names.filter((name) => Object.hasOwn(map, name));
}

/** Finds attributes of a stored field for which apps get another value than somebody wrote. */
export function notServed(field: unknown, served = completeField(field)): Finding[] {
  return derivedAttributes(field)
    .filter((path) => {
      const written = path.reduce(attributeOf, field);
      // The maps of an item have no prototype, and NULL counts as absent.
      if (isMap(written)) return Object.keys(written).length > 0;
      return written !== null && !isEqual(written, path.reduce(attributeOf, served));
    })
    .map((path) => warning('notServed', path, NOT_SERVED));
}

const NOT_SERVED =
  'apps do not get this: they get what follows from fieldType, subType and optionsArray';

/**
 * Removes what the service derives from a stored field: operators need not write it, and cannot
 * change it. What differs stays, because somebody wrote it and should know. The result is the same
 * field to the service. Values other than maps stay as they are.
 */
export function withoutDerived(stored: unknown): unknown {
  if (!isMap(stored) || presentOf(stored, COMPLETED.field).length === 0) return stored;
  let field = knownIn(stored, ATTRIBUTES.field);
  for (const name of INPUTS) {
    const input = field[name];
    if (isMap(input)) field = { ...field, [name]: knownInput(input) };
  }
  const completed = completeField(field);
  const lost = notServed(field, completed).map(({ path }) => path.join());
  const completesTheSame = (lean: StoredMap) => {
    const served = completeField(lean);
    return isEqual(served, completed) && notServed(lean, served).length === lost.length;
  };
  field = withoutEach(field, COMPLETED.field, completesTheSame);
  const inputs: Record<string, StoredMap> = {};
  for (const name of INPUTS) {
    const [input, storedInput] = [field[name], stored[name]];
    if (!isMap(input) || !isMap(storedInput) || lost.includes(name)) continue;
    const lean = withoutEach(input, COMPLETED.input, (rest) =>
      completesTheSame({ ...field, [name]: rest }),
    );
    field = { ...field, [name]: lean };
    inputs[name] = withoutRemoved(storedInput, lean, ATTRIBUTES.input);
  }
  return { ...withoutRemoved(stored, field, ATTRIBUTES.field), ...inputs };
}

/**
 * Returns what the service knows of an input. It derives nothing from the rest, and a map can have
 * thousands of other names.
 */
function knownInput(input: StoredMap): StoredMap {
  const known = knownIn(input, ATTRIBUTES.input);
  if (!Array.isArray(known.optionsArray)) return known;
  const optionsArray = known.optionsArray.map((option) =>
    isMap(option) ? knownIn(option, ATTRIBUTES.option) : option,
  );
  return { ...known, optionsArray };
}

/** The attributes that `completeField` adds, changes or ignores. It keeps the others. */
const COMPLETED = {
  field: ['appUIs', 'allowMultiple', 'addButtonText', ...INPUTS],
  input: ['placeHolderText', ...new Set(Object.values(DERIVED.input).flat())],
};

/** Removes the known attributes that a lean map lacks from a stored one. */
function withoutRemoved(stored: StoredMap, lean: StoredMap, known: readonly string[]): StoredMap {
  const names = Object.keys(stored).filter(
    (name) => Object.hasOwn(lean, name) || !known.includes(name),
  );
  return Object.fromEntries(names.map((name) => [name, stored[name]]));
}

/** Removes each of some attributes whose removal passes the test. */
function withoutEach(
  map: StoredMap,
  names: readonly string[],
  passes: (rest: StoredMap) => boolean,
): StoredMap {
  return presentOf(map, names).reduce((current, name) => {
    const { [name]: _, ...rest } = current;
    return passes(rest) ? rest : current;
  }, map);
}
