import { expect, test } from 'vitest';
import { summarizeClient } from '../../../../admin/clients/client-summary.ts';
import type { ConfigsItem } from '../../../../core/client-attributes.ts';
import { fingerprintOf } from '../../../../core/clients/app-id-fingerprint.ts';

const CHANGE = { id: '1', by: 'jane', at: '2026-11-21T09:30:00.000Z', message: 'Because' };

test('a summary has the digests of the keys in order, what else operators see, and no key', () => {
  const keys = ['a-secret', 'b-secret', 'c-secret'];
  const item = {
    ...{ clientId: 'pizza', appIds: new Set(keys), userPoolClientIds: ['app'] },
    ...{ fields: [7, {}], lastFieldId: 3, lastChange: CHANGE },
    appIdLabels: { '0a1b2c3d': 'iOS' },
  };
  const { findings, ...summary } = summarizeClient(item, true);
  expect(summary).toEqual({
    ...{ clientId: 'pizza', keys: keys.map(fingerprintOf).toSorted(), userPoolClientIds: ['app'] },
    ...{ admitsNobody: false, fields: 2, leftOut: 2, lastFieldId: 3, lastChange: CHANGE },
    labels: { '0a1b2c3d': { label: 'iOS' } },
  });
  expect(JSON.stringify(summary)).not.toContain('secret');
  const both = summarizeClient({ ...item, appIds: 'one,two' }, true).findings;
  const paths = both.map(({ path: [attribute] }) => attribute);
  expect(new Set(paths)).toEqual(new Set(['appIds', 'fields']));
});

test.each<[what: string, item: ConfigsItem, ifRequired: boolean, otherwise: boolean]>([
  ['has no App-Id', { appIds: [], userPoolClientIds: ['app'] }, true, true],
  ['has no app client', { appIds: ['key'], userPoolClientIds: [] }, true, true],
  ['lacks the app clients', { appIds: ['key'] }, true, false],
  ['has both', { appIds: ['key'], userPoolClientIds: ['app'] }, false, false],
])('whether a client that %s admits nobody', (_, item, ifRequired, otherwise) => {
  for (const [isRequired, expected] of [
    [true, ifRequired],
    [false, otherwise],
  ] as const) {
    const { admitsNobody, findings } = summarizeClient(item, isRequired);
    const isReported = findings.some(({ code }) => code === 'admitsNobody');
    expect([admitsNobody, isReported]).toEqual([expected, expected]);
  }
});
