import {
  CLIENT_ATTRIBUTES,
  type ConfigsItem,
  folded,
  meantAttribute,
} from 'customer-data-api/clients';

const NAMES: readonly string[] = [...CLIENT_ATTRIBUTES, 'appUIs'];

/**
 * Finds the attribute that earlier releases took for `userPoolClientIds`, so that they refused
 * every request: it is missing, and the name and value of another one look like it.
 */
export function formerGuess(item: ConfigsItem): string | undefined {
  if (item.userPoolClientIds !== undefined) return undefined;
  return Object.entries(item).find(
    ([name, value]) =>
      meantAttribute(name) === 'userPoolClientIds' ||
      (!NAMES.includes(name) && /client|pool/.test(folded(name)) && looksLikeIds(value)),
  )?.[0];
}

/** An id of an app client, an id of a user pool, or the ARN of one. */
const COGNITO_ID =
  /^(?:(?=.*\d)(?=.*[a-z])[a-z\d]{10,}|[a-z]{2}(?:-[a-z]+)+-\d+_\w+|arn:aws[\w-]*:cognito-\S+)$/;

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
