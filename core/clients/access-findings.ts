import { type ConfigsItem, misspellingOf } from '../client-attributes.ts';
import { attributePath, type Finding } from '../finding.ts';
import { APP_CLIENT_ID } from './app-client-id.ts';
import { isSendableAppId } from './app-id.ts';
import { accessFor } from './client-access.ts';
import type { StoredClient } from './read-client.ts';

/**
 * Finds access lists that lock a client out: no request can have any of their values.
 *
 * @param requiresUserPoolClientIds if true, a client without `userPoolClientIds` is locked out.
 */
export function accessFindings(
  { item, lists }: Pick<StoredClient, 'item' | 'lists'>,
  requiresUserPoolClientIds: boolean,
): Finding[] {
  const { appIds, userPoolClientIds } = accessFor(lists, requiresUserPoolClientIds);
  const lockedOut = (name: keyof typeof MEANT): Finding => {
    const message = `${reason(item, name)}, so every request is refused; write each ${MEANT[name]} as its own string of a string set`;
    return { severity: 'error', code: 'lockedOut', path: [name], message };
  };
  return [
    ...(appIds.some(isSendableAppId) ? [] : [lockedOut('appIds')]),
    ...(userPoolClientIds?.some((id) => APP_CLIENT_ID.test(id)) === false
      ? [lockedOut('userPoolClientIds')]
      : []),
  ];
}

const MEANT = { appIds: 'App-Id', userPoolClientIds: 'id of an app client' };

function reason(item: ConfigsItem, name: keyof typeof MEANT): string {
  const stored = item[name];
  const misspelled = misspellingOf(item, name);
  if (misspelled !== undefined)
    return `is missing, and ${attributePath([misspelled])} looks like a misspelling of it`;
  if (stored === undefined) return 'is missing';
  if (typeof stored === 'string' && stored.includes(',')) return 'is a single string with a comma';
  return `has no ${MEANT[name]} that a request can have`;
}
