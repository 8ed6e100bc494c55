import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { closestName } from './closest-name.ts';

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
