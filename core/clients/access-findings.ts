import { type ConfigsItem, misspellingOf } from '../client-attributes.ts';
import type { Finding } from '../finding.ts';
import { readAccessLists } from './client-access.ts';

/**
 * Finds access lists of a client that admit no one, or probably others than intended. No message
 * contains an App-Id.
 *
 * @param requiresUserPoolClientIds if true, a client without `userPoolClientIds` admits no one.
 */
export function accessFindings(item: ConfigsItem, requiresUserPoolClientIds: boolean): Finding[] {
  const keys = readAccessLists(item, requiresUserPoolClientIds);
  return (['appIds', 'userPoolClientIds'] as const).flatMap((name): Finding[] => {
    const values = keys[name];
    if (values === undefined) return [];
    if (values.length === 0) {
      const message = `${reason(item, name)}, so every request is refused; write a string set`;
      return [{ severity: 'error', code: 'admitsNobody', path: [name], message }];
    }
    if (typeof item[name] === 'string') {
      const message = 'is a single string; use a string set';
      return [{ severity: 'warning', code: 'oneString', path: [name], message }];
    }
    if (!values.some((value) => /[,\s]/.test(value))) return [];
    const message = 'has a value with a comma or a space; write each value as its own string';
    // No app client has such an id. An App-Id is any string.
    const severity = name === 'userPoolClientIds' ? 'error' : 'warning';
    return [{ severity, code: 'separatorInKey', path: [name], message }];
  });
}

function reason(item: ConfigsItem, name: string): string {
  const stored = item[name];
  const misspelled = misspellingOf(item, name);
  if (misspelled !== undefined)
    return `is missing, and ${misspelled} looks like a misspelling of it`;
  if (stored === undefined) return 'is missing';
  if (typeof stored === 'string' && stored !== '') return 'is a single string with a comma';
  return name === 'userPoolClientIds'
    ? 'contains no valid id of an app client'
    : 'contains no string';
}
