import { closestName, folded } from './closest-name.ts';

/** An item of the Configs table. Manual edits can remove any attribute or change its type. */
export type ConfigsItem = Readonly<Record<string, unknown>>;

/** The attributes of a client's item that the service knows. */
export const CLIENT_ATTRIBUTES = [
  ...['clientId', 'appIds', 'appIdLabels', 'userPoolClientIds'],
  ...['fields', 'lastFieldId', 'lastChange'],
] as const;

/**
 * Finds the attribute that is probably a misspelling of a missing one: `userPoolClientId` for
 * `userPoolClientIds`. Two thirds of the name must match. For `userPoolClientIds`, which separates
 * tenants, "client" or "pool" in the name is enough.
 *
 * @returns undefined if the attribute exists or no unknown one resembles it.
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

/** `appUIs` is an attribute of fields: misplaced, it is no misspelling of `appIds`. */
const NAMES: readonly string[] = [...CLIENT_ATTRIBUTES, 'appUIs'];

/** `appIdList` is rather meant to be `appIds`, which lets apps in, than `appIdLabels`. */
const MEANT = NAMES.filter((name) => name !== 'appIdLabels');

/** Finds the known attribute that an unknown one resembles: two thirds of the name must match. */
export function meantAttribute(name: string): string | undefined {
  if (NAMES.includes(name)) return undefined;
  const meant = closestName(name, MEANT, 1 / 3);
  return meant === 'appUIs' ? undefined : meant;
}
