import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { closestName, folded } from './closest-name.ts';

/** An item of the Configs table. Manual edits can remove any attribute or change its type. */
export type ConfigsItem = Readonly<Record<string, unknown>>;

/** An item in DynamoDB's JSON, whose numbers have all their digits. */
export type RawItem = Readonly<Record<string, AttributeValue>>;

/** The attributes of a client's item that the service knows. */
export const CLIENT_ATTRIBUTES = [
  'clientId',
  'appIds',
  'appIdLabels',
  'userPoolClientIds',
  'promoCodesIgnoreCase',
  'fields',
  'lastFieldId',
  'language',
  'lastChange',
  'rollout',
] as const;

/**
 * Finds the attribute that is probably a misspelling of a missing one: `userPoolClientId` for
 * `userPoolClientIds`. Two thirds of the name must match. For `userPoolClientIds`, which separates
 * tenants, it is enough that the name has "client" or "pool", and the value looks like ids. Free
 * text is a note.
 *
 * @returns undefined if the attribute exists or no unknown one resembles it.
 */
export function misspellingOf(item: ConfigsItem, attribute: string): string | undefined {
  if (item[attribute] !== undefined) return undefined;
  return Object.entries(item).find(
    ([name, value]) =>
      meantAttribute(name) === attribute ||
      (attribute === 'userPoolClientIds' &&
        !NAMES.includes(name) &&
        /client|pool/.test(folded(name)) &&
        looksLikeIds(value)),
  )?.[0];
}

/** An id of an app client, an id of a user pool, or the ARN of one. */
const COGNITO_ID =
  /^(?:(?=.*\d)(?=.*[a-z])[a-z\d]{10,}|[a-z]{2}(?:-[a-z]+)+-\d+_\w+|arn:aws[\w-]*:cognito-\S+)$/;

/** In doubt, true: it keeps other tenants out. A list of single words may be one of ids. */
function looksLikeIds(value: unknown): boolean {
  if (typeof value === 'string') {
    return (
      value.split(/[\s,;]+/).every((part) => part === '' || COGNITO_ID.test(part)) &&
      /\w/.test(value)
    );
  }
  if (value instanceof Set || Array.isArray(value)) {
    const parts: readonly unknown[] = [...value];
    const isId = (part: unknown) => /^[a-z\d+_-]+$/.test(String(part)) || looksLikeIds(part);
    return parts.length === 0 || parts.some(isId);
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some((entry) => entry.some(looksLikeIds));
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
