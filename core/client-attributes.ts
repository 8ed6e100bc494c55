import { closestName, folded } from './closest-name.ts';

/**
 * An item of the Configs table. Operators edit it by hand, so any attribute may be missing or have
 * another type.
 */
export type ConfigsItem = Readonly<Record<string, unknown>>;

/** The attributes of an item that the service knows. */
export const CLIENT_ATTRIBUTES = [
  ...['clientId', 'appIds', 'appIdLabels', 'userPoolClientIds'],
  ...['fields', 'lastFieldId', 'lastChange'],
] as const;

/**
 * Finds the attribute that a missing one was probably written as: `userPoolClientId` for
 * `userPoolClientIds`.
 *
 * @returns undefined if the attribute exists, or if no unknown attribute looks like it: two thirds
 *   of the name have to be right. For `userPoolClientIds`, which separates tenants, "client" or
 *   "pool" in the name is enough.
 */
export function misspellingOf(item: ConfigsItem, attribute: string): string | undefined {
  if (item[attribute] !== undefined) return undefined;
  return Object.keys(item).find(
    (name) =>
      meantAttribute(name) === attribute ||
      (attribute === 'userPoolClientIds' &&
        !NAMES.includes(name) &&
        /client|pool/.test(folded(name))),
  );
}

/** `appUIs` is an attribute of fields. In the wrong place, it is not a misspelling of `appIds`. */
const NAMES: readonly string[] = [...CLIENT_ATTRIBUTES, 'appUIs'];

/** `appIdList` is rather meant to be `appIds`, which lets apps in, than `appIdLabels`. */
const MEANT = NAMES.filter((name) => name !== 'appIdLabels');

/**
 * Finds the attribute of an item that an unknown one is probably meant to be: two thirds of the
 * name have to be right.
 */
export function meantAttribute(name: string): string | undefined {
  if (NAMES.includes(name)) return undefined;
  const meant = closestName(name, MEANT, 1 / 3);
  return meant === 'appUIs' ? undefined : meant;
}
