import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { stateOfItem } from '../../../../core/clients/client-state.ts';
import { readClient } from '../../../../core/clients/read-client.ts';
import { RULES } from '../../../support/access-rules.ts';

const pathsIn = (item: object, requiresUserPoolClientIds = false) =>
  stateOfItem(readClient(marshall(item, { removeUndefinedValues: true })), {
    ...RULES,
    requiresUserPoolClientIds,
  })
    .findings.filter(({ code }) => code === 'lockedOut')
    .map(({ severity, code, path }) => `${severity} ${code} ${path}`);

test.each([
  ['missing', undefined],
  ['empty', []],
  ['of another type', 7],
  ['one string with a comma', 'key-a,key-b'],
  ['with a space at an end', ['key ', '\u00a0key']],
  ['in characters of no header', ['\u0430-key', '“key”', 'se\u00adcret', '鍵']],
  ['a word for none, or sent twice', ['null', 'key, key']],
])('a client is locked out by App-Ids that are %s', (_, appIds) => {
  expect(pathsIn({ appIds })).toEqual(['error lockedOut appIds']);
});

test.each([
  ['empty', []],
  ['one string with a comma', 'a,b'],
  ['in quotes or brackets', ['"app"', '[app]', 'app-one']],
  ['with a space', ['app ', 'a b']],
  ['of another deployment', ['2f4k5l6m7n8o']],
])('a client is locked out by app clients that are %s', (_, userPoolClientIds) => {
  expect(pathsIn({ appIds: ['key'], userPoolClientIds })).toEqual([
    'error lockedOut userPoolClientIds',
  ]);
});

test('a client without app clients is locked out where they are required', () => {
  expect(pathsIn({ appIds: ['key'] }, true)).toEqual(['error lockedOut userPoolClientIds']);
  expect(pathsIn({ appIds: ['key'], userPoolClientId: ['app'] }, true)).toEqual([
    'error lockedOut userPoolClientIds',
  ]);
});

test.each([['"key"'], ['key-a,key-b'], ["it's"], ['key{1}'], ['clé'], ['appId=key']])(
  'any App-Id that a request can have lets its apps in, and has no finding: %s',
  (appId) => {
    for (const appIds of [[appId], new Set([appId, 'key ', 'null'])]) {
      expect(pathsIn({ appIds, userPoolClientIds: ['app', 'gone "x"'] })).toEqual([]);
    }
  },
);
