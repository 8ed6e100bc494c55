import { type ConfigsItem, misspellingOf } from '../client-attributes.ts';
import { attributePath, type Finding } from '../finding.ts';
import { invisibleIn } from '../invisible-characters.ts';
import { isAppId } from './app-id.ts';
import { readAccessLists } from './client-access.ts';

/**
 * Finds access lists of a client that lock it out, or probably admit others than intended. No
 * message contains an App-Id.
 *
 * @param requiresUserPoolClientIds if true, a client without `userPoolClientIds` is locked out.
 */
export function accessFindings(item: ConfigsItem, requiresUserPoolClientIds: boolean): Finding[] {
  const lists = readAccessLists(item, requiresUserPoolClientIds);
  return (['appIds', 'userPoolClientIds'] as const).flatMap((name): Finding[] => {
    const values = lists[name];
    if (values === undefined) return [];
    const sendable = values.filter(isSendable);
    const path = [name];
    if (sendable.length === 0) {
      const why = values.length === 0 ? reason(item, name) : 'no request can send what it has';
      const fix = values.length === 0 ? 'write a string set' : UNSENDABLE;
      const message = `${why}, so every request is refused; ${fix}`;
      return [{ severity: 'error', code: 'lockedOut', path, message }];
    }
    const findings: Finding[] = [];
    if (sendable.length < values.length) {
      const message = `has a value that no request can send; ${UNSENDABLE}`;
      findings.push({ severity: 'warning', code: 'unsendableAppId', path, message });
    }
    if (typeof item[name] === 'string') {
      const message = 'is a single string; use a string set';
      findings.push({ severity: 'warning', code: 'oneString', path, message });
    } else if (sendable.some((value) => /[,\s]/.test(value))) {
      const message = 'has a value with a comma or a space; write each value as its own string';
      // No app client has such an id. An App-Id is any string.
      const severity = name === 'userPoolClientIds' ? 'error' : 'warning';
      findings.push({ severity, code: 'separatorInAppId', path, message });
    }
    return findings;
  });
}

const UNSENDABLE =
  'write it once, without spaces around it and characters that nobody sees, and not as a word such as null';

/** True for a value that a header or a token can have, as far as programs send it unchanged. */
export function isSendable(value: string): boolean {
  return isAppId(value) && invisibleIn(value) === undefined;
}

function reason(item: ConfigsItem, name: string): string {
  const stored = item[name];
  const misspelled = misspellingOf(item, name);
  if (misspelled !== undefined)
    return `is missing, and ${attributePath([misspelled])} looks like a misspelling of it`;
  if (stored === undefined) return 'is missing';
  if (typeof stored === 'string' && stored !== '') return 'is a single string with a comma';
  return name === 'userPoolClientIds'
    ? 'contains no valid id of an app client'
    : 'contains no string';
}
