import { type ConfigsItem, misspellingOf } from '../client-attributes.ts';
import { attributePath, type Finding } from '../finding.ts';
import { isAppId } from './app-id.ts';
import { fingerprintOf } from './app-id-fingerprint.ts';
import { accessFor } from './client-access.ts';
import type { StoredClient } from './read-client.ts';

/**
 * Finds access lists of a client that lock it out, or probably admit others than intended. No
 * message contains an App-Id.
 *
 * @param requiresUserPoolClientIds if true, a client without `userPoolClientIds` is locked out.
 */
export function accessFindings(
  { item, access }: Pick<StoredClient, 'item' | 'access'>,
  requiresUserPoolClientIds: boolean,
): Finding[] {
  const lists = accessFor(access, requiresUserPoolClientIds);
  return (['appIds', 'userPoolClientIds'] as const).flatMap((name): Finding[] => {
    const values = lists[name];
    if (values === undefined) return [];
    const sendable = values.filter(isSendable);
    const wrapped = sendable.filter(isWrapped);
    const path = [name];
    // No app client has such an id. An App-Id is any string.
    const areAppClients = name === 'userPoolClientIds';
    if (sendable.length === (areAppClients ? wrapped.length : 0)) {
      const why = values.length === 0 ? reason(item, name) : 'no request can send what it has';
      const fix =
        values.length === 0 ? 'write each value as its own string of a string set' : ALONE;
      const message = `${why}, so every request is refused; ${fix}`;
      return [{ severity: 'error', code: 'lockedOut', path, message }];
    }
    const findings: Finding[] = [];
    if (sendable.length < values.length) {
      const message = `has a value that no request can send; ${ALONE}`;
      findings.push({ severity: 'warning', code: 'unsendableAppId', path, message });
    }
    if (wrapped.length > 0) {
      const which = areAppClients ? 'a value' : `App-Id ${wrapped.map(fingerprintOf).join(', ')}`;
      const message = `has quotes, brackets or other signs around ${which}, which apps probably do not send; write the value alone`;
      findings.push({ severity: 'error', code: 'wrappedAppId', path, message });
    }
    if (typeof item[name] === 'string') {
      const message = 'is a single string; use a string set';
      findings.push({ severity: 'warning', code: 'oneString', path, message });
    }
    if (sendable.some((value) => hasSeparator(value) && !isWrapped(value))) {
      const message = 'has a value with a comma or a space; write each value as its own string';
      const severity = areAppClients ? 'error' : 'warning';
      findings.push({ severity, code: 'separatorInAppId', path, message });
    }
    return findings;
  });
}

const ALONE =
  'write it once, in ASCII characters, without spaces, quotes or brackets around it, and not as a word such as null';

/** What a header can be, as far as programs send it unchanged (RFC 9110 section 5.5). */
const OF_HEADERS = /^(?! )[ -~\u00a1-\u00ac\u00ae-\u00ff]*(?<! )$/;

/** True for a value that a header or a token can have. */
function isSendable(value: string): boolean {
  return isAppId(value) && OF_HEADERS.test(value);
}

/**
 * What JSON, a shell, a spreadsheet or a page leaves at an end of a value: a quote, a bracket that
 * is not closed or opened in the value, a separator, or the name of the value.
 */
const WRAPPED = new RegExp(
  [
    '^(?:\\\\?["\'`]|[´«[{(<]|&quot;|%2[27])',
    '(?:["\'`´»,;]|&quot;|%2[27])$',
    '(?<!\\(.*)\\)$|(?<!\\[.*)\\]$|(?<!\\{.*)\\}$|(?<!<.*)>$',
    '"|^[A-Za-z_-]*(?:[Ii][Dd]|[Kk][Ee][Yy])=[^=]',
  ].join('|'),
);

function isWrapped(value: string): boolean {
  return WRAPPED.test(value);
}

/** True for an App-Id that apps can send, and that was probably copied alone. */
export function isPlainAppId(value: string): boolean {
  return isSendable(value) && !isWrapped(value) && !hasSeparator(value);
}

/** True if a value probably is several, or a value with its name. */
function hasSeparator(value: string): boolean {
  return /[,\s]/.test(value);
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
