import { expect, test } from 'vitest';
import { countFindings, summarizeClient } from '../../../../core/clients/client-summary.ts';
import { keyDigest } from '../../../../core/clients/key-digest.ts';

const CHANGE = { id: '1', by: 'jane', at: '2026-11-21T09:30:00.000Z', message: 'Because' };

test('a summary has the digests of the keys in order, what else operators see, and no key', () => {
  const keys = ['a-secret', 'b-secret', 'c-secret'];
  const item = {
    ...{ clientId: 'pizza', appIds: new Set(keys), userPoolClientIds: ['app'] },
    ...{ fields: [], lastFieldId: 3, lastChange: CHANGE },
  };
  const summary = summarizeClient(item, true);
  expect(summary).toEqual({
    ...{ clientId: 'pizza', keys: keys.map(keyDigest).toSorted(), userPoolClientIds: ['app'] },
    ...{ admitsNobody: false, fields: 0, lastFieldId: 3, findings: [], lastChange: CHANGE },
  });
  expect(JSON.stringify(summary)).not.toContain('secret');
});

test('a summary counts the fields that are stored, whatever they are', () => {
  expect(summarizeClient({ fields: [7, {}] }, false).fields).toBe(2);
  expect(summarizeClient({ fields: 'none' }, false).fields).toBe(0);
});

test.each([
  ['has no App-Id', { appIds: [], userPoolClientIds: ['app'] }, true],
  ['has no app client', { appIds: ['key'], userPoolClientIds: [] }, true],
  ['lacks the app clients', { appIds: ['key'] }, true],
  ['has both', { appIds: ['key'], userPoolClientIds: ['app'] }, false],
])('a client that %s: whether it admits nobody', (_, item, expected) => {
  expect(summarizeClient(item, true).admitsNobody).toBe(expected);
});

test('a client that accepts the tokens of all app clients has no list of them, and admits somebody', () => {
  const summary = summarizeClient({ appIds: ['key'] }, false);
  expect(summary.userPoolClientIds).toBeUndefined();
  expect(summary.admitsNobody).toBe(false);
});

test('the findings are about the keys and about the configuration, errors and warnings', () => {
  const item = { appIds: 'one,two', userPoolClientIds: ['app'], fields: ['text'], lastFieldId: 1 };
  const summary = summarizeClient({ ...item, colour: 'red' }, true);
  const paths = summary.findings.map(({ path, severity }) => [path.join('.'), severity]);
  expect(paths).toEqual([
    ['appIds', 'error'],
    ['colour', 'warning'],
    ['fields.0', 'error'],
  ]);
  expect(countFindings(summary)).toEqual({ errors: 2, warnings: 1 });
});
