import { type ConfigsItem, meantAttribute } from '../client-attributes.ts';
import { attributePath, error, type Finding } from '../finding.ts';
import type { AccessLists } from './client-access.ts';

/** Says of each access list that locks a client out what is wrong with it. */
export function accessFindings(
  item: ConfigsItem,
  lists: readonly (keyof AccessLists)[],
): Finding[] {
  return lists.map((name) => {
    const message = `${reason(item, name)}, so every request is refused; set its ${NAMES[name]}`;
    return error('lockedOut', [name], message);
  });
}

const NAMES = { appIds: 'App-Ids', userPoolClientIds: 'app clients' };
const USABLE = {
  appIds: 'App-Id that a request can have',
  userPoolClientIds: 'app client of the deployment',
};

function reason(item: ConfigsItem, name: keyof typeof USABLE): string {
  const stored = item[name];
  if (stored === undefined) {
    const misspelled = Object.keys(item).find((other) => meantAttribute(other) === name);
    if (misspelled === undefined) return 'is missing';
    return `is missing, and ${attributePath([misspelled])} looks like a misspelling of it`;
  }
  if (typeof stored === 'string' && stored.includes(','))
    return 'is a single string with a comma, not a set of strings';
  return `has no ${USABLE[name]}`;
}
