import type { ConfigsItem } from 'customer-data-api/clients';
import { appIdsIn, joinedAppIds } from 'customer-data-api/clients';
import { printable, UserError } from 'customer-data-api-deployment/program';
import { readAppIdLabels } from './app-id-labels.ts';
import { misspellingsOf } from './change-client.ts';
import { listed } from './find-app-id.ts';

/** App-Ids of a client that are refused because of a typing mistake. */
export interface RefusedAppIds {
  readonly appIds: readonly string[];
  /** Their names: `App-Ids 0a1b2c3d, 4e5f6071 (iOS)`. */
  readonly what: string;
  /** The attributes that have them, as text. */
  readonly from: string;
}

/**
 * Finds the App-Ids in attributes that look like misspellings of `appIds`, and in an `appIds` that
 * is one string with commas.
 *
 * @returns undefined if there is no such attribute.
 * @throws UserError if one has a value that cannot be read: it would be lost.
 */
export function refusedAppIds(item: ConfigsItem): RefusedAppIds | undefined {
  const names = misspellingsOf(item, 'appIds');
  const joined = joinedAppIds(item);
  const found = names.flatMap((name) => {
    const appIds = appIdsIn(item, name);
    if (appIds) return appIds;
    throw new UserError(
      `Nothing was changed: the attribute ${printable(name)} contains no App-Ids, or a value that is not one. It must be a string set, or a list of strings. Correct or remove it in the table.`,
      'unreadableAppIds',
    );
  });
  const from = [...(joined.length > 0 ? ['appIds'] : []), ...names].map(printable).join(', ');
  if (from === '') return undefined;
  const appIds = [...new Set([...joined, ...found])].toSorted();
  return { appIds, what: listed(appIds, readAppIdLabels(item)), from };
}
