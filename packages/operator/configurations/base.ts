import type { ConfigsItem } from 'customer-data-api/clients';
import { highestIdIn } from 'customer-data-api/configuration';
import { idNumber } from './id-number.ts';

const WITHOUT = ' without ';

/**
 * Writes the `base` of a configuration file: the digest of the stored content, and the ids up to
 * `lastFieldId` that no field of it has, such as `… without 2, 5-7`. By these, a check of the file
 * alone notices a new field with the id of another one.
 */
export function baseOf(digest: string, content: ConfigsItem): string {
  const fields = Array.isArray(content.fields) ? content.fields : [];
  const highest = highestIdIn(content);
  const ids = fields.map((field) => idNumber(Object(field).id) ?? 0).filter((id) => id <= highest);
  const ends = [...ids, highest + 1].toSorted((one, other) => one - other);
  const free = ends.flatMap((end, index) => {
    const [first, last] = [(ends[index - 1] ?? 0) + 1, end - 1];
    if (first > last) return [];
    return [first === last ? String(first) : `${first}-${last}`];
  });
  return free.length === 0 ? digest : `${digest}${WITHOUT}${free.join(', ')}`;
}

/** Returns the digest in the `base` of a file. */
export function digestIn(base: string | undefined): string | undefined {
  return base?.split(WITHOUT)[0];
}

/** True for an id that was given before, and that no field of the file's base has. */
export function isFree(base: unknown, id: unknown): boolean {
  const number = idNumber(id);
  if (typeof base !== 'string' || number === undefined) return false;
  const [, free = ''] = base.split(WITHOUT);
  return [...free.matchAll(/(\d+)(?:-(\d+))?/g)].some(
    ([, first, last = first]) => Number(first) <= number && number <= Number(last),
  );
}
