import { completeField, isMap, type StoredMap } from '../../core/configuration/complete-field.ts';
import { isEqual } from './is-equal.ts';

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
