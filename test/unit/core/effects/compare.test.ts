import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ClientState, stateOfItem } from '../../../../core/clients/client-state.ts';
import { readClient } from '../../../../core/clients/read-client.ts';
import { compare } from '../../../../core/effects/compare.ts';
import { nextVersions } from '../../../../core/history/next-versions.ts';
import type { VersionWithContent } from '../../../../core/history/version.ts';
import { stateOfVersion } from '../../../../core/history/version-state.ts';
import { RULES } from '../../../support/access-rules.ts';
import { PIZZA } from '../../../support/configurations.ts';

const [, TEXT] = parse(PIZZA).fields;
const fields = (...ids: number[]) => ids.map((id) => ({ ...TEXT, id: String(id) }));
const rollout = (percent: number, ...ids: number[]) => ({
  rollout: { id: 'one', percent, fields: fields(...ids) },
});

const itemWith = (attributes: object) =>
  stateOfItem(readClient(marshall({ appIds: ['key'], lastFieldId: 9, ...attributes })), RULES);

/** The version of an item, with other attributes. */
function versionOf(attributes: object, others: Partial<VersionWithContent> = {}): ClientState {
  const after = itemWith(attributes);
  const position = { stream: '', sequenceNumber: '1' };
  const change = { clientId: '', eventId: '', at: '', position, before: undefined, after: {} };
  const isNew = { before: false, after: false };
  const { next } = nextVersions(change, { before: undefined, after, newest: undefined, isNew });
  return stateOfVersion({ ...next, ...others } as VersionWithContent);
}

const FULL = { fields: fields(1, 2, 3) };
const CANDIDATE = { ...FULL, ...rollout(5, 1) };
const OTHER = { appIds: ['other'], fields: fields(4) };

test.each<[what: string, before: ClientState, after: ClientState, codes: string[]]>([
  ['an item and its version', itemWith(CANDIDATE), versionOf(CANDIDATE), ['fieldRemoved']],
  ['a version that was too large', versionOf(FULL, { isTooLarge: true }), versionOf(OTHER), []],
  [
    'a finish of a candidate that is unknown',
    versionOf(CANDIDATE, { candidate: undefined }),
    versionOf({ fields: fields(1) }),
    ['fieldRemoved'],
  ],
  ['a start', itemWith(FULL), itemWith(CANDIDATE), ['fieldsLost', 'fieldRemoved']],
  ['a finish', itemWith(CANDIDATE), itemWith({ fields: fields(1) }), ['fieldRemoved']],
  [
    'a removed client that comes back',
    versionOf(FULL, { isDeleted: true }),
    versionOf(OTHER),
    ['fieldAdded'],
  ],
])('effects on customers between two states: %s', (_, before, after, codes) => {
  const ofCustomers = compare(before, after).filter(({ code }) => code.startsWith('field'));
  expect([...new Set(ofCustomers.map(({ code }) => code))]).toEqual(codes);
  const isOfCandidate = after.rollout !== undefined;
  expect(ofCustomers.every((one) => !!one.isOfCandidate === isOfCandidate)).toBe(true);
});

test('access is compared between versions, too, without the content', () => {
  const [before, after] = [FULL, OTHER].map((one) => versionOf(one, { isTooLarge: true }));
  expect(compare(before, after).map(({ code }) => code)).toEqual([
    'appIdsReplaced',
    'appIdRemoved',
    'appIdAdded',
  ]);
});
