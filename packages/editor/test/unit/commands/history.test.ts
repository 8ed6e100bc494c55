import { marshall } from '@aws-sdk/util-dynamodb';
import { compare } from 'customer-data-api/effects';
import { contentDigest, stateOfVersion, type VersionWithContent } from 'customer-data-api/history';
import { expect, test } from 'vitest';
import { historyLines } from '../../../commands/history.ts';
import { withNeighbours } from '../../../configurations/history.ts';

function versionOf(version: number, item: object, others: object = {}): VersionWithContent {
  const content = marshall(item);
  return {
    clientId: 'pizza',
    version,
    at: `2026-11-21T10:00:0${version}.000Z`,
    source: 'manualEdit',
    content,
    digest: contentDigest(content),
    highestId: 1,
    findings: 0,
    errors: 0,
    access: { fingerprints: [] },
    eventId: `event-${version}`,
    position: { stream: 'stream', sequenceNumber: `${version}` },
    ...others,
  };
}

test('a manual edit of fields and of the rule for promo codes tells each once', async () => {
  const field = { id: '1', fieldType: 'text', fieldName: 'Hobby' };
  const versions = [
    versionOf(2, { fields: [{ ...field, fieldName: 'Sport' }] }, { promoCodesIgnoreCase: true }),
    versionOf(1, { fields: [field] }),
  ];
  async function* summaries() {
    for (const { content: _, ...summary } of versions) yield summary;
  }
  const lines = await Array.fromAsync(
    historyLines('pizza', withNeighbours(summaries()), 1000, async (...pair) =>
      compare(
        ...(pair.map(({ version }) => {
          const found = versions.find((one) => one.version === version);
          return found && stateOfVersion(found);
        }) as Parameters<typeof compare>),
      ),
    ),
  );
  const [, edit = ''] = lines;
  expect(edit.match(/is now called|The case of promo codes/g)?.toSorted()).toEqual([
    'The case of promo codes',
    'is now called',
  ]);
});
