import { expect, test } from 'vitest';
import { checkAccess } from '../../../../core/configuration/check-access.ts';

const KEYS = { appIds: new Set(['key']), userPoolClientIds: new Set(['app']) };

/** The findings as lines. */
function check(item: object, requiresUserPoolClientIds = false): string[] {
  const findings = checkAccess({ ...item }, requiresUserPoolClientIds);
  return findings.map(({ severity, path, message }) => `${severity} ${path.join('.')} ${message}`);
}

test('keys in sets or lists are all right', () => {
  expect(check(KEYS, true)).toEqual([]);
  expect(check({ appIds: ['key'], userPoolClientIds: ['app'] })).toEqual([]);
});

test.each<[string, object, string]>([
  [
    'no keys',
    { appIds: undefined },
    'error appIds is missing, so every request is refused; it must be a string set',
  ],
  [
    'misspelled keys',
    { appIds: undefined, appKeys: 1, appId: new Set(['secret']) },
    'error appIds is missing, and appId looks like a misspelling of it, so every request is refused; it must be a string set',
  ],
  [
    'misspelled app clients',
    { userPoolClientIds: undefined, userPoolClientId: 'secret' },
    'error userPoolClientIds is missing, and userPoolClientId looks like a misspelling of it, so every request is refused; it must be a string set',
  ],
  [
    'keys of another type',
    { appIds: 7 },
    'error appIds contains no string, so every request is refused; it must be a string set',
  ],
  [
    'several keys in one string',
    { appIds: 'secret,other' },
    'error appIds is one string with a comma, so every request is refused; it must be a string set',
  ],
  [
    'one key as a string',
    { appIds: 'secret' },
    'warning appIds is one string; a string set can have several keys',
  ],
  [
    'several keys in one of a set',
    { appIds: new Set(['secret, other']) },
    'warning appIds has a key with a comma or a space; each key is a string of its own',
  ],
  [
    'a key with a space',
    { appIds: new Set(['secret other']) },
    'warning appIds has a key with a comma or a space; each key is a string of its own',
  ],
  [
    'several app clients in one of a set',
    { userPoolClientIds: new Set(['secret,other']) },
    'error userPoolClientIds contains no id of an app client, which has no comma and no space, so every request is refused; it must be a string set',
  ],
  [
    'several app clients in one of others',
    { userPoolClientIds: new Set(['secret,other', 'app']) },
    'error userPoolClientIds has a key with a comma or a space; each key is a string of its own',
  ],
])('%s', (_, attributes, finding) => {
  const found = check({ ...KEYS, ...attributes });
  expect(found).toEqual([finding]);
  expect(found.join()).not.toContain('secret');
});

test('a client without userPoolClientIds admits nobody if the stage requires them', () => {
  const { appIds } = KEYS;
  expect(check({ appIds })).toEqual([]);
  expect(check({ appIds }, true)).toEqual([
    'error userPoolClientIds is missing, so every request is refused; it must be a string set',
  ]);
});
