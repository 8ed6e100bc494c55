import { marshall } from '@aws-sdk/util-dynamodb';
import { StoredConfiguration } from 'customer-data-api/clients';
import type { VersionWithContent } from 'customer-data-api/history';
import { expect, test } from 'vitest';
import { undoObstacle } from '../../../configurations/undo-obstacle.ts';

const version = (digest: string, language: string | undefined, ...ids: string[]) => ({
  digest,
  content: marshall(
    { fields: ids.map((id) => ({ id })), language },
    { removeUndefinedValues: true },
  ),
});
const before = version('0', 'en', '1');
const own = version('1', 'en', '1', '2');

test.each<[string | undefined, of?: object, older?: object | undefined, live?: object]>([
  [undefined],
  ['oldest', own, undefined],
  ['removed', { ...own, isDeleted: true }, before],
  ['removed', own, { ...before, isDeleted: true }],
  ['tooLarge', { ...own, isTooLarge: true }, before],
  ['tooLarge', own, { ...before, isTooLarge: true }],
  ['sameFields', { ...own, digest: '0' }, before],
  ['noUniqueIds', own, version('0', 'en', '1', '1')],
  ['noUniqueIds', own, before, version('2', 'en', '2', '2')],
  ['otherLanguage', own, before, version('2', 'de', '1')],
  [undefined, own, before, version('2', 'EN', '1')],
  // A language that was named since may have been that of the texts before.
  [undefined, version('1', undefined, '1', '2'), before, version('2', 'de', '1')],
])('a version is not undone alone: %s', (obstacle, ...versions) => {
  const [of, older, live] = versions.length === 0 ? [own, before, own] : versions;
  const { content } = (live ?? own) as VersionWithContent;
  const stored = new StoredConfiguration(content);
  expect(undoObstacle(of as VersionWithContent, older as VersionWithContent, stored)).toBe(
    obstacle,
  );
});
