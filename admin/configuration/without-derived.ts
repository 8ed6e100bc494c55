import { isDeepStrictEqual } from 'node:util';
import { completeField, isMap, type StoredMap } from '../../core/configuration/complete-field.ts';

/**
 * Removes from a stored field what the service derives: what operators need not write, and cannot
 * change. The service reads the result as the same field. What is not a map stays as it is.
 */
export function withoutDerived(stored: unknown): unknown {
  if (!isMap(stored)) return stored;
  const completed = completeField(stored);
  const completesTheSame = (field: StoredMap) => isDeepStrictEqual(completeField(field), completed);
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
